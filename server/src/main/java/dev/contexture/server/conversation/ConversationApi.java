package dev.contexture.server.conversation;

import dev.contexture.server.http.Route;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;

/** The routes about users, their conversations, and requests to models. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ConversationApi {
  private ConversationApi() {}

  /** Those of users and conversations, in the order of the documentation. */
  public static List<Route> routes() {
    List<Route> routes = new ArrayList<>(UserRoutes.routes());
    routes.addAll(ConversationRoutes.routes(Route.CONVERSATION));
    routes.addAll(TurnRoutes.routes(Route.CONVERSATION));
    routes.addAll(BlockRoutes.routes(Route.CONVERSATION));
    routes.addAll(ModelRoutes.routes(Route.CONVERSATION));
    routes.addAll(LedgerRoutes.routes(Route.CONVERSATION));
    routes.addAll(SimulationRoutes.routes(Route.CONVERSATION));
    routes.addAll(UsageRoutes.routes(Route.CONVERSATION));
    routes.addAll(TimelineRoutes.routes(Route.CONVERSATION));
    routes.addAll(SummaryRoutes.routes(Route.CONVERSATION));
    routes.addAll(PinRoutes.routes(Route.CONVERSATION));
    routes.addAll(CompactionRoutes.routes(Route.CONVERSATION));
    return List.copyOf(routes);
  }

  /** Requests that begin at an agent. */
  public static List<Route> ofAgent() {
    return RequestRoutes.ofAgents(Route.AGENT);
  }
}
