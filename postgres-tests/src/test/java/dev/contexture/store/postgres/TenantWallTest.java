package dev.contexture.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.block.Scope;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.seeds.TestSeed;
import dev.contexture.server.keys.Grant;
import dev.contexture.server.keys.KeyFile;
import dev.contexture.server.keys.KeyRole;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A tenant calls every route with the ids of another one's things. */
@Timeout(600)
class TenantWallTest {
  private static final String SECRET = "walrus";

  /** What is sought stands beside it, since answers repeat what was asked. */
  private static final String TEXT = SECRET + " narwhal";

  private static final String C = "/v1/users/ann/conversations/c1";
  private static final String A = "/v1/agents/atlas";
  private static final List<String> METHODS = List.of("get", "put", "post", "patch", "delete");

  /** What routes need to come as far as the data, where the documented example is of other ids. */
  private static final Map<String, String> BODIES =
      Map.ofEntries(
          Map.entry("/turns", "{\"turn_id\":\"t9\",\"prompt\":\"x\",\"supersede\":\"abort\"}"),
          Map.entry("/hide", "{\"path\":\"ar:t1.n\",\"replacement\":\"gone\"}"),
          Map.entry("/unhide", "{\"path\":\"ar:t1.n\"}"),
          Map.entry("/pins", "{\"path\":\"ar:t1.n\"}"),
          Map.entry(
              "/feedback", "{\"target_turn_id\":\"t1\",\"origin\":\"user\",\"reaction\":\"ok\"}"),
          Map.entry("/request", "{\"provider\":\"anthropic\",\"model\":\"claude-opus-5\"}"),
          Map.entry("/compact", "{\"force\":true}"),
          Map.entry("/finish", "{\"completion\":\"done\"}"),
          Map.entry("c1/blocks", "{\"blocks\":[{\"type\":\"react.note\",\"text\":\"x\"}]}"),
          Map.entry("/ops", "{\"ops\":[{\"op\":\"append_text\",\"text\":\"x\"}]}"),
          Map.entry("/undo", "{}"),
          Map.entry("/redo", "{}"),
          Map.entry("/shares", "{\"agent\":\"hermes\",\"permission\":\"admin\"}"),
          Map.entry("/move", "{\"to\":\"eve\",\"labels\":[\"notes\"]}"),
          Map.entry("/restore", "{\"id\":\"ID\"}"),
          Map.entry("/search", "{\"query\":\"narwhal\"}"),
          Map.entry("/tools/react.read", "{\"params\":{\"paths\":[\"ar:t1.n\"]}}"),
          Map.entry("/tools/memory_read", "{\"params\":{\"label\":\"notes\"}}"),
          Map.entry("/retention", "{\"rules\":\"conversations=1d\"}"));

  /** Operations whose example is of a session that is not here: they refuse the body itself. */
  private static final Set<String> REFUSED =
      Set.of("post " + C + "/responses", "post " + C + "/results", "post " + C + "/step");

  @TempDir Path directory;
  private ServedNode node;
  private String acme;
  private String other;
  private String archive = "";
  private Map<String, String> examples = Map.of();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private Future<?> writing = CompletableFuture.completedFuture(true);

  private HttpResponse<String> as(String key, String method, String path, @Nullable String body)
      throws IOException {
    return node.send(
        method,
        path,
        body,
        "Authorization",
        "Bearer " + key,
        "X-Confirm",
        "shop",
        "X-Actor",
        "human:eve");
  }

  private JsonObject fill(String method, String path, @Nullable String body) throws IOException {
    HttpResponse<String> answer = as(acme, method, path, body);
    assertThat(answer.statusCode()).as(path + ": " + answer.body()).isBetween(200, 299);
    return (JsonObject) JsonValue.parse(answer.body());
  }

  @BeforeEach
  void start() throws Exception {
    KeyFile keys = new KeyFile(directory.resolve("keys.json"));
    acme = key(keys, "acme");
    other = key(keys, "other");
    PostgresSettings database = PostgresServer.newest().empty("wall");
    node =
        new ServedNode(
            directory.resolve("data"),
            database,
            "--keys",
            keys.path().toString(),
            "--consent-timeout",
            "300");
  }

  @AfterEach
  void stop() {
    node.close();
    threads.close();
  }

  @Test
  void everyRouteShowsNothingOfAnotherTenant() throws Exception {
    Map<String, String> ids = things();
    examples = examples(ids);
    JsonObject file = JsonObject.builder().put("file", archive).build();
    examples.put("post " + A + "/import", file.toJson());
    Map<String, String> before = seen();
    int visited = 0;
    List<String> streams = new ArrayList<>();
    for (Map.Entry<String, List<String>> route : routes().entrySet()) {
      String path = path(route.getKey(), ids);
      for (String method : route.getValue()) {
        if (method.equals("get") && (path.endsWith("/events") || path.equals("/mcp"))) {
          streams.add(path);
        } else {
          visit(method, path, ids);
        }
        visited++;
      }
    }
    assertThat(visited).isGreaterThan(100);
    assertThat(seen()).isEqualTo(before);
    assertRowsAreHidden();
    for (String path : streams) {
      assertSilent(path);
    }
    assertBodiesAreTaken(ids);
    writing.get(); // the decision was the owner's
  }

  /** The control: what the other tenant sent is no body that is refused before the data. */
  private void assertBodiesAreTaken(Map<String, String> ids) throws IOException {
    List<String> refused = new ArrayList<>();
    int taken = 0;
    List<Map.Entry<String, String>> calls = new ArrayList<>();
    for (Map.Entry<String, List<String>> route : routes().entrySet()) {
      for (String method : route.getValue()) {
        if (!method.equals("get") && !method.equals("delete") && !route.getKey().equals("/mcp")) {
          calls.add(Map.entry(method, path(route.getKey(), ids)));
        }
      }
    }
    for (Map.Entry<String, String> call : calls) {
      String name = call.getKey() + " " + call.getValue();
      String body = body(call.getValue(), call.getKey(), ids);
      HttpResponse<String> answer =
          as(acme, call.getKey().toUpperCase(Locale.ROOT), call.getValue(), body);
      assertThat(answer.statusCode()).as(name + answer.body()).isNotIn(401, 403, 500, 503);
      taken += answer.statusCode() / 100 == 2 ? 1 : 0;
      if (answer.statusCode() == 400 && !REFUSED.contains(name)) {
        refused.add(name + " " + body + ": " + answer.body());
      }
    }
    assertThat(refused).isEmpty();
    assertThat(taken).isGreaterThan(30);
  }

  /**
   * Below the server: a role without a tenant, or with another one, is shown no row of any table.
   */
  private void assertRowsAreHidden() throws SQLException {
    PostgresServer server = PostgresServer.newest();
    String tables =
        "SELECT DISTINCT table_name FROM information_schema.columns WHERE table_schema = 'public'"
            + " AND column_name = 'tenant'";
    List<String> filled = new ArrayList<>();
    try (Connection connection = server.connect("wall", PostgresServer.ROLE);
        Statement statement = connection.createStatement()) {
      for (String table : server.query("wall", "postgres", tables)) {
        String count = "SELECT count(*) FROM " + table;
        if (!server.query("wall", "postgres", count).equals(List.of("0"))) {
          filled.add(table);
        }
        for (String tenant : List.of("", "nobody")) {
          statement.execute("SELECT set_config('contexture.tenant', '" + tenant + "', false)");
          assertThat(server.one(statement, count)).as(table).isEqualTo("0");
        }
      }
    }
    assertThat(filled)
        .contains(
            "conversations",
            "turns",
            "blocks",
            "summaries",
            "requests",
            "outbox",
            "agents",
            "memory_blocks",
            "memory_updates",
            "memory_shares",
            "archival",
            "consents",
            "memory_events")
        .hasSizeGreaterThan(18);
    rowsStayOfTheirTenant(server);
  }

  private static void rowsStayOfTheirTenant(PostgresServer server) throws SQLException {
    try (Connection connection = server.connect("wall", PostgresServer.ROLE);
        Statement statement = connection.createStatement()) {
      statement.execute("SELECT set_config('contexture.tenant', 'acme', false)");
      assertThat(server.one(statement, "SELECT count(*) FROM conversations")).isEqualTo("1");
      assertThatThrownBy(() -> statement.execute("UPDATE turns SET tenant = 'other'"))
          .hasMessageContaining("row-level security");
    }
  }

  /** A write of an agent that waits for its partner, for as long as the test takes. */
  private String consent() throws Exception {
    fill("PUT", A, "{\"partner\":\"human:eve\"}");
    String gated = "{\"label\":\"gated\",\"block_type\":\"working\",\"permission\":\"human\",";
    fill("POST", A + "/blocks", gated + "\"content\":\"x\"}");
    String op = "{\"ops\":[{\"op\":\"append_text\",\"text\":\"" + SECRET + "\"}]}";
    writing =
        threads.submit(
            () ->
                node.send(
                    "POST",
                    A + "/blocks/gated/ops",
                    op,
                    "Authorization",
                    "Bearer " + acme,
                    "X-Actor",
                    "agent:atlas"));
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (true) {
      List<JsonValue> open =
          fill("GET", A + "/consents", null).array("consents").orElseThrow().items();
      if (!open.isEmpty()) {
        return ((JsonObject) open.getFirst()).string("id").orElseThrow();
      }
      assertThat(System.nanoTime()).as("a consent is asked for").isLessThan(end);
      Thread.sleep(50);
    }
  }

  private static String key(KeyFile file, String tenant) {
    Grant grant = Grant.of(Scope.of(tenant, "shop"), KeyRole.ADMIN);
    return file.add(grant, TestSeed.random(tenant.hashCode()), Instant.EPOCH).key();
  }

  /** Makes one of everything that has an id. */
  private Map<String, String> things() throws Exception {
    fill("PUT", A, "{}");
    archive = as(acme, "GET", A + "/export", null).body(); // while there is nothing to be found
    fill("PUT", A, "{\"name\":\"" + TEXT + "\"}");
    fill("PUT", "/v1/agents/hermes", "{}");
    String block = "{\"label\":\"notes\",\"block_type\":\"core\",\"permission\":\"admin\",";
    fill("POST", A + "/blocks", block + "\"content\":\"" + TEXT + "\"}");
    String share = "{\"agent\":\"hermes\",\"permission\":\"read_only\"}";
    fill("POST", A + "/blocks/notes/shares", share);
    String entry = "{\"content\":\"" + TEXT + "\"}";
    String id = fill("POST", A + "/archival", entry).string("id").orElseThrow();
    for (int i = 0; i < 4; i++) {
      String turn = "{\"turn_id\":\"t" + i + "\",\"agent\":\"atlas\",\"prompt\":\"" + TEXT + "\"}";
      fill("POST", C + "/turns", turn);
      String note =
          "{\"type\":\"react.note\",\"text\":\"" + TEXT + "\",\"path\":\"ar:t" + i + ".n\"}";
      fill("POST", C + "/blocks", "{\"blocks\":[" + note + "]}");
      if (i < 3) {
        fill("POST", C + "/turns/t" + i + "/finish", "{\"completion\":\"" + TEXT + "\"}");
      }
    }
    fill("PATCH", C, "{\"title\":\"" + TEXT + "\"}");
    String ask = "{\"provider\":\"anthropic\",\"model\":\"claude-opus-5\",\"agent\":\"atlas\"}";
    String request = fill("POST", C + "/request", ask).string("request_id").orElseThrow();
    fill("POST", C + "/compact", "{\"force\":true,\"keep_recent_turns\":1}");
    JsonObject summaries = fill("GET", C + "/summaries", null);
    JsonArray made = summaries.array("summaries").orElseThrow();
    String summary = ((JsonObject) made.items().getFirst()).string("summary_id").orElseThrow();
    Map<String, String> ids = new LinkedHashMap<>();
    ids.put("user", "ann");
    ids.put("conversation", "c1");
    ids.put("turn", "t1");
    ids.put("request", request);
    ids.put("summary", summary);
    ids.put("agent", "atlas");
    ids.put("label", "notes");
    ids.put("with", "hermes");
    ids.put("id", id);
    ids.put("consent", consent());
    return ids;
  }

  /** All that the tenant itself is told of what it has. */
  private Map<String, String> seen() throws IOException {
    Map<String, String> seen = new LinkedHashMap<>();
    List<String> paths =
        List.of(
            C + "/timeline",
            C + "/turns",
            C + "/summaries",
            C + "/pins",
            A + "/blocks/notes",
            A + "/archival",
            "/v1/agents",
            "/v1/agents/hermes/shared",
            A + "/blocks/notes/history");
    for (String path : paths) {
      HttpResponse<String> answer = as(acme, "GET", path, null);
      assertThat(answer.statusCode()).as(path + ": " + answer.body()).isEqualTo(200);
      seen.put(path, answer.body());
    }
    assertThat(seen.get(C + "/timeline")).contains(SECRET);
    return seen;
  }

  private static Map<String, List<String>> routes() throws IOException {
    String text = Files.readString(Path.of("..", "docs", "openapi.json"));
    JsonObject document = (JsonObject) JsonValue.parse(text);
    Map<String, List<String>> routes = new LinkedHashMap<>();
    document
        .object("paths")
        .orElseThrow()
        .members()
        .forEach(
            (path, operations) ->
                routes.put(
                    path,
                    ((JsonObject) operations).keys().stream().filter(METHODS::contains).toList()));
    return routes;
  }

  private static String path(String route, Map<String, String> ids) {
    String path = route.replace("/consents/{id}", "/consents/{consent}");
    for (Map.Entry<String, String> id : ids.entrySet()) {
      path = path.replace("{" + id.getKey() + "}", id.getValue());
    }
    String tool = route.startsWith("/v1/agents") ? "memory_read" : "react.read";
    return path.replace("{tool}", tool);
  }

  private void visit(String method, String path, Map<String, String> ids) throws Exception {
    String body = body(path, method, ids);
    String asked = path + (path.endsWith("/search") ? "?query=narwhal" : "");
    HttpResponse<String> answer =
        as(other, method.toUpperCase(Locale.ROOT), body == null ? asked : path, body);
    assertThat(answer.body()).as(method + " " + path).doesNotContain(SECRET);
    assertThat(answer.statusCode()).as(answer.body()).isNotIn(500, 503);
  }

  /** The documented example, or what names things that are there. */
  private @Nullable String body(String path, String method, Map<String, String> ids)
      throws IOException {
    if (method.equals("get") || method.equals("delete")) {
      return null;
    }
    return BODIES.entrySet().stream()
        .filter(known -> path.endsWith(known.getKey()))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElseGet(() -> examples.getOrDefault(method + " " + path, "{}"))
        .replace("ID", ids.get("id"));
  }

  /** The bodies of docs/openapi.json, by method and path. */
  private static Map<String, String> examples(Map<String, String> ids) throws IOException {
    Map<String, String> examples = new LinkedHashMap<>();
    String text = Files.readString(Path.of("..", "docs", "openapi.json"));
    JsonObject paths = ((JsonObject) JsonValue.parse(text)).object("paths").orElseThrow();
    for (String route : paths.keys()) {
      JsonObject operations = paths.object(route).orElseThrow();
      for (String method : METHODS) {
        operations
            .object(method)
            .flatMap(operation -> operation.object("requestBody"))
            .flatMap(body -> body.object("content"))
            .flatMap(content -> content.object("application/json"))
            .flatMap(json -> json.object("example"))
            .ifPresent(body -> examples.put(method + " " + path(route, ids), body.toJson()));
      }
    }
    return examples;
  }

  /** A stream tells nothing of what the tenant does meanwhile. */
  private void assertSilent(String path) throws Exception {
    HttpResponse<InputStream> stream =
        node.stream(path, "Authorization", "Bearer " + other, "Accept", "text/event-stream");
    List<String> told = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        InputStream body = stream.body()) {
      Future<?> reading = threads.submit(() -> read(body, told));
      if (stream.statusCode() == 200) {
        // Two events that its own tenant would see: they are read every second.
        String op = "{\"ops\":[{\"op\":\"append_text\",\"text\":\"" + SECRET + "\"}]}";
        as(acme, "POST", A + "/blocks/notes/ops", op);
        fill("PUT", C + "/announce", "{\"blocks\":[{\"text\":\"" + SECRET + "\"}]}");
        Thread.sleep(2_500);
        as(acme, "DELETE", C + "/announce", null);
      } else {
        reading.get();
      }
    }
    assertThat(String.join("", told)).as(path).doesNotContain(SECRET);
  }

  private static void read(InputStream body, List<String> told) {
    byte[] some = new byte[8_192];
    try {
      for (int count = body.read(some); count >= 0; count = body.read(some)) {
        told.add(new String(some, 0, count, StandardCharsets.UTF_8));
      }
    } catch (IOException closed) {
      told.add(""); // by the test itself
    }
  }
}
