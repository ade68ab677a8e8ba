package dev.contexture.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.block.Scope;
import dev.contexture.seeds.TestSeed;
import dev.contexture.server.TestServer.Got;
import dev.contexture.server.keys.Grant;
import dev.contexture.server.keys.KeyFile;
import dev.contexture.server.keys.KeyRing;
import dev.contexture.server.keys.KeyRole;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Memory of one agent for many users over HTTP, and what keys that are bound to a user learn. */
@Timeout(300)
class ServerUserMemoryTest {
  private static final Scope ACME = Scope.of("acme", "shop");
  private static final String A = "/v1/agents/atlas";
  private static final String REQUEST =
      "{\"provider\":\"anthropic\",\"model\":\"claude-opus-5\",\"agent\":\"atlas\"}";

  @TempDir Path directory;
  private final Random random = TestSeed.random(1);
  private KeyFile file;
  private TestServer served;
  private String admin;

  @BeforeEach
  void start() {
    file = new KeyFile(directory.resolve("keys.json"));
    admin = key(KeyRole.ADMIN, null);
    served =
        new TestServer(
            directory.resolve("data"), ServerOptions.local("test").withKeys(KeyRing.of(file)));
  }

  @AfterEach
  void stop() {
    served.close();
  }

  private String key(KeyRole role, @Nullable String user) {
    return file.add(Grant.of(ACME, role).withUser(user), random, Instant.EPOCH).key();
  }

  private Got ok(String key, String method, String path, @Nullable String body) {
    Got got = served.as(key, method, path, json(body));
    assertThat(got.status()).as(method + " " + path + ": " + got.text()).isBetween(200, 299);
    return got;
  }

  private static @Nullable String json(@Nullable String body) {
    return body == null ? null : body.replace('\'', '"');
  }

  private void refused(int status, String key, String method, String path, @Nullable String body) {
    Got got = served.as(key, method, path, json(body));
    assertThat(got.status()).as(method + " " + path + ": " + got.text()).isEqualTo(status);
  }

  /** Something of alice, of bob and for all. */
  private void fill() {
    for (String user : List.of("'user':'alice',", "'user':'bob',", "")) {
      String secret = user.isEmpty() ? "for all" : "violets of " + user.split("'")[3];
      String label = user.isEmpty() ? "rules" : "notes";
      ok(
          admin,
          "POST",
          A + "/blocks",
          "{" + user + "'label':'" + label + "','block_type':'core','content':'" + secret + "'}");
      ok(admin, "POST", A + "/archival", "{" + user + "'content':'kept " + secret + "'}");
    }
  }

  @Test
  void aUserNamesTheViewOfEveryRoute() {
    fill();
    assertThat(ok(admin, "GET", A + "/blocks", null).text())
        .contains("rules")
        .doesNotContain("notes");
    assertThat(ok(admin, "GET", A + "/blocks?user=alice", null).text())
        .contains("rules", "\"user\":\"alice\"")
        .doesNotContain("bob");
    assertThat(ok(admin, "GET", A + "/blocks?user=*", null).text()).contains("alice", "bob");
    assertThat(ok(admin, "GET", A + "/users", null).text()).contains("[\"alice\",\"bob\"]");
    refused(404, admin, "GET", A + "/blocks/notes", null);
    assertThat(ok(admin, "GET", A + "/blocks/notes?user=bob", null).text())
        .contains("violets of bob");
    String append = "{'user':'bob','ops':[{'op':'append','content':' now'}]}";
    ok(admin, "POST", A + "/blocks/notes/ops", append);
    assertThat(ok(admin, "GET", A + "/blocks/notes/history?user=bob", null).text())
        .contains("\"version\":2");
    ok(admin, "POST", A + "/blocks/notes/undo", "{'user':'bob','author':'agent:atlas'}");
    assertThat(ok(admin, "GET", A + "/blocks/notes?user=bob", null).text())
        .doesNotContain("bob now");
    assertThat(ok(admin, "GET", A + "/archival?user=bob", null).text())
        .contains("violets of bob", "kept for all")
        .doesNotContain("alice");
    assertThat(ok(admin, "GET", A + "/prompt?user=alice", null).text())
        .contains("violets of alice", "for all")
        .doesNotContain("bob");
    assertThat(ok(admin, "POST", A + "/search", "{'query':'violets'}").text())
        .contains("\"hits\":[]");
    assertThat(ok(admin, "POST", A + "/search", "{'query':'violets','user':'bob'}").text())
        .contains("violets of bob")
        .doesNotContain("alice");
    assertThat(ok(admin, "POST", A + "/search", "{'query':'violets','user':'*'}").text())
        .contains("alice", "bob");
    refused(400, admin, "POST", A + "/archival", "{'content':'x','user':'*'}");
    refused(400, admin, "GET", A + "/prompt?user=*", null);
    refused(400, admin, "GET", A + "/blocks?user=a%20b", null);
  }

  @Test
  void aBoundKeyWorksForItsUserAndLearnsNothingOfOthers() {
    fill();
    String alice = key(KeyRole.ADMIN, "alice");
    for (String path :
        List.of(
            "/blocks", "/blocks?user=alice", "/shared", "/archival", "/prompt", "/blocks/notes")) {
      assertThat(ok(alice, "GET", A + path, null).text()).as(path).doesNotContain("bob");
    }
    assertThat(ok(alice, "GET", A + "/blocks/notes", null).text()).contains("violets of alice");
    assertThat(ok(alice, "POST", A + "/search", "{'query':'violets'}").text())
        .contains("violets of alice")
        .doesNotContain("bob");
    for (String path :
        List.of("/blocks?user=bob", "/blocks?user=*", "/archival?user=*", "/users")) {
      refused(403, alice, "GET", A + path, null);
    }
    refused(403, alice, "POST", A + "/search", "{'query':'violets','user':'*'}");
    refused(403, alice, "POST", A + "/search", "{'query':'violets','user':'bob'}");
    refused(403, alice, "POST", A + "/archival", "{'content':'x','user':'bob'}");
    refused(403, alice, "POST", A + "/move", "{'labels':['rules'],'to':'alice'}");
    refused(403, alice, "PUT", A + "/template", "{'label':'profile'}");
    ok(alice, "POST", A + "/archival", "{'content':'by alice'}");
    assertThat(ok(admin, "GET", A + "/archival?user=bob", null).text()).doesNotContain("by alice");
    assertThat(
            ok(alice, "POST", A + "/tools/recall", tool("{'op':'search','query':'kept'}")).text())
        .contains("violets of alice")
        .doesNotContain("bob");
    String entries = ok(admin, "GET", A + "/archival?user=bob", null).text();
    String id = entries.substring(entries.indexOf("arc_"), entries.indexOf("arc_") + 36);
    refused(404, alice, "GET", A + "/archival/" + id, null);
    ok(alice, "DELETE", A + "/archival/" + id, null);
    assertThat(ok(admin, "GET", A + "/archival?user=bob", null).text()).isEqualTo(entries);
  }

  private static String tool(String params) {
    return "{'params':" + params + "}";
  }

  @Test
  void anotherAgentSeesNothingOfEverybody() {
    fill();
    for (String path : List.of("/blocks?user=*", "/archival?user=*")) {
      Got got =
          served.send(
              "GET", A + path, null, "Authorization", "Bearer " + admin, "X-Actor", "agent:bert");
      assertThat(got.status()).as(path + got.text()).isEqualTo(403);
    }
  }

  @Test
  void eventsAreThoseOfTheUser() throws Exception {
    fill();
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest request =
          HttpRequest.newBuilder(
                  URI.create(served.server().address() + A + "/events?after=0&user=alice"))
              .header("Authorization", "Bearer " + admin)
              .build();
      HttpResponse<Stream<String>> response =
          client.send(request, HttpResponse.BodyHandlers.ofLines());
      try (Stream<String> lines = response.body()) {
        List<String> data = lines.filter(line -> line.startsWith("data:")).limit(2).toList();
        assertThat(data.getFirst()).contains("\"user\":\"alice\"", "notes");
        assertThat(data.getLast()).contains("rules"); // that of bob stands between them
      }
    }
  }

  @Test
  void conversationsWorkForTheirUser() {
    fill();
    String his = "/v1/users/bob/conversations/c1";
    ok(admin, "POST", his + "/turns", "{'prompt':'hi','turn_id':'t1','agent':'atlas'}");
    assertThat(ok(admin, "POST", his + "/request", REQUEST).text())
        .contains("violets of bob", "for all")
        .doesNotContain("alice");
    String insert = tool("{'op':'insert','content':'said by bob'}");
    ok(admin, "POST", his + "/tools/recall", insert);
    assertThat(ok(admin, "GET", A + "/archival?user=alice", null).text())
        .doesNotContain("said by bob");
    assertThat(ok(admin, "GET", A + "/archival?user=bob", null).text()).contains("said by bob");
  }

  @Test
  void memoryMovesAllOrNothing() {
    fill();
    String move = "{'labels':['rules'],'to':'alice','dry_run':true}";
    assertThat(ok(admin, "POST", A + "/move", move).text())
        .contains("\"user\":\"alice\"", "\"dry_run\":true");
    assertThat(ok(admin, "GET", A + "/blocks", null).text()).contains("rules");
    refused(404, admin, "POST", A + "/move", "{'labels':['rules','nope'],'to':'alice'}");
    refused(409, admin, "POST", A + "/move", "{'user':'bob','labels':['notes'],'to':'alice'}");
    ok(admin, "POST", A + "/move", "{'labels':['rules'],'to':'alice'}");
    assertThat(ok(admin, "GET", A + "/blocks", null).text()).contains("\"blocks\":[]");
    ok(admin, "POST", A + "/move", "{'user':'alice','labels':['rules'],'to':null}");
    assertThat(ok(admin, "GET", A + "/blocks", null).text()).contains("rules");
  }

  @Test
  void aTemplateGivesEachUserABlock() {
    refused(404, admin, "GET", A + "/template", null);
    String template =
        "{'label':'profile','description':'who','schema':{'kind':'map','fields':[{'name':'city',"
            + "'type':'text'}]}}";
    ok(admin, "PUT", A + "/template", template);
    assertThat(ok(admin, "GET", A + "/template", null).text())
        .contains("\"block_type\":\"core\"", "city");
    refused(400, admin, "PUT", A + "/template", "{'label':'no good'}");
    String hers = "/v1/users/alice/conversations/c1";
    ok(admin, "POST", hers + "/turns", "{'prompt':'hi','turn_id':'t1','agent':'atlas'}");
    assertThat(ok(admin, "POST", hers + "/request", REQUEST).text()).contains("<block:profile");
    assertThat(ok(admin, "GET", A + "/blocks/profile?user=alice", null).text()).contains("alice");
    ok(admin, "DELETE", A + "/template", null);
    refused(404, admin, "GET", A + "/template", null);
  }

  @Test
  void erasingAUserErasesItsMemory() {
    fill();
    ok(admin, "DELETE", "/v1/users/alice", null);
    assertThat(ok(admin, "GET", A + "/blocks?user=*", null).text()).doesNotContain("alice");
    assertThat(ok(admin, "POST", A + "/search", "{'query':'violets','user':'*'}").text())
        .contains("bob")
        .doesNotContain("alice");
  }
}
