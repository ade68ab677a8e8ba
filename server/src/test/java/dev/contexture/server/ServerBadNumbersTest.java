package dev.contexture.server;

import static dev.contexture.server.TestServer.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.server.TestServer.Got;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Input that no number, path or query can be, refused as the caller's. */
class ServerBadNumbersTest {
  @TempDir Path directory;
  private TestServer served;

  @BeforeEach
  void start() {
    served = new TestServer(directory);
    served.post(C + "/turns", "{\"prompt\":\"storm\",\"turn_id\":\"t1\"}");
  }

  @AfterEach
  void stop() {
    served.close();
  }

  private static void refused(Got got, String field) {
    assertThat(got.status()).as(got.text()).isIn(400, 422);
    assertThat(got.string("field")).isEqualTo(field);
  }

  @Test
  void refusesAConfidenceBeyondEveryDouble() {
    for (String number : List.of("1e400", "-1e400", "1e5000", "1e999999999")) {
      Got got =
          served.post(
              C + "/feedback",
              "{\"target_turn_id\":\"t1\",\"origin\":\"user\",\"confidence\":" + number + "}");
      refused(got, "confidence");
    }
  }

  @Test
  void refusesGapsBeyondEveryDouble() {
    String body = "{\"model\":\"claude-opus-5\",\"max_tokens\":1,\"messages\":[]}";
    for (String number : List.of("1e400", "1e5000", "1e999999999")) {
      Got got =
          served.post(
              "/v1/simulate",
              "{\"provider\":\"anthropic\",\"model\":\"claude-opus-5\",\"requests\":["
                  + body
                  + ","
                  + body
                  + "],\"gaps_seconds\":["
                  + number
                  + "]}");
      refused(got, "gaps_seconds[0]");
    }
  }

  @Test
  void refusesAPathInAnEncodingThatIsNone() throws Exception {
    for (String path : List.of("/v1/users/%u0041/conversations/c1", "/v1/agents/%u0041", "/%u")) {
      String got = Raw.ask(served, Raw.get(path, "localhost"));
      assertThat(got).as(path).startsWith("HTTP/1.1 400").contains("application/problem+json");
    }
  }

  @Test
  void refusesARawQueryThatNestsTooDeep() {
    for (String query : List.of("(".repeat(3_000) + "a" + ")".repeat(3_000), "(".repeat(9_000))) {
      Got got = served.post("/v1/search", "{\"raw\":true,\"query\":\"" + query + "\"}");
      assertThat(got.status()).as(got.text()).isIn(400, 422);
    }
  }
}
