package dev.contexture.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.block.Scope;
import dev.contexture.seeds.TestSeed;
import dev.contexture.server.TestServer.Got;
import dev.contexture.server.keys.Grant;
import dev.contexture.server.keys.KeyFile;
import dev.contexture.server.keys.KeyRing;
import dev.contexture.server.keys.KeyRole;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whose memory a request reaches over HTTP, by label, by id, by key and by what it forgets. */
@Timeout(300)
class ServerUserKeysTest {
  private static final String A = "/v1/agents/atlas";
  private static final Pattern ID = Pattern.compile("(mem|arc)_[0-9a-f]{32}");

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
    return file.add(Grant.of(Scope.of("acme", "shop"), role).withUser(user), random, Instant.EPOCH)
        .key();
  }

  /** As an actor, with a body in which ' stands for ". */
  private Got as(String key, String actor, String method, String path, @Nullable String body) {
    return served.send(
        method,
        A + path,
        body == null ? null : body.replace('\'', '"'),
        "Authorization",
        "Bearer " + key,
        "X-Actor",
        actor);
  }

  private Got host(String method, String path, @Nullable String body) {
    return as(admin, "system", method, path, body);
  }

  private static void is(int status, Got got) {
    assertThat(got.status()).as(got.text()).isEqualTo(status);
  }

  private String made(String user, String label, String content) {
    Got got =
        host(
            "POST",
            "/blocks",
            "{"
                + (user.isEmpty() ? "" : "'user':'" + user + "',")
                + "'label':'"
                + label
                + "','block_type':'core','content':'"
                + content
                + "'}");
    is(201, got);
    return id(got);
  }

  private String kept(String user, String content) {
    String whose = user.isEmpty() ? "" : ",'user':'" + user + "'";
    return id(host("POST", "/archival", "{'content':'" + content + "'" + whose + "}"));
  }

  private static String id(Got got) {
    Matcher found = ID.matcher(got.text());
    assertThat(found.find()).as(got.text()).isTrue();
    return found.group();
  }

  @Test
  void restoringUnderAnotherUserChangesNothing() {
    String hers = made("alice", "tmp", "of alice");
    Got live = host("POST", "/blocks/restore", "{'id':'" + hers + "','user':'alice'}");
    is(400, live);
    assertThat(live.text()).contains("is not deleted");
    is(404, host("POST", "/blocks/restore", "{'id':'" + hers + "','user':'bob'}"));
    is(204, host("DELETE", "/blocks/tmp?user=alice", null));
    is(404, host("POST", "/blocks/restore", "{'id':'" + hers + "','user':'bob'}"));
    is(404, host("GET", "/blocks/tmp?user=alice", null));
    is(200, host("POST", "/blocks/restore", "{'id':'" + hers + "','user':'alice'}"));
    is(200, host("GET", "/blocks/tmp?user=alice", null));
  }

  @Test
  void purgingByIdUnderAnotherUserErasesNothing() {
    String hers = made("alice", "notes", "of alice");
    is(404, host("DELETE", "/blocks/" + hers + "?purge=true&user=bob", null));
    is(200, host("GET", "/blocks/notes?user=alice", null));
    assertThat(host("DELETE", "/blocks/" + hers + "?purge=true&user=alice", null).text())
        .contains("\"memory_blocks\":1");
    String all = made("", "rules", "for all");
    is(200, host("DELETE", "/blocks/" + all + "?purge=true&user=bob", null));
    is(200, host("DELETE", "/blocks/" + all + "?purge=true&user=bob", null)); // gone already
  }

  @Test
  void aQueryThatCannotBeReadOrIsDoubledIsRefused() throws IOException {
    made("", "notes", "for all");
    for (String query :
        List.of("user=100%", "user=%zz", "user=%c3%28", "user=alice&user=bob", "user=a&us%65r=a")) {
      assertThat(
              Raw.ask(
                  served,
                  "DELETE "
                      + A
                      + "/blocks/notes?"
                      + query
                      + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
                      + admin
                      + "\r\nX-Actor: system\r\nConnection: close\r\n\r\n"))
          .as(query)
          .startsWith("HTTP/1.1 400")
          .contains("invalid_argument", "user");
    }
    is(200, host("GET", "/blocks/notes", null));
    is(200, host("GET", "/blocks?user=a%40b%2Bc", null)); // what is spelled rightly is taken
    is(200, host("GET", "/blocks?type=c%6Fre&user=a", null));
  }

  @Test
  void aKeyOfAUserChangesNothingThatIsForAll() {
    made("", "rules", "for all");
    made("bob", "notes", "of bob");
    String entry = kept("", "kept for all");
    String own = kept("bob", "kept of bob");
    String bob = key(KeyRole.WRITER, "bob");
    String agent = "agent:atlas";
    for (Got got :
        List.of(
            as(bob, agent, "PUT", "", "{'description':'x','partner':'human:bob'}"),
            as(bob, agent, "DELETE", "/archival/" + entry, null),
            as(bob, agent, "PATCH", "/blocks/rules", "{'pinned':true}"),
            as(bob, agent, "POST", "/blocks/rules/shares", "{'agent':'x','permission':'append'}"),
            as(bob, agent, "DELETE", "/blocks/rules/shares/x", null),
            as(bob, agent, "DELETE", "/blocks/rules", null))) {
      is(403, got);
      assertThat(got.text()).contains("forbidden", "for all users");
    }
    is(200, host("GET", "/blocks/rules", null));
    is(200, host("GET", "/archival/" + entry, null));
    is(200, as(bob, agent, "PATCH", "/blocks/notes", "{'pinned':true}"));
    is(204, as(bob, agent, "DELETE", "/archival/" + own, null));
    String append = "{'ops':[{'op':'append','content':'!'}]}";
    is(200, as(bob, agent, "POST", "/blocks/rules/ops", append)); // content, as it sees it
  }

  @Test
  void aStarIsAllUsersInListsAndSearches() {
    String deleted = made("alice", "tmp", "violets");
    is(204, host("DELETE", "/blocks/tmp?user=alice", null));
    made("bob", "notes", "violets of bob");
    assertThat(host("GET", "/blocks?deleted=true&user=*", null).text()).contains(deleted);
    assertThat(host("GET", "/blocks?deleted=true", null).text()).doesNotContain(deleted);
    is(200, served.as(admin, "PUT", "/v1/agents/bert", "{}"));
    is(
        200,
        host(
            "POST", "/blocks/notes/shares", "{'agent':'bert','permission':'append','user':'bob'}"));
    assertThat(served.as(admin, "GET", "/v1/agents/bert/shared?user=*", null).text())
        .contains("\"user\":\"bob\"");
    assertThat(served.as(admin, "GET", "/v1/agents/bert/shared", null).text())
        .doesNotContain("bob");
    String query = "{\"query\":\"violets\",\"user\":\"*\"}";
    assertThat(served.as(admin, "POST", "/v1/search", query).text()).contains("violets of bob");
    assertThat(served.as(admin, "POST", "/v1/agents/bert/search", query).text())
        .contains("violets of bob");
  }

  @Test
  void aStarIsNoUserWhereALabelIsMeant() {
    made("", "notes", "for all");
    String entry = kept("alice", "hers");
    is(400, host("GET", "/blocks/notes?user=*", null));
    is(400, host("DELETE", "/blocks/notes?user=*", null));
    is(400, host("DELETE", "/blocks/notes?purge=true&user=*", null));
    is(400, host("GET", "/blocks/notes/history?user=*", null));
    is(200, host("GET", "/blocks/notes", null));
    is(200, host("GET", "/archival/" + entry + "?user=*", null));
    String hers = made("alice", "hers", "hers");
    assertThat(host("DELETE", "/blocks/" + hers + "?purge=true&user=*", null).text())
        .contains("\"memory_blocks\":1");
  }

  @Test
  void deletingAnEntryOfAnotherUserSaysThatItIsNotThere() {
    String hers = kept("alice", "hers");
    is(404, host("DELETE", "/archival/" + hers, null));
    is(404, host("DELETE", "/archival/" + hers + "?user=bob", null));
    is(200, host("GET", "/archival/" + hers + "?user=alice", null));
    is(204, host("DELETE", "/archival/arc_" + "0".repeat(32), null));
    is(204, host("DELETE", "/archival/" + hers + "?user=alice", null));
    is(400, host("GET", "/archival?cursor=zzz", null));
  }

  @Test
  void aMoveSaysToWhom() {
    made("alice", "n1", "of alice");
    for (String body :
        List.of(
            "{'user':'alice','labels':['n1']}",
            "{}",
            "{'to':'bob'}",
            "{'user':'alice','labels':['n1'],'to':''}",
            "{'user':'alice','labels':['n1'],'to':'*'}")) {
      Got got = host("POST", "/move", body);
      is(400, got);
      assertThat(got.text()).as(body).containsAnyOf("\"field\":\"to\"", "\"field\":\"labels\"");
    }
    is(404, host("GET", "/blocks/n1", null));
    Got twice = host("POST", "/move", "{'user':'alice','labels':['n1','n1'],'to':'bob'}");
    is(200, twice);
    assertThat(twice.text().split("\"label\":\"n1\"", -1)).hasSize(2);
    is(200, host("POST", "/move", "{'user':'bob','labels':['n1'],'to':null}"));
    is(200, host("GET", "/blocks/n1", null));
  }

  @Test
  void anotherAgentDoesNotReadTheTemplate() {
    is(200, host("PUT", "/template", "{'label':'profile'}"));
    is(403, as(admin, "agent:bert", "GET", "/template", null));
    is(200, as(admin, "agent:atlas", "GET", "/template", null));
    made("", "card", "for all");
    Got taken = host("PUT", "/template", "{'label':'card'}");
    is(409, taken);
    assertThat(taken.code()).isEqualTo("label_taken");
  }

  @Test
  void anEmptyUserAndWhoseIsMissingAreSaid() {
    made("alice", "notes", "hers");
    for (Got got :
        List.of(
            host("GET", "/blocks?user=", null),
            host("POST", "/archival", "{'content':'x','user':''}"))) {
      is(400, got);
      assertThat(got.text()).contains("invalid_argument", "\"field\":\"user\"", "1 to 128");
    }
    Got taken = host("POST", "/blocks", "{'label':'notes','block_type':'core','user':'alice'}");
    is(409, taken);
    assertThat(taken.text()).contains("for user \\\"alice\\\"", "\"user\":\"alice\"");
    assertThat(host("GET", "/blocks/notes?user=bob", null).text()).contains("user bob");
    assertThat(
            host(
                    "POST",
                    "/blocks/notes/ops",
                    "{'user':'bob','ops':[{'op':'append','content':'x'}]}")
                .text())
        .contains("for user \\\"bob\\\"");
  }

  @Test
  void aToolThatWorksForNobodyKeepsNothingForAUserAndFindsNoMessages() {
    Got kept =
        served.as(
            admin,
            "POST",
            A + "/tools/recall",
            "{\"params\":{\"op\":\"insert\",\"content\":\"x\",\"scope\":\"user\"}}");
    assertThat(kept.text()).contains("\"success\":false", "no user");
    String chat = "/v1/users/ann/conversations/c1";
    served.as(
        admin,
        "POST",
        chat + "/turns",
        "{\"prompt\":\"orchid of ann\",\"agent\":\"atlas\",\"turn_id\":\"t\"}");
    served.as(admin, "POST", chat + "/turns/t/finish", "{\"completion\":\"ok\"}");
    String search = "{\"params\":{\"query\":\"orchid\"}%s}";
    assertThat(served.as(admin, "POST", A + "/tools/search", search.replace("%s", "")).text())
        .doesNotContain("of ann");
    assertThat(
            served
                .as(admin, "POST", A + "/tools/search", search.replace("%s", ",\"user\":\"ann\""))
                .text())
        .contains("of ann");
    Got messages =
        served.as(
            admin,
            "POST",
            A + "/tools/search",
            "{\"params\":{\"query\":\"orchid\",\"domain\":\"conversations\"}}");
    assertThat(messages.text()).contains("\"success\":false", "no user");
  }
}
