package dev.contexture.server.agent;

import dev.contexture.server.http.Route;
import java.util.List;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/** The routes about agents: their memory and tools, search, and what is carried elsewhere. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class AgentApi {
  private AgentApi() {}

  /** The tools that a conversation has. */
  public static List<Route> ofConversation() {
    return ToolRoutes.ofConversation(Route.CONVERSATION);
  }

  /** What an agent has beside its blocks, and erasing. */
  public static List<Route> ofAgent() {
    return joined(AgentRoutes.routes(Route.AGENT), EraseRoutes.routes(Route.AGENT));
  }

  /** The blocks of an agent, and the tools with which it changes them. */
  public static List<Route> ofMemory() {
    return joined(MemoryRoutes.routes(Route.AGENT), ToolRoutes.ofAgent(Route.AGENT));
  }

  /** Export, import and search. */
  public static List<Route> ofProject() {
    return joined(TransferRoutes.routes(Route.CONVERSATION, Route.AGENT), SearchRoutes.routes());
  }

  private static List<Route> joined(List<Route> some, List<Route> more) {
    return Stream.concat(some.stream(), more.stream()).toList();
  }
}
