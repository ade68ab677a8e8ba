package dev.contexture.server;

import static dev.contexture.server.TestServer.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonText;
import dev.contexture.json.JsonValue;
import dev.contexture.server.TestServer.Got;
import dev.contexture.server.http.Route;
import dev.contexture.server.openapi.RouteDocs;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every route answers. */
public class ServerRoutesTest {
  private static final String A = "/v1/agents/atlas";

  /** Routes that this test sees refuse; other tests see them answer. */
  private static final Set<String> REFUSED_HERE =
      Set.of(
          "DELETE /v1/project",
          "GET /v1/audit",
          "GET " + Route.CONVERSATION + "/summaries/{summary}",
          "POST " + Route.CONVERSATION + "/summaries/{summary}/withdraw",
          "DELETE " + Route.AGENT + "/blocks/{label}",
          "POST " + Route.AGENT + "/blocks/restore",
          "POST " + Route.AGENT + "/consents/{id}");

  @TempDir Path directory;
  private TestServer served;
  private final Set<String> visited = new HashSet<>();

  @BeforeEach
  void start() {
    served = new TestServer(directory);
  }

  @AfterEach
  void stop() {
    served.close();
  }

  private Got call(String method, String path, @Nullable String body) {
    visited.add(method + " " + path);
    return served.send(method, path, body);
  }

  private Got ok(int status, String method, String path, @Nullable String body) {
    Got got = call(method, path, body);
    assertThat(got.status()).as(method + " " + path + ": " + got.text()).isEqualTo(status);
    return got;
  }

  @Test
  void everyRouteAnswers() throws Exception {
    assertThat(ok(200, "GET", "/", null).text()).contains("Contexture", "inspector/app.js");
    assertThat(ok(200, "GET", "/healthz", null).text())
        .isEqualTo(
            "{\"status\":\"ok\",\"reasons\":[],\"version\":\"test\",\"store\":\"sqlite\",\"index_lag\":0,\"erasing\":false,\"index\":\"lucene\"}");
    ok(200, "GET", "/readyz", null);
    assertThat(ok(200, "GET", "/metrics", null).text()).contains("contexture_http_requests");
    assertThat(ok(200, "POST", "/v1/reindex", "{}").json().has("entries")).isTrue();
    visitOpenTurn();
    visitRequests();
    assertThat(ok(200, "POST", C + "/compact", "{\"dry_run\":true}").json().has("status")).isTrue();
    visitClosedTurns();
    visitMemory();
    visitOthers();
    visitUsers();
    visitStreams();
    visitFiles();
    visitAdministration();
    assertThat(TestServer.erased(() -> call("DELETE", C, null)).status()).isEqualTo(204);
    assertThat(ok(404, "GET", C, null).code()).isEqualTo("not_found");
    visitErasing();
    assertThat(unvisited()).isEmpty();
    assertThat(unchecked()).isSubsetOf(REFUSED_HERE);
  }

  /** Routes with a typed answer of which none was held against its schema. */
  private List<String> unchecked() {
    return RouteDocs.read().values().stream()
        .filter(
            docs -> docs.answers().stream().anyMatch(a -> a.status() < 202 && !a.type().isEmpty()))
        .map(RouteDocs::title)
        .filter(title -> !served.declared().checked().contains(title))
        .toList();
  }

  private void visitOpenTurn() {
    Got started =
        ok(
            201,
            "POST",
            C + "/turns",
            "{\"prompt\":\"Hi\",\"turn_id\":\"t1\",\"agent\":\"atlas\",\"ts\":\"2026-01-01T00:00:00Z\","
                + "\"parent\":{\"conversation\":\"c0\",\"turn\":\"t0\",\"tool_call_id\":\"tc_1\"},"
                + "\"attachments\":[{\"name\":\"a.txt\",\"mime\":\"text/plain\",\"text\":\"A\","
                + "\"summary\":\"letter\"}]}");
    assertThat(started.json().keys())
        .containsExactly("turn_id", "version", "blocks", "new_conversation", "omitted_turns");
    assertThat(started.json().isTrue("new_conversation")).isTrue();
    Got added =
        ok(
            201,
            "POST",
            C + "/blocks",
            "{\"blocks\":[{\"type\":\"react.note\",\"text\":\"note\",\"path\":\"ar:t1.n\",\"x\":1}],"
                + "\"expected_version\":1}");
    assertThat(added.text()).isEqualTo("{\"version\":2,\"seqs\":[5]}");
    assertThat(
            ok(201, "POST", C + "/blocks", "{\"blocks\":[{\"text\":\"now\"}],\"persist\":false}")
                .text())
        .isEqualTo("{\"version\":3,\"seqs\":[null]}");
    ok(200, "PUT", C + "/announce", "{\"blocks\":[{\"text\":\"soon\"}]}");
    assertThat(ok(200, "POST", C + "/render", "{\"include_announce\":true}").text())
        .contains("soon", "\"version\":4", "\"compaction\":null");
    ok(200, "DELETE", C + "/announce", null);
    assertThat(ok(200, "POST", C + "/render", "").text()).doesNotContain("soon");
    ok(
        200,
        "PUT",
        C + "/sources",
        "{\"sources\":[{\"title\":\"S\",\"url\":\"http://a.no/x\",\"k\":1}]}");
    Got merged =
        ok(
            200,
            "POST",
            C + "/sources",
            "{\"sources\":[{\"title\":\"Longer\",\"url\":\"http://a.no/x\"}]}");
    assertThat(merged.text())
        .isEqualTo(ok(200, "GET", C + "/sources", null).text())
        .contains("\"sid\":1", "Longer", "\"k\":1");
    visitBesides();
  }

  private void visitBesides() {
    Got hidden = ok(200, "POST", C + "/hide", "{\"path\":\"ar:t1.n\",\"replacement\":\"gone\"}");
    assertThat(hidden.string("status")).isEqualTo("ok");
    assertThat(ok(200, "GET", C + "/context?limit=2&days=9", null).text())
        .contains("\"history_blocks\":[", "\"current_turn_blocks\":[");
    assertThat(ok(200, "GET", C + "/timeline?from_seq=5&limit=1", null).text())
        .contains("\"hidden\":true", "\"replacement_text\":\"gone\"", "\"seq\":5");
    assertThat(ok(200, "POST", C + "/unhide", "{\"path\":\"ar:t1.n\"}").text())
        .isEqualTo("{\"status\":\"ok\",\"blocks_unhidden\":1}");
    assertThat(ok(200, "GET", C + "/timeline?visible=true", null).text())
        .contains("\"persist\":false");
    assertThat(ok(200, "POST", C + "/pins", "{\"path\":\"ar:t1.n\"}").json().keys())
        .containsExactly("path", "tokens", "pinned_at");
    assertThat(ok(200, "GET", C + "/pins", null).text()).contains("\"path\":\"ar:t1.n\"");
    assertThat(ok(200, "DELETE", C + "/pins?path=ar:t1.n", null).text())
        .isEqualTo("{\"removed\":true}");
    Got artifact = ok(200, "GET", C + "/artifact?path=ar:t1.n", null);
    assertThat(artifact.json().keys())
        .containsExactly("path", "mime", "kind", "text", "ts", "meta", "versions");
    assertThat(served.get(C + "/artifact?path=ar:t1.zz").code()).isEqualTo("not_found");
    ok(
        201,
        "POST",
        C + "/clarification",
        "{\"questions\":[\"a?\",\"b?\"],\"ticket\":{\"title\":\"T\"}}");
    ok(
        201,
        "POST",
        C + "/clarification_resolution",
        "{\"ticket\":{\"ticket_id\":\"7\",\"title\":\"T\"},\"resolved_with_answer\":\"yes\"}");
    assertThat(served.post(C + "/render", "{}").text())
        .contains("questions: a? | b?", "ticket_status: open", "resolved_with_answer: yes");
    assertThat(
            ok(
                    201,
                    "POST",
                    C + "/feedback",
                    "{\"target_turn_id\":\"t1\",\"origin\":\"user\",\"reaction\":\"ok\",\"text\":\"fine\"}")
                .json()
                .keys())
        .containsExactly("version");
  }

  private void visitRequests() {
    Got request =
        ok(
            200,
            "POST",
            C + "/request",
            "{\"provider\":\"anthropic\",\"model\":\"claude-opus-5\",\"base_instructions\":\"Be"
                + " brief.\","
                + "\"max_output_tokens\":100,\"agent\":\"atlas\",\"include_sources\":true}");
    assertThat(request.json().keys())
        .containsExactly("request_id", "request", "metadata", "path", "headers");
    String id = request.string("request_id");
    assertThat(ok(200, "POST", C + "/epoch", null).text()).startsWith("{\"agents\":[\"atlas\"]");
    assertThat(ok(200, "GET", C + "/requests?limit=1", null).text()).contains(id);
    assertThat(ok(200, "GET", C + "/requests/" + id, null).string("turn_id")).isEqualTo("t1");
    String body = JsonText.member(request.text(), "request").orElseThrow();
    assertThat(JsonText.member(served.get(C + "/requests/" + id).text(), "request"))
        .as("the body again, byte for byte (P-50)")
        .contains(body);
    Got diff = ok(200, "GET", C + "/requests/" + id + "?diff=previous", null);
    assertThat(diff.json().object("diff").orElseThrow().keys())
        .containsExactly("prefix", "shared_blocks", "shared_tokens", "removed", "added");
    Got simulated =
        ok(
            200,
            "POST",
            "/v1/simulate",
            "{\"provider\":\"anthropic\",\"model\":\"claude-opus-5\",\"requests\":["
                + body
                + ","
                + body
                + "],\"gaps_seconds\":[10]}");
    assertThat(simulated.json().keys()).contains("requests", "total");
    assertThat(ok(200, "GET", "/v1/models", null).text()).contains("claude-opus-5");
    assertThat(served.get(C + "/requests/" + id + "?diff=next").code())
        .isEqualTo("invalid_argument");
    assertThat(served.get(C + "/requests/none").code()).isEqualTo("not_found");
    String why = C + "/requests/" + id + "/why";
    assertThat(ok(200, "GET", why, null).json().has("parts")).isTrue();
    assertThat(ok(200, "GET", why + "?path=ar:t1.n", null).string("status")).isEqualTo("sent");
    assertThat(ok(200, "GET", C + "/simulation?what_if=ttl=1h", null).text()).contains(id);
    Got answer =
        ok(
            201,
            "POST",
            C + "/responses",
            "{\"provider\":\"anthropic\",\"model\":\"claude-opus-5\",\"request_id\":\""
                + id
                + "\",\"response\":"
                + ServerAgentTurnTest.golden("anthropic-answer.json")
                + "}");
    assertThat(answer.json().keys())
        .containsExactly("version", "text", "calls", "stop", "usage", "outcome", "done");
    ok(
        201,
        "POST",
        C + "/results",
        "{\"tool_call_id\":\"tc_toolu_01A\",\"content\":[{\"type\":\"text\",\"text\":\"4\"},"
            + "{\"type\":\"image\",\"media_type\":\"image/png\",\"data\":\"iVBORw0KGgo=\"}]}");
    ok(201, "POST", C + "/results", "{\"tool_call_id\":\"tc_toolu_01B\",\"content\":{\"h\":1}}");
    assertThat(served.post(C + "/results", "{\"tool_call_id\":\"tc_x\",\"content\":\"\"}").code())
        .isEqualTo("unknown_call");
    Got step =
        ok(
            200,
            "POST",
            C + "/step",
            "{\"request\":{\"provider\":\"anthropic\",\"model\":\"claude-opus-5\"}}");
    assertThat(step.json().keys()).startsWith("turn_id", "version", "request_id", "request");
    assertThat(
            ok(200, "POST", C + "/tools/react.read", "{\"params\":{\"paths\":[\"ar:t1.n\"]}}")
                .text())
        .contains("exists_in_visible_context");
    assertThat(
            ok(
                    200,
                    "POST",
                    C + "/rules/check",
                    "{\"tool_rules\":[{\"type\":\"max_calls\",\"tool\":\"react.read\",\"n\":1}],"
                        + "\"call\":{\"tool\":\"react.read\",\"arguments\":{}}}")
                .string("decision"))
        .isEqualTo("violated");
  }

  private void visitClosedTurns() {
    Got finished =
        ok(
            200,
            "POST",
            C + "/turns/t1/finish",
            "{\"completion\":\"Done.\",\"sources_used\":[1],\"suggested_followups\":[\"More?\"],"
                + "\"state\":{\"k\":1},\"exit_reason\":\"end\"}");
    assertThat(finished.json().keys()).containsExactly("turn_id", "status", "version");
    ok(201, "POST", C + "/turns", "{\"prompt\":\"again\",\"turn_id\":\"t2\"}");
    assertThat(ok(200, "POST", C + "/turns/t2/interrupt", "{\"reason\":\"user\"}").string("status"))
        .isEqualTo("interrupted");
    ok(201, "POST", C + "/turns", "{\"prompt\":\"again\",\"turn_id\":\"t3\"}");
    assertThat(ok(200, "POST", C + "/turns/t3/abort", "{\"reason\":\"user\"}").string("status"))
        .isEqualTo("aborted");
    Got page = ok(200, "GET", C + "/turns?limit=2", null);
    assertThat(page.string("next_cursor")).isEqualTo("t2");
    assertThat(served.get(C + "/turns?cursor=t2").text()).contains("\"t3\"", "\"reason\":\"user\"");
    JsonObject log = ok(200, "GET", C + "/turns/t1", null).json();
    assertThat(log.keys()).contains("turn_id", "status", "agent", "started_at", "ended_at");
    assertThat(log.object("parent").orElseThrow().string("conversation")).contains("c0");
    assertThat(log.array("blocks").orElseThrow().items()).hasSizeGreaterThan(8);
    ok(204, "DELETE", C + "/turns/t2", null);
    assertThat(served.get(C + "/turns/t2").code()).isEqualTo("not_found");
    assertThat(ok(200, "GET", C + "/summaries", null).text())
        .isEqualTo("{\"summaries\":[],\"next_cursor\":null}");
    assertThat(ok(404, "GET", C + "/summaries/su_1", null).code()).isEqualTo("not_found");
    assertThat(ok(404, "POST", C + "/summaries/su_1/withdraw", null).code()).isEqualTo("not_found");
    assertThat(ok(200, "PATCH", C, "{\"title\":\"Weather\"}").string("title")).isEqualTo("Weather");
    JsonObject one = ok(200, "GET", C, null).json();
    assertThat(one.keys()).contains("open_turn", "summaries", "tokens", "title", "version");
    assertThat(ok(200, "GET", "/v1/users/u1/conversations", null).text())
        .contains("\"title\":\"Weather\"", "\"agent\":\"atlas\"", "\"next_cursor\":null");
  }

  private void visitMemory() {
    ok(200, "PUT", A, "{\"name\":\"Atlas\"}");
    assertThat(ok(200, "GET", A, null).string("name")).isEqualTo("Atlas");
    assertThat(ok(200, "GET", "/v1/agents?limit=10", null).text()).contains("\"atlas\"");
    ok(
        201,
        "POST",
        A + "/blocks",
        "{\"label\":\"notes\",\"block_type\":\"core\",\"permission\":\"admin\",\"content\":\"walrus\"}");
    String notes = A + "/blocks/notes";
    assertThat(ok(200, "GET", A + "/blocks?type=core", null).text()).contains("notes");
    assertThat(ok(200, "GET", notes, null).string("rendered")).isEqualTo("walrus");
    ok(200, "PATCH", notes, "{\"description\":\"what to know\"}");
    ok(200, "POST", notes + "/ops", "{\"ops\":[{\"op\":\"append_text\",\"text\":\"!\"}]}");
    assertThat(ok(200, "POST", notes + "/undo", "{}").json().isTrue("done")).isTrue();
    assertThat(ok(200, "POST", notes + "/redo", "{}").json().isTrue("done")).isTrue();
    assertThat(ok(200, "GET", notes + "/history?limit=1", null).text()).contains("\"versions\":[{");
    ok(200, "PUT", "/v1/agents/hermes", "{}");
    ok(200, "PUT", "/v1/agents/hermes", "{}");
    ok(200, "POST", notes + "/shares", "{\"agent\":\"hermes\",\"permission\":\"read_only\"}");
    assertThat(ok(200, "GET", notes + "/shares", null).text()).contains("hermes");
    assertThat(ok(200, "GET", "/v1/agents/hermes/shared", null).text()).contains("notes");
    ok(204, "DELETE", notes + "/shares/hermes", null);
    String entry = ok(201, "POST", A + "/archival", "{\"content\":\"walrus\"}").string("id");
    assertThat(ok(200, "GET", A + "/archival", null).text()).contains(entry);
    assertThat(ok(200, "GET", A + "/archival/" + entry, null).string("content"))
        .isEqualTo("walrus");
    assertThat(ok(200, "GET", A + "/users", null).text()).isEqualTo("{\"users\":[]}");
    ok(200, "POST", A + "/move", "{\"entries\":[\"" + entry + "\"],\"dry_run\":true,\"to\":\"u\"}");
    ok(200, "PUT", A + "/template", "{\"label\":\"profile\"}");
    assertThat(ok(200, "GET", A + "/template", null).string("label")).isEqualTo("profile");
    ok(204, "DELETE", A + "/template", null);
    assertThat(ok(200, "GET", A + "/consents", null).text()).isEqualTo("{\"consents\":[]}");
    assertThat(call("POST", A + "/consents/none", "{\"decision\":\"deny\"}").status())
        .isIn(403, 404);
    assertThat(ok(200, "GET", A + "/prompt", null).text()).contains("walrus");
    assertThat(ok(200, "GET", A + "/tools", null).text()).contains("block_edit");
    assertThat(ok(200, "POST", A + "/tools/search", "{\"params\":{\"query\":\"walrus\"}}").text())
        .contains("\"success\":true");
    for (String search : List.of(A + "/search", "/v1/search")) {
      assertThat(ok(200, "POST", search, "{\"query\":\"walrus\"}").text()).contains("archival");
    }
    ok(200, "POST", "/v1/users/u1/search", "{\"query\":\"walrus\"}");
    ok(204, "DELETE", A + "/archival/" + entry, null);
    String id = ok(200, "GET", notes, null).string("id");
    ok(204, "DELETE", notes, null);
    assertThat(ok(200, "GET", A + "/blocks?deleted=true", null).text()).contains(id);
    assertThat(ok(403, "POST", A + "/blocks/restore", "{\"id\":\"" + id + "\"}").code())
        .isEqualTo("access_denied");
  }

  private void visitErasing() {
    assertThat(ok(200, "DELETE", A, null).text()).contains("\"memory_blocks\":1");
    assertThat(ok(200, "DELETE", "/v1/users/u1", null).text()).contains("\"conversations\":");
    assertThat(ok(400, "DELETE", "/v1/project", null).string("field")).isEqualTo("X-Confirm");
  }

  private void visitAdministration() {
    assertThat(ok(200, "GET", "/v1/choices", null).json().has("block_type")).isTrue();
    for (String found : List.of(A, "/v1/users/u1", "/v1")) {
      assertThat(ok(200, "GET", found + "/search?query=note&limit=1", null).json().has("hits"))
          .isTrue();
    }
    assertThat(ok(404, "GET", "/v1/audit", null).text()).contains("serve --audit");
    assertThat(
            ok(200, "POST", "/v1/retention", "{\"rules\":\"requests=9\",\"dry_run\":true}").text())
        .contains("\"conversations\":[]");
    String session =
        ok(200, "POST", "/mcp", ServerMcpTest.OPEN)
            .raw()
            .headers()
            .firstValue("Mcp-Session-Id")
            .orElseThrow();
    ok(400, "GET", "/mcp", null); // it does not say which session
    visited.add("DELETE /mcp");
    assertThat(served.send("DELETE", "/mcp", null, "Mcp-Session-Id", session).status())
        .isEqualTo(204);
  }

  private void visitFiles() {
    assertThat(ok(200, "GET", C + "/export", null).text()).startsWith("{\"line\":{\"type\":");
    assertThat(ok(200, "GET", "/v1/users/u1/export?format=markdown", null).text())
        .contains("**User**");
    String archive = ok(200, "GET", A + "/export", null).text();
    String file = JsonObject.of("file", JsonValue.of(archive)).toJson();
    assertThat(ok(201, "POST", A + "/import", file).string("format")).isEqualTo("archive");
    String chat = "{\"file\":\"[{\\\"role\\\":\\\"user\\\",\\\"content\\\":\\\"hi\\\"}]\"";
    assertThat(ok(200, "POST", "/v1/users/u1/import", chat + ",\"dry_run\":true}").text())
        .contains("\"conversation_id\":\"chat\"", "\"format\":\"openai\"", "\"turns\":1");
  }

  private void visitOthers() {
    assertThat(ok(200, "GET", "/api", null).text()).contains("POST <wbr>/v1<wbr>/search");
    assertThat(ok(200, "GET", "/openapi.json", null).json().string("openapi")).contains("3.1.0");
    assertThat(
            ok(
                    201,
                    "POST",
                    "/v1/users/u1/conversations/c9/import",
                    "{\"format\":\"openai\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}")
                .number("turns"))
        .isEqualTo(1);
    assertThat(
            ok(
                    200,
                    "POST",
                    "/v1/validate",
                    "{\"provider\":\"anthropic\",\"model\":\"claude-opus-5\",\"request\":{}}")
                .json()
                .isTrue("valid"))
        .isFalse();
  }

  private void visitUsers() {
    assertThat(ok(200, "GET", "/v1/caller", null).text())
        .isEqualTo(
            "{\"role\":\"admin\",\"tenant\":\"local\",\"project\":\"local\",\"user\":null,\"agent\":null,\"key\":null}");
    assertThat(ok(200, "GET", "/v1/users?limit=1", null).text())
        .startsWith("{\"users\":[{\"user\":\"u1\",\"conversations\":2,");
    assertThat(ok(200, "GET", C + "/usage", null).number("requests")).isPositive();
  }

  private void visitStreams() throws Exception {
    visited.add("GET /v1/events");
    try (Raw raw = new Raw(served)) {
      raw.say(Raw.get("/v1/events", "localhost"));
      assertThat(raw.until(": changes of local")).contains("text/event-stream");
      served.send("PATCH", C, "{\"title\":\"Told\"}");
      assertThat(raw.until("}}"))
          .contains("event: change", "\"user\":\"u1\",\"conversation\":\"c1\"", "title")
          .doesNotContain("Told");
    }
    for (String path : List.of(C + "/events?after=0", A + "/events")) {
      visited.add("GET " + path);
      try (Raw raw = new Raw(served)) {
        raw.say(Raw.get(path, "localhost"));
        assertThat(raw.until("\nevent: "))
            .startsWith("HTTP/1.1 200")
            .contains("text/event-stream", "\nid: ");
      }
    }
  }

  /** Routes that no call above matches. */
  private List<String> unvisited() {
    return served.server().routes().stream()
        .filter(route -> visited.stream().noneMatch(call -> matches(route, call)))
        .map(Route::title)
        .toList();
  }

  private static boolean matches(Route route, String call) {
    String pattern = route.path().replaceAll("\\{[a-z]+}", "[^/]+");
    return Pattern.matches(route.method() + " " + pattern + "(\\?.*)?", call);
  }

  public static String filled(String path) {
    return path.replace("{user}", "u1")
        .replace("{conversation}", "c1")
        .replaceAll("\\{[a-z]+}", "x1");
  }

  @Test
  void listsConversationsPageByPage() {
    for (int i = 0; i < 5; i++) {
      served.post("/v1/users/u1/conversations/k" + i + "/turns", "{\"prompt\":\"p\"}");
    }
    Set<String> seen = new HashSet<>();
    String cursor = "";
    do {
      Got page = served.get("/v1/users/u1/conversations?limit=2" + cursor);
      ((JsonArray) page.json().find("conversations").orElseThrow())
          .items()
          .forEach(row -> seen.add(((JsonObject) row).string("conversation_id").orElseThrow()));
      cursor = page.json().string("next_cursor").map(next -> "&cursor=" + next).orElse("");
    } while (!cursor.isEmpty());
    assertThat(seen).containsExactlyInAnyOrder("k0", "k1", "k2", "k3", "k4");
    assertThat(served.get("/v1/users/u1/conversations?cursor=zzz").code())
        .isEqualTo("invalid_argument");
    assertThat(served.get("/v1/users/u2/conversations").text())
        .isEqualTo("{\"conversations\":[],\"next_cursor\":null}");
  }
}
