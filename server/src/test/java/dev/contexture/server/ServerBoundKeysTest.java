package dev.contexture.server;

import static dev.contexture.server.TestServer.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.block.Scope;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.seeds.TestSeed;
import dev.contexture.server.TestServer.Got;
import dev.contexture.server.http.Route;
import dev.contexture.server.keys.Grant;
import dev.contexture.server.keys.KeyFile;
import dev.contexture.server.keys.KeyRing;
import dev.contexture.server.keys.KeyRole;
import dev.contexture.store.MemoryRow;
import dev.contexture.store.WriteSet;
import dev.contexture.store.memory.ConsentRow;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a key that is bound to an agent learns of the others, and streams of revoked keys (H-2). */
@Timeout(300)
class ServerBoundKeysTest {
  private static final Scope ACME = Scope.of("acme", "shop");
  private static final String SECRET = "zebra";
  private static final String BODY = "{\"reason\":\"x\",\"path\":\"conv:x\"}";

  @TempDir Path directory;
  private final Random random = TestSeed.random(1);
  private KeyFile file;
  private TestServer served;
  private String admin;

  @BeforeEach
  void start() {
    file = new KeyFile(directory.resolve("keys.json"));
    admin = make(KeyRole.ADMIN, null).key();
    served =
        new TestServer(
            directory.resolve("data"),
            ServerOptions.local("test")
                .withKeys(KeyRing.of(file))
                .withIdle(Duration.ofMillis(1_500)));
  }

  @AfterEach
  void stop() {
    served.close();
  }

  private KeyFile.Made make(KeyRole role, @Nullable String agent) {
    return file.add(Grant.of(ACME, role).withAgent(agent), random, Instant.EPOCH);
  }

  private Got ok(String key, String method, String path, @Nullable String body) {
    Got got = served.as(key, method, path, body);
    assertThat(got.status()).as(method + " " + path + ": " + got.text()).isBetween(200, 299);
    return got;
  }

  private String request(String agent) {
    String body = "{\"provider\":\"anthropic\",\"model\":\"claude-opus-5\",\"agent\":\"A\"}";
    return ok(admin, "POST", C + "/request", body.replace("\"A\"", "\"" + agent + "\""))
        .string("request_id");
  }

  private void memoryOfAtlas() {
    ok(
        admin,
        "POST",
        "/v1/agents/atlas/blocks",
        "{\"label\":\"l\",\"block_type\":\"core\",\"content\":\"" + SECRET + "\"}");
  }

  private Stream<String> follow(HttpClient client, String key, String path) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(served.server().address() + path))
            .header("Authorization", "Bearer " + key)
            .build();
    HttpResponse<Stream<String>> response =
        client.send(request, HttpResponse.BodyHandlers.ofLines());
    assertThat(response.statusCode()).isEqualTo(200);
    return response.body();
  }

  @Test
  void requestsOfAnotherAgentAreHidden() throws Exception {
    memoryOfAtlas();
    ok(admin, "POST", C + "/turns", "{\"prompt\":\"x\",\"turn_id\":\"t1\"}");
    String first = request("hermes");
    String theirs = request("atlas");
    assertThat(ok(admin, "GET", C + "/requests/" + theirs, null).text()).contains(SECRET);
    String hermes = make(KeyRole.WRITER, "hermes").key();
    for (String query : List.of("", "?diff=previous")) {
      Got refused = served.as(hermes, "GET", C + "/requests/" + theirs + query, null);
      assertThat(refused.status()).isEqualTo(403);
      assertThat(refused.text()).doesNotContain(SECRET);
    }
    ok(hermes, "GET", C + "/requests/" + first, null);
    Got page = ok(hermes, "GET", C + "/requests?limit=1", null);
    assertThat(page.text()).contains(first, "\"next_cursor\":null").doesNotContain(theirs);
    try (HttpClient client = HttpClient.newHttpClient();
        Stream<String> lines = follow(client, hermes, C + "/events?after=1")) {
      Iterator<String> next = lines.iterator();
      while (!next.next().startsWith(": alive")) {
        // until what was there before is known
      }
      String hidden = request("atlas");
      String seen = request("hermes");
      StringBuilder told = new StringBuilder();
      while (told.indexOf(seen) < 0) {
        told.append(next.next());
      }
      assertThat(told.toString()).doesNotContain(hidden);
      client.shutdownNow();
    }
  }

  private void said(String conversation, String turn, String agent, String prompt) {
    String base = "/v1/users/u1/conversations/" + conversation;
    JsonObject start =
        JsonObject.builder().put("prompt", prompt).put("turn_id", turn).put("agent", agent).build();
    ok(admin, "POST", base + "/turns", start.toJson());
    ok(admin, "POST", base + "/turns/" + turn + "/finish", "{\"completion\":\"done\"}");
  }

  @Test
  void aConversationOfTwoAgentsIsNotListed() {
    said("mixed", "t1", "atlas", "a plan of " + SECRET);
    said("mixed", "t2", "hermes", "mine");
    said("own", "t1", "hermes", "mine alone");
    ok(admin, "PATCH", "/v1/users/u1/conversations/mixed", "{\"title\":\"" + SECRET + "\"}");
    String hermes = make(KeyRole.READER, "hermes").key();
    assertThat(served.as(hermes, "GET", "/v1/users/u1/conversations/mixed", null).status())
        .isEqualTo(404);
    assertThat(ok(hermes, "GET", "/v1/users/u1/conversations", null).text())
        .contains("own")
        .doesNotContain("mixed", SECRET);
    assertThat(ok(admin, "GET", "/v1/users/u1/conversations", null).text()).contains("mixed");
  }

  @Test
  void aStreamShowsNothingOnceAnotherAgentTakesPart() throws Exception {
    said("own", "t1", "hermes", "mine");
    String hermes = make(KeyRole.READER, "hermes").key();
    StringBuilder told = new StringBuilder();
    try (HttpClient client = HttpClient.newHttpClient();
        Stream<String> lines =
            follow(client, hermes, "/v1/users/u1/conversations/own/events?after=0")) {
      Iterator<String> next = lines.iterator();
      while (told.indexOf("mine") < 0) {
        told.append(next.next());
      }
      said("own", "t2", "atlas", SECRET);
      while (next.hasNext()) { // until the server ends it
        told.append(next.next());
      }
      client.shutdownNow();
    } catch (UncheckedIOException ended) {
      told.append("ended");
    }
    assertThat(told.toString()).contains("mine").doesNotContain(SECRET, "atlas");
  }

  @Test
  void aBoundKeyFindsNoWordsOfOthersByRawFields() {
    said("mixed", "t1", "atlas", "the password is hunter2xyz");
    said("mixed", "t2", "hermes", "mine");
    String hermes = make(KeyRole.READER, "hermes").key();
    for (String query : List.of("near:hunt*", "near:hunter2xyz", "agent:atlas", "*:*")) {
      Got refused =
          served.as(
              hermes,
              "POST",
              "/v1/agents/hermes/search",
              "{\"query\":\"" + query + "\",\"raw\":true}");
      assertThat(refused.status()).as(query).isEqualTo(400);
    }
    Got none =
        ok(hermes, "POST", "/v1/agents/hermes/search", "{\"query\":\"one two three hunter2xyz\"}");
    assertThat(none.text()).contains("\"hits\":[]");
  }

  @Test
  void scoresOfABoundKeyDoNotChangeWithWhatOthersSay() {
    said("own", "t1", "hermes", "rumours of layoffs");
    String bound =
        file.add(
                Grant.of(ACME, KeyRole.READER).withUser("u1").withAgent("hermes"),
                random,
                Instant.EPOCH)
            .key();
    String query = "{\"query\":\"layoffs\"}";
    String before = ok(bound, "POST", "/v1/agents/hermes/search", query).text();
    String exact = ok(admin, "POST", "/v1/agents/hermes/search", query).text();
    for (int i = 0; i < 5; i++) {
      ok(
          admin,
          "POST",
          "/v1/users/u2/conversations/c" + i + "/turns",
          "{\"prompt\":\"layoffs again\",\"turn_id\":\"t1\",\"agent\":\"atlas\"}");
    }
    assertThat(ok(bound, "POST", "/v1/agents/hermes/search", query).text()).isEqualTo(before);
    assertThat(before).contains("\"score\":0.01639").doesNotContain("bm25", "keyword_rank");
    assertThat(ok(admin, "POST", "/v1/agents/hermes/search", query).text())
        .contains("bm25")
        .isNotEqualTo(exact);
  }

  @Test
  void anEpochEndsForTheBoundAgentOnly() {
    memoryOfAtlas();
    ok(admin, "POST", C + "/turns", "{\"prompt\":\"x\",\"turn_id\":\"t1\"}");
    request("atlas");
    request("hermes");
    String hermes = make(KeyRole.WRITER, "hermes").key();
    assertThat(ok(hermes, "POST", C + "/epoch", null).text())
        .startsWith("{\"agents\":[\"hermes\"]");
    assertThat(ok(admin, "POST", C + "/epoch", null).text()).contains("atlas");
  }

  @Test
  void aStreamEndsWithItsKey() throws Exception {
    ok(admin, "POST", C + "/turns", "{\"prompt\":\"x\",\"turn_id\":\"t1\"}");
    ok(admin, "PUT", "/v1/agents/atlas", "{}");
    for (String path : List.of(C + "/events?after=1", "/v1/agents/atlas/events")) {
      KeyFile.Made made = make(KeyRole.READER, null);
      try (HttpClient client = HttpClient.newHttpClient();
          Stream<String> lines = follow(client, made.key(), path)) {
        Iterator<String> next = lines.iterator();
        while (!next.next().startsWith(": alive")) {
          // it is open
        }
        file.revoke(made.stored().id(), Instant.EPOCH);
        memoryOfAtlas(path);
        StringBuilder told = new StringBuilder();
        next.forEachRemaining(told::append);
        assertThat(told.toString()).as(path).doesNotContain("data:");
      }
    }
  }

  /** Something that a live stream would tell. */
  private void memoryOfAtlas(String path) {
    if (path.startsWith(C)) {
      ok(admin, "POST", C + "/blocks", "{\"blocks\":[{\"text\":\"a\"}]}");
    } else {
      memoryOfAtlas();
    }
  }

  @Test
  void listsTellNothingOfOtherAgents() {
    for (String agent : List.of("atlas", "hermes", "zeus")) {
      ok(admin, "PUT", "/v1/agents/" + agent, "{}");
    }
    for (int i = 0; i < 6; i++) {
      String agent = i % 3 == 0 ? "hermes" : "atlas";
      String id = (i % 3 == 0 ? "own" : "other") + i;
      ok(
          admin,
          "POST",
          "/v1/users/u1/conversations/" + id + "/turns",
          "{\"prompt\":\"x\",\"agent\":\"" + agent + "\"}");
    }
    String hermes = make(KeyRole.READER, "hermes").key();
    assertThat(ok(hermes, "GET", "/v1/agents?limit=1", null).text())
        .contains("\"agent\":\"hermes\"", "\"next_cursor\":null")
        .doesNotContain("atlas", "zeus");
    String list = "/v1/users/u1/conversations?limit=1";
    Got first = ok(hermes, "GET", list, null);
    assertThat(first.text()).contains("\"own3\"").doesNotContain("other");
    Got second = ok(hermes, "GET", list + "&cursor=" + first.string("next_cursor"), null);
    assertThat(second.text()).contains("\"own0\"", "\"next_cursor\":null");
  }

  @Test
  void consentsAreAnsweredForTheirAgentOnly() {
    Instant now = InstantSource.system().instant(); // that of the server
    JsonObject asked =
        (JsonObject)
            JsonValue.parse(
                "{\"actor\":\"agent:atlas\",\"kind\":\"human\",\"owner\":\"atlas\",\"label\":\"l\","
                    + "\"operation\":\"appendText\",\"class\":\"append\",\"preview\":\"+x\"}");
    ConsentRow row = new ConsentRow("con_1", null, asked, now, now.plusSeconds(600), null);
    served
        .engine()
        .store()
        .commit(WriteSet.of(ACME, now).add(new MemoryRow.AddConsent(row)).build());
    String hermes = make(KeyRole.ADMIN, "hermes").key();
    assertThat(answer(hermes, "hermes").status()).isEqualTo(404);
    assertThat(answer(admin, "hermes").status()).isEqualTo(404);
    assertThat(answer(hermes, "atlas").status()).isEqualTo(403);
    Got granted = answer(admin, "atlas");
    assertThat(granted.status()).as(granted.text()).isEqualTo(200);
  }

  private Got answer(String key, String agent) {
    return served.send(
        "POST",
        "/v1/agents/" + agent + "/consents/con_1",
        "{\"decision\":\"grant\"}",
        "Authorization",
        "Bearer " + key,
        "X-Actor",
        "system");
  }

  @Test
  void aConversationOfAnotherAgentIsOneThatDoesNotExist() {
    said("theirs", "t1", "atlas", SECRET);
    String hermes = make(KeyRole.ADMIN, "hermes").key();
    int compared = 0;
    for (Route route : served.server().routes()) {
      String base = "/v1/users/{user}/conversations/{conversation}";
      boolean starts =
          route.path().equals(base + "/turns") || route.path().equals(base + "/import");
      if (!route.path().startsWith(base) || (starts && !route.method().name().equals("GET"))) {
        continue;
      }
      String path = ServerRoutesTest.filled(route.path());
      Got theirs = served.as(hermes, route.method().name(), path.replace("/c1", "/theirs"), BODY);
      Got none = served.as(hermes, route.method().name(), path.replace("/c1", "/nothing"), BODY);
      assertThat(theirs.status()).as(route.method() + " " + path).isEqualTo(none.status());
      assertThat(theirs.text().replace("theirs", "nothing"))
          .as(route.method() + " " + path)
          .isEqualTo(none.text());
      compared++;
    }
    assertThat(compared).isGreaterThan(30);
    ok(admin, "GET", "/v1/users/u1/conversations/theirs", null); // nothing of it was erased
  }

  @Test
  void whoMayNotShareABlockDoesNotLearnWhichAgentsThereAre() {
    memoryOfAtlas();
    String hermes = make(KeyRole.WRITER, "hermes").key();
    ok(
        hermes,
        "POST",
        "/v1/agents/hermes/blocks",
        "{\"label\":\"l\",\"block_type\":\"core\",\"content\":\"x\",\"permission\":\"read_only\"}");
    String share = "{\"agent\":\"%s\",\"permission\":\"admin\"}";
    String path = "/v1/agents/hermes/blocks/l/shares";
    Got known = served.as(hermes, "POST", path, share.formatted("atlas"));
    Got unknown = served.as(hermes, "POST", path, share.formatted("nobody"));
    assertThat(known.status()).isEqualTo(403);
    assertThat(unknown.text()).isEqualTo(known.text());
  }

  @Test
  void aPurgeNeedsAKeyThatReachesAllUsers() {
    memoryOfAtlas();
    String bound =
        file.add(Grant.of(ACME, KeyRole.ADMIN).withUser("u1"), random, Instant.EPOCH).key();
    Got refused =
        served.send(
            "DELETE",
            "/v1/agents/atlas/blocks/l?purge=true",
            null,
            "Authorization",
            "Bearer " + bound,
            "X-Actor",
            "system");
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.code()).isEqualTo("forbidden");
    assertThat(refused.text()).contains("bound to a user");
    assertThat(ok(admin, "GET", "/v1/agents/atlas/blocks/l", null).text()).contains(SECRET);
  }
}
