package dev.contexture.server.stream;

import dev.contexture.engine.session.IdGenerator;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.mcp.McpProfile;
import dev.contexture.mcp.McpSession;
import dev.contexture.mcp.McpSettings;
import dev.contexture.server.access.OriginGuard;
import dev.contexture.server.http.Call;
import dev.contexture.server.http.MemoryView;
import dev.contexture.server.http.Response;
import dev.contexture.server.http.Route;
import dev.contexture.server.keys.Grant;
import dev.contexture.server.keys.KeyRole;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * The Model Context Protocol in its form for HTTP: messages of hosts come by POST, what they are
 * told without asking goes by a stream. Keys, limits and times are those of all routes.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class McpRoutes implements AutoCloseable {
  private static final String PATH = "/mcp";
  private static final String SESSION = "Mcp-Session-Id";
  private static final String VERSION = "MCP-Protocol-Version";
  private static final String MAX_RESULT = "max_result";
  private static final String[] QUERIES = {"agent", "user", "profile", MAX_RESULT};

  private final McpSessions sessions;
  private final EventRoutes events;

  public McpRoutes(IdGenerator ids, String version, EventRoutes events) {
    this.sessions = new McpSessions(ids, version);
    this.events = events;
  }

  public List<Route> routes() {
    return List.of(
        Route.post(PATH, this::message, QUERIES).needing(KeyRole.READER),
        Route.get(PATH, this::follow, QUERIES),
        Route.delete(PATH, this::end, QUERIES).needing(KeyRole.READER));
  }

  private Response message(Call call) {
    call.body("jsonrpc", "id", "method", "params", "result", "error");
    JsonObject message = (JsonObject) JsonValue.parse(call.text());
    McpSessions.Holder holder = holder(call);
    if (message.string("method").orElse("").equals("initialize") && message.has("id")) {
      return begin(call, holder, message);
    }
    McpSession session = sessions.find(session(call), holder);
    return session
        .handle(message)
        .map(answer -> Response.json(200, answer.toJson()))
        .orElseGet(() -> new Response(202, "application/json", "", Map.of()));
  }

  private Response begin(Call call, McpSessions.Holder holder, JsonObject message) {
    McpSession session = sessions.begin(call.engine(), holder);
    JsonObject answer = session.handle(message).orElseThrow();
    Response response = Response.json(200, answer.toJson());
    if (!answer.has("result")) {
      session.close();
      return response;
    }
    return response.with(SESSION, sessions.keep(holder, session));
  }

  private Response follow(Call call) {
    McpSessions.Holder holder = holder(call);
    String id = session(call);
    McpSession session = sessions.find(id, holder);
    return events.stream(
        call,
        0,
        out -> {
          McpStream stream = new McpStream(session, out, call::isAdmitted);
          return new McpStream.Followed(stream, sessions, id, holder);
        });
  }

  private Response end(Call call) {
    sessions.end(session(call), holder(call));
    return Response.noContent();
  }

  private static String session(Call call) {
    return Optional.ofNullable(call.http().header(SESSION))
        .orElseThrow(
            () ->
                ContextureException.invalid(
                    ErrorCode.INVALID_ARGUMENT,
                    SESSION,
                    "nothing",
                    "the header that the answer to initialize had"));
  }

  /** Who calls for which agent and user, as its key allows. */
  private static McpSessions.Holder holder(Call call) {
    checkOrigin(call);
    checkVersion(call);
    Grant grant = call.caller().grant();
    String boundAgent = grant.agent();
    String agent =
        call.agent(
            call.query("agent")
                .orElse(boundAgent == null ? McpSettings.DEFAULT_AGENT : boundAgent));
    McpSettings settings =
        McpSettings.of(agent)
            .withUser(MemoryView.one(call))
            .withProfiles(
                call.query("profile").map(McpProfile::parse).orElse(Set.of(McpProfile.MEMORY)))
            .withResultBytes(
                (int)
                    Math.min(
                        Integer.MAX_VALUE,
                        call.queryNumber(MAX_RESULT, McpSettings.LEAST_RESULT_BYTES)
                            .orElse(McpSettings.DEFAULT_RESULT_BYTES)));
    settings = grant.role().covers(KeyRole.WRITER) ? settings : settings.reading();
    settings =
        call.caller().isBound()
            ? settings.bound(grant.user() != null, boundAgent != null)
            : settings;
    return new McpSessions.Holder(call.caller().key(), call.scope(), settings);
  }

  /**
   * Refuses what a page of another site sends, also where it reads: no page has anything to do
   * here.
   */
  private static void checkOrigin(Call call) {
    String origin = call.http().header("Origin");
    String host = call.http().header("Host");
    if (origin != null && (host == null || !OriginGuard.isSame(origin, host))) {
      throw new ContextureException(
          ErrorCode.FORBIDDEN,
          "the request comes from a page of '" + origin + "', which may not call " + PATH,
          Map.of("field", "Origin"),
          null);
    }
  }

  private static void checkVersion(Call call) {
    String version = call.http().header(VERSION);
    if (version != null && !McpSession.VERSIONS.contains(version)) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT, VERSION, version, String.join(", ", McpSession.VERSIONS));
    }
  }

  @Override
  public void close() {
    sessions.close();
  }
}
