package dev.contexture.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
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

  /** What routes need to come as far as the data. */
  private static final Map<String, String> BODIES =
      Map.ofEntries(
          Map.entry("/hide", "{\"path\":\"ar:t1.n\",\"replacement\":\"gone\"}"),
          Map.entry("/unhide", "{\"path\":\"ar:t1.n\"}"),
          Map.entry("/pins", "{\"path\":\"ar:t1.n\"}"),
          Map.entry(
              "/feedback", "{\"target_turn_id\":\"t1\",\"origin\":\"user\",\"reaction\":\"ok\"}"),
          Map.entry("/request", "{\"provider\":\"anthropic\",\"model\":\"claude-opus-5\"}"),
          Map.entry("/compact", "{\"force\":true}"),
          Map.entry("/finish", "{\"completion\":\"done\"}"),
          Map.entry("/blocks", "{\"blocks\":[{\"type\":\"react.note\",\"text\":\"x\"}]}"),
          Map.entry("/ops", "{\"ops\":[{\"op\":\"append_text\",\"text\":\"x\"}]}"),
          Map.entry("/shares", "{\"agent\":\"hermes\",\"permission\":\"admin\"}"),
          Map.entry("/move", "{\"to\":\"eve\"}"),
          Map.entry("/restore", "{\"id\":\"ID\"}"),
          Map.entry("/search", "{\"query\":\"narwhal\"}"),
          Map.entry("/tools/react.read", "{\"params\":{\"paths\":[\"ar:t1.n\"]}}"),
          Map.entry("/tools/memory_read", "{\"params\":{\"label\":\"notes\"}}"),
          Map.entry("/retention", "{\"rules\":\"conversations=1d\"}"));

  @TempDir Path directory;
  private ServedNode node;
  private String acme;
  private String other;

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
    node = new ServedNode(directory.resolve("data"), database, "--keys", keys.path().toString());
  }

  @AfterEach
  void stop() {
    node.close();
  }

  @Test
  void everyRouteShowsNothingOfAnotherTenant() throws Exception {
    Map<String, String> ids = things();
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
    for (String path : streams) {
      assertSilent(path);
    }
  }

  private static String key(KeyFile file, String tenant) {
    Grant grant = Grant.of(Scope.of(tenant, "shop"), KeyRole.ADMIN);
    return file.add(grant, TestSeed.random(tenant.hashCode()), Instant.EPOCH).key();
  }

  /** Makes one of everything that has an id. */
  private Map<String, String> things() throws IOException {
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
    String path = route;
    for (Map.Entry<String, String> id : ids.entrySet()) {
      path = path.replace("{" + id.getKey() + "}", id.getValue());
    }
    String tool = route.startsWith("/v1/agents") ? "memory_read" : "react.read";
    return path.replace("{tool}", tool);
  }

  private void visit(String method, String path, Map<String, String> ids) throws Exception {
    String body = null;
    if (!method.equals("get") && !method.equals("delete")) {
      body =
          BODIES.entrySet().stream()
              .filter(known -> path.endsWith(known.getKey()))
              .map(Map.Entry::getValue)
              .findFirst()
              .orElse("{}")
              .replace("ID", ids.get("id"));
    }
    String asked = path + (path.endsWith("/search") ? "?query=narwhal" : "");
    HttpResponse<String> answer =
        as(other, method.toUpperCase(Locale.ROOT), body == null ? asked : path, body);
    assertThat(answer.body()).as(method + " " + path).doesNotContain(SECRET);
    assertThat(answer.statusCode()).as(answer.body()).isNotIn(500, 503);
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
