package dev.contexture.server;

import static dev.contexture.server.TestServer.C;
import static dev.contexture.server.TestServer.MISSING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.json.JsonValue;
import dev.contexture.server.TestServer.Got;
import dev.contexture.server.http.Route;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every route refuses in the same shape. */
class RouteRefusalTest {
  /** Routes that do not need a conversation, and those that say that no turn is open. */
  private static final Set<String> WITHOUT_CONVERSATION =
      Set.of(
          "GET /",
          "GET /healthz",
          "GET /readyz",
          "GET /metrics",
          "GET /v1/caller",
          "GET /v1/users",
          "GET /v1/events",
          "GET /v1/users/{user}/conversations");

  private static final Set<String> WITHOUT_TURN =
      Set.of(
          "/blocks",
          "/announce",
          "/request",
          "/responses",
          "/results",
          "/step",
          "/rules/check",
          "/clarification",
          "/clarification_resolution");

  private static final Set<String> MAKING =
      Set.of("POST /turns", "PUT /sources", "POST /sources", "POST /import");

  @TempDir Path directory;
  private TestServer served;

  @BeforeEach
  void start() {
    served = new TestServer(directory);
  }

  @AfterEach
  void stop() {
    served.close();
  }

  /** In a terminal the next prompt, or the next answer, begins a line. */
  @Test
  void answersOfJsonEndTheirLine() {
    for (String path : List.of("/healthz", "/v1/models", "/openapi.json", MISSING)) {
      assertThat(served.get(path).raw().body()).as(path).startsWith("{").endsWith("}\n");
    }
    assertThat(served.get("/").raw().body()).startsWith("<");
    assertThat(served.get(MISSING).string("detail")).startsWith("no conversation 'nobody'; ");
  }

  private static final Set<String> ERASING =
      Set.of(
          "DELETE /v1/users/{user}/conversations/{conversation}",
          "DELETE /v1/users/{user}/conversations/{conversation}/turns/{turn}");

  @Test
  void everyRouteRefusesInTheSameShape() {
    for (Route route : served.server().routes()) {
      String path = ServerRoutesTest.filled(route.path());
      if (takesBody(route)) {
        assertProblem(send(route, path, "{"), 400, "malformed_json");
        assertProblem(send(route, path, "[]"), 400, "field_type");
        assertProblem(send(route, path, "{\"frobnicate\":1}"), 400, "unknown_field");
        assertProblem(send(route, path, "{\"a\":\"\\uD800\"}"), 400, null);
      }
      assertProblem(send(route, path + "?frobnicate=1", null), 400, "unknown_field");
      if (needsConversation(route)) {
        if (ERASING.contains(route.title())) { // what is gone already is no failure (H-8)
          String gone = path.replace(C, MISSING);
          assertThat(TestServer.erased(() -> send(route, gone, null)).status()).isEqualTo(204);
        } else {
          assertProblem(send(route, path.replace(C, MISSING), good(route)), 404, "not_found");
        }
        assertProblem(send(route, path.replace("/c1", "/%20"), good(route)), 400, null);
      } else if (WITHOUT_TURN.contains(path.substring(Math.min(C.length(), path.length())))) {
        assertProblem(send(route, path, good(route)), 409, "no_active_turn");
      }
    }
  }

  private Got send(Route route, String path, @Nullable String body) {
    return served.send(route.method().name(), path, body);
  }

  private static boolean takesBody(Route route) {
    return Set.of(Route.Method.POST, Route.Method.PUT, Route.Method.PATCH).contains(route.method());
  }

  private static boolean needsConversation(Route route) {
    if (WITHOUT_CONVERSATION.contains(route.title())) {
      return false;
    }
    String path = ServerRoutesTest.filled(route.path());
    if (!path.startsWith(C)) {
      return false;
    }
    String tail = path.substring(C.length());
    return !WITHOUT_TURN.contains(tail) && !MAKING.contains(route.method() + " " + tail);
  }

  /** A body that a route takes, so that it gets as far as looking for the conversation. */
  private static String good(Route route) {
    String path = route.path();
    String name = path.substring(path.lastIndexOf('/') + 1);
    return switch (name) {
      case "interrupt", "abort" -> "{\"reason\":\"r\"}";
      case "hide", "unhide", "pins" -> "{\"path\":\"ar:t1.n\"}";
      case "feedback" -> "{\"target_turn_id\":\"t1\",\"origin\":\"user\"}";
      case "{conversation}" -> "{\"title\":\"t\"}";
      case "blocks" -> "{\"blocks\":[{\"text\":\"x\"}]}";
      case "announce" -> "{\"blocks\":[]}";
      case "step" -> "{\"finish\":{}}";
      case "request" -> "{\"provider\":\"anthropic\",\"model\":\"claude-opus-5\"}";
      case "responses" ->
          "{\"provider\":\"anthropic\",\"model\":\"claude-opus-5\",\"response\":{}}";
      case "results" -> "{\"tool_call_id\":\"tc_1\",\"content\":\"x\"}";
      case "check" -> "{\"tool_rules\":[],\"call\":{\"tool\":\"t\"}}";
      case "clarification" -> "{\"questions\":[\"a\"]}";
      case "clarification_resolution" ->
          "{\"ticket\":{\"ticket_id\":\"1\"},\"resolved_with_answer\":\"a\"}";
      default -> "{}";
    };
  }

  private static void assertProblem(Got got, int status, @Nullable String code) {
    String what = got.raw().request().method() + " " + got.raw().uri() + ": " + got.text();
    assertThat(got.status()).as(what).isEqualTo(status);
    assertThat(got.contentType()).as(what).isEqualTo("application/problem+json");
    assertThat(got.json().keys()).as(what).contains("type", "title", "status", "code", "detail");
    assertThat(got.json().find("status")).contains(JsonValue.of(status));
    assertThat(got.text()).doesNotContain("Exception", "\\tat ");
    if (code != null) {
      assertThat(got.code()).as(what).isEqualTo(code);
    }
  }
}
