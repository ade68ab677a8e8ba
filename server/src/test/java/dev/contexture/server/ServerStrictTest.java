package dev.contexture.server;

import static dev.contexture.server.TestServer.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.server.TestServer.Got;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that could be understood in two ways, and who may read whose memory. */
class ServerStrictTest {
  private static final String A = "/v1/agents/atlas";
  private static final String START = "{\"prompt\":\"Hi\",\"turn_id\":\"t1\"}";

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

  private static void refused(Got got, int status, String code) {
    assertThat(got.status()).as(got.text()).isEqualTo(status);
    assertThat(got.code()).as(got.text()).isEqualTo(code);
  }

  @Test
  void aKeyThatIsThereTwiceIsRefusedByName() {
    Got twice = served.post(C + "/turns", "{\"prompt\":\"a\",\"prompt\":\"b\"}");
    refused(twice, 400, "malformed_json");
    assertThat(twice.string("field")).isEqualTo("prompt");
    Got inner =
        served.post(C + "/turns", "{\"prompt\":\"a\",\"attachments\":[{\"name\":1,\"name\":2}]}");
    refused(inner, 400, "malformed_json");
    refused(served.post(C + "/render", "{\"days\":1,\"days\":2}"), 400, "malformed_json");
    refused(served.get(C), 404, "not_found");
  }

  @Test
  void whatAProviderSaidIsTakenAsItIs() {
    served.post(C + "/turns", START);
    Got told =
        served.post(
            C + "/responses",
            "{\"provider\":\"anthropic\",\"model\":\"claude-opus-5\",\"response\":{\"id\":\"m1\","
                + "\"id\":\"m1\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"claude-opus-5\","
                + "\"content\":[{\"type\":\"text\",\"text\":\"ok\"}],\"stop_reason\":\"end_turn\","
                + "\"usage\":{\"input_tokens\":1,\"output_tokens\":1}}}");
    assertThat(told.status()).as(told.text()).isEqualTo(201);
  }

  @Test
  void aControlCharacterThatIsNotEscapedIsRefused() {
    Got raw = served.post(C + "/turns", "{\"prompt\":\"a\u0001b\"}");
    refused(raw, 400, "malformed_json");
    assertThat(raw.text()).contains("U+0001");
    Got escaped = served.post(C + "/turns", "{\"prompt\":\"a\\u0001b\"}");
    assertThat(escaped.status()).as(escaped.text()).isEqualTo(201);
  }

  @Test
  void aBodyThatIsPackedIsOfAnUnsupportedType() {
    Got packed = served.send("POST", C + "/turns", START, "Content-Encoding", "gzip");
    refused(packed, 415, "unsupported_type");
    Got plain = served.send("POST", C + "/turns", START, "Content-Encoding", "identity");
    assertThat(plain.status()).as(plain.text()).isEqualTo(201);
  }

  @ParameterizedTest
  @ValueSource(strings = {"X-Tenant", "X-Project", "X-Actor"})
  void aHeaderThatSaysForWhomIsThereOnce(String name) {
    String value = name.equals("X-Actor") ? "human:a" : "a";
    Got once = served.send("GET", A + "/blocks", null, name, value);
    assertThat(once.status()).as(once.text()).isEqualTo(200);
    Got twice = served.send("GET", A + "/blocks", null, name, value, name, value + "b");
    refused(twice, 400, "invalid_argument");
    assertThat(twice.string("field")).isEqualTo(name);
  }

  @Test
  void headSaysHowLongTheAnswerOfGetIs() {
    served.post(C + "/turns", START);
    for (String path : List.of("/healthz", "/v1/models", C, C + "/turns/t1", "/api")) {
      int length = served.get(path).raw().body().getBytes(StandardCharsets.UTF_8).length;
      Got head = served.send("HEAD", path, null);
      assertThat(head.status()).isEqualTo(200);
      assertThat(head.raw().headers().firstValueAsLong("Content-Length")).as(path).hasValue(length);
    }
  }

  @Test
  void aPartnerIsClearedByNullAndHasAName() {
    served.send("PUT", A, "{\"partner\":\"human:pat\"}");
    assertThat(served.send("PUT", A, "{\"name\":\"Atlas\"}").text()).contains("human:pat");
    assertThat(served.send("PUT", A, "{\"partner\":null}").text())
        .contains("\"partner\":null", "\"name\":\"Atlas\"");
    for (String nobody : List.of("human:", "human:.", "human:..", "human:a b", "pat")) {
      Got got = served.send("PUT", A, "{\"partner\":\"" + nobody + "\"}");
      refused(got, 400, "invalid_argument");
    }
    assertThat(served.get(A).text()).contains("\"partner\":null");
  }

  @Test
  void consentsAreForPeopleAndTheSystem() {
    served.send("PUT", A, "{\"partner\":\"human:pat\"}");
    for (String actor : List.of("human:pat", "human:eve", "system")) {
      Got seen = served.send("GET", A + "/consents", null, "X-Actor", actor);
      assertThat(seen.status()).as(actor + ": " + seen.text()).isEqualTo(200);
    }
    Got agent = served.send("GET", A + "/consents", null, "X-Actor", "agent:atlas");
    refused(agent, 403, "access_denied");
    Got decides =
        served.send(
            "POST", A + "/consents/con_1", "{\"decision\":\"grant\"}", "X-Actor", "agent:atlas");
    refused(decides, 403, "access_denied");
    assertThat(agent.text() + decides.text())
        .contains("consents")
        .doesNotContain("pendingConsents", "grantConsent");
  }

  @Test
  void anAgentReadsNothingOfAnothersPrivateMemory() {
    served.send("PUT", "/v1/agents/rec", "{\"name\":\"Rec\"}");
    served.post(A + "/blocks", "{\"label\":\"own\",\"block_type\":\"core\",\"content\":\"zebra\"}");
    String query = "{\"query\":\"zebra\"}";
    String tool = "{\"params\":{\"op\":\"list\"}}";
    for (String actor : List.of("agent:atlas", "human:pat", "system")) {
      assertThat(served.send("GET", A + "/prompt", null, "X-Actor", actor).text())
          .contains("zebra");
      assertThat(served.send("POST", A + "/search", query, "X-Actor", actor).text())
          .contains("zebra");
    }
    refused(served.send("GET", A + "/prompt", null, "X-Actor", "agent:rec"), 403, "access_denied");
    refused(
        served.send("POST", A + "/search", query, "X-Actor", "agent:rec"), 403, "access_denied");
    refused(
        served.send("POST", A + "/tools/block", tool, "X-Actor", "agent:rec"),
        403,
        "access_denied");
  }

  @Test
  void activityTellsNothingOfBlocksThatTheReaderMayNotRead() {
    served.send("PUT", A, "{\"name\":\"Atlas\"}");
    served.send("PUT", "/v1/agents/bb", "{\"name\":\"Bb\"}");
    served.post(
        "/v1/agents/bb/blocks",
        "{\"label\":\"hidden\",\"block_type\":\"working\",\"content\":\"x\"}");
    assertThat(served.get(A + "/prompt").text()).doesNotContain("Bb", "private", "hidden");
    served.post(
        "/v1/agents/bb/blocks/hidden/shares", "{\"agent\":\"atlas\",\"permission\":\"append\"}");
    assertThat(served.get(A + "/prompt").text()).contains("Bb: updated memory `hidden`");
  }
}
