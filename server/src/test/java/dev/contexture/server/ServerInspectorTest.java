package dev.contexture.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.block.Scope;
import dev.contexture.seeds.TestSeed;
import dev.contexture.server.TestServer.Got;
import dev.contexture.server.keys.Grant;
import dev.contexture.server.keys.KeyFile;
import dev.contexture.server.keys.KeyRing;
import dev.contexture.server.keys.KeyRole;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files of the inspector, and what it asks for that no other page does. */
class ServerInspectorTest {
  private static final Pattern LOADED = Pattern.compile("\"inspector/([a-z-]+\\.[a-z]+)\"");

  @TempDir Path directory;

  @Test
  void thePageMayLoadFromThisServerOnlyAndMakesNoMarkupOfTexts() {
    try (TestServer served = new TestServer(directory)) {
      Got page = served.get("/");
      assertThat(page.contentType()).startsWith("text/html");
      assertThat(page.raw().headers().firstValue("Content-Security-Policy").orElseThrow())
          .contains(
              "default-src 'none'",
              "script-src 'self'",
              "connect-src 'self'",
              "require-trusted-types-for 'script'",
              "frame-ancestors 'none'")
          .doesNotContain("unsafe", "http:", "https:");
      assertThat(page.text()).doesNotContain("http://", "https://", "<style", "style=", "onclick");
      Matcher file = LOADED.matcher(page.text());
      int files = 0;
      for (; file.find(); files++) {
        Got got = served.get("/inspector/" + file.group(1));
        assertThat(got.status()).as(file.group(1)).isEqualTo(200);
        assertThat(got.contentType())
            .startsWith(
                file.group(1).endsWith("js")
                    ? "text/javascript"
                    : file.group(1).endsWith("css") ? "text/css" : "image/svg+xml");
      }
      assertThat(files).isGreaterThan(3);
    }
  }

  @Test
  void aFileThatTheBrowserHasIsNotSentAgain() {
    try (TestServer served = new TestServer(directory)) {
      Got first = served.get("/inspector/app.js");
      String tag = first.raw().headers().firstValue("ETag").orElseThrow();
      Got again = served.send("GET", "/inspector/app.js", null, "If-None-Match", tag);
      assertThat(again.status()).isEqualTo(304);
      assertThat(again.text()).isEmpty();
    }
  }

  @Test
  void nothingElseOfTheClassPathIsServed() {
    try (TestServer served = new TestServer(directory)) {
      for (String name :
          List.of("routes.txt", "index.html", "..%2froutes.txt", "none.js", "A.js", "app.js.map")) {
        assertThat(served.get("/inspector/" + name).status()).as(name).isBetween(400, 404);
      }
    }
  }

  @Test
  void usersAreListedByActivityInPagesToKeysThatAreBoundToNobody() {
    KeyFile file = new KeyFile(directory.resolve("keys"));
    Scope acme = Scope.of("acme", "shop");
    Random random = TestSeed.random(1);
    String writer = file.add(Grant.of(acme, KeyRole.WRITER), random, Instant.EPOCH).key();
    String reader = file.add(Grant.of(acme, KeyRole.READER), random, Instant.EPOCH).key();
    String bound =
        file.add(Grant.of(acme, KeyRole.READER).withUser("ann"), random, Instant.EPOCH).key();
    String other =
        file.add(Grant.of(Scope.of("acme", "b"), KeyRole.READER), random, Instant.EPOCH).key();
    try (TestServer served =
        new TestServer(
            directory.resolve("data"), ServerOptions.local("test").withKeys(KeyRing.of(file)))) {
      for (String user : List.of("ann", "ben", "ann")) {
        String turns = "/v1/users/" + user + "/conversations/c1/turns";
        served.as(writer, "POST", turns, "{\"prompt\":\"x\",\"supersede\":\"abort\"}");
      }
      Got first = served.as(reader, "GET", "/v1/users?limit=1", null);
      assertThat(first.text()).contains("\"user\":\"ann\",\"conversations\":1");
      Got second =
          served.as(reader, "GET", "/v1/users?limit=1&cursor=" + first.string("next_cursor"), null);
      assertThat(second.text()).contains("\"user\":\"ben\"").endsWith("\"next_cursor\":null}");
      assertThat(served.as(other, "GET", "/v1/users", null).text()).contains("\"users\":[]");
      assertThat(served.as(reader, "GET", "/v1/users?cursor=zz", null).code())
          .isEqualTo("invalid_argument");
      for (String path : List.of("/v1/users", "/v1/events")) {
        assertThat(served.as(bound, "GET", path, null).code()).as(path).isEqualTo("forbidden");
      }
      assertThat(served.as(bound, "GET", "/v1/caller", null).text())
          .startsWith(
              "{\"role\":\"reader\",\"tenant\":\"acme\",\"project\":\"shop\",\"user\":\"ann\",\"agent\":null,\"key\":\"");
    }
  }
}
