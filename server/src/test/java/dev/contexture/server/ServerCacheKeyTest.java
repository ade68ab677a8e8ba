package dev.contexture.server;

import static dev.contexture.server.TestServer.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.json.JsonObject;
import dev.contexture.server.TestServer.Got;
import dev.contexture.store.sqlite.SqliteBackup;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code prompt_cache_key} is sent, from a secret that stays in the store and is never shown. */
@Timeout(300)
class ServerCacheKeyTest {
  private static final String REQUEST = "{\"provider\":\"openai_chat\",\"model\":\"gpt-5\"}";

  @TempDir Path folder;

  private static String key(TestServer served) {
    Got got = served.post(C + "/request", REQUEST);
    assertThat(got.status()).as(got.text()).isEqualTo(200);
    JsonObject body = got.json().object("request").orElseThrow();
    return body.string("prompt_cache_key").orElseThrow();
  }

  @Test
  void theKeyIsTheSameAfterARestartAndInACopyAndAnotherInAnotherStore() {
    Path data = folder.resolve("data");
    String key;
    try (TestServer served = new TestServer(data)) {
      served.post(C + "/turns", "{\"prompt\":\"hi\"}");
      key = key(served);
      assertThat(key).matches("cx-[0-9a-f]{16}");
      served.restart();
      assertThat(key(served)).isEqualTo(key);
      SqliteBackup.take(data, folder.resolve("copy"), (done, all) -> {});
    }
    try (TestServer copy = new TestServer(folder.resolve("copy"))) {
      assertThat(key(copy)).isEqualTo(key);
    }
    try (TestServer other = new TestServer(folder.resolve("other"))) {
      other.post(C + "/turns", "{\"prompt\":\"hi\"}");
      assertThat(key(other)).isNotEqualTo(key);
    }
  }

  @Test
  void theSecretIsInNoAnswerAndNoLog() {
    List<String> log = new CopyOnWriteArrayList<>();
    ServerOptions options = ServerOptions.local("test").withLog(log::add, true);
    try (TestServer served = new TestServer(folder.resolve("data"), options)) {
      served.post(C + "/turns", "{\"prompt\":\"hi\"}");
      Got built = served.post(C + "/request", REQUEST);
      List<String> seen = new ArrayList<>(log);
      seen.add(built.text());
      String id = built.string("request_id");
      for (String path :
          List.of(
              C,
              C + "/requests",
              C + "/requests/" + id,
              C + "/timeline",
              "/metrics",
              "/healthz",
              "/v1/models")) {
        seen.add(served.get(path).text());
      }
      byte[] secret = served.engine().store().secret("cache_key", new byte[32]);
      assertThat(secret).hasSize(32).isNotEqualTo(new byte[32]);
      for (String text : seen) {
        assertThat(text)
            .doesNotContain(HexFormat.of().formatHex(secret))
            .doesNotContain(Base64.getEncoder().encodeToString(secret))
            .doesNotContain(new String(secret, StandardCharsets.ISO_8859_1));
      }
    }
  }
}
