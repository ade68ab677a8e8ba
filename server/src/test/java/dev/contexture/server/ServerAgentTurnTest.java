package dev.contexture.server;

import static dev.contexture.server.TestServer.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.server.TestServer.Got;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A whole turn of an agent over HTTP, with calls and a restart in the middle. */
class ServerAgentTurnTest {
  private static final String TOOLS =
      "[{\"name\":\"get_weather\",\"description\":\"Weather now\",\"input_schema\":"
          + "{\"type\":\"object\",\"properties\":{\"city\":{\"type\":\"string\"}},\"minimum\":1.0}},"
          + "{\"name\":\"get_time\",\"input_schema\":{\"type\":\"object\"}}]";

  /** What differs between the providers. */
  private record Speaker(
      String provider,
      String model,
      String calls,
      List<String> callIds,
      List<String> repeated,
      String end) {
    static final Speaker ANTHROPIC =
        new Speaker(
            "anthropic",
            "claude-opus-5",
            "anthropic-answer.json",
            List.of("tc_toolu_01A", "tc_toolu_01B"),
            List.of(
                "\"signature\":\"EqQBCkYI\"",
                "\"id\":\"toolu_01A\"",
                "{\"city\":\"Oslo\",\"utc_offset\":1.0}",
                "\"tool_use_id\":\"toolu_01B\""),
            "{\"id\":\"msg_2\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"claude-opus-5\",\"content\":[{\"type\":\"text\",\"text\":\"4"
                + " degrees.\"}],\"stop_reason\":\"end_turn\","
                + "\"stop_sequence\":null,\"usage\":{\"input_tokens\":9,\"output_tokens\":5}}");
    static final Speaker OPENAI =
        new Speaker(
            "openai_chat",
            "gpt-5.6-terra",
            "chat-answer.json",
            List.of("tc_call_a1", "tc_call_b2"),
            List.of(
                "\"id\":\"call_a1\"",
                "{\\\"city\\\": \\\"Oslo\\\", \\\"utc_offset\\\": 1.0}",
                "\"tool_call_id\":\"call_b2\""),
            "{\"id\":\"c2\",\"object\":\"chat.completion\",\"created\":1,\"model\":\"gpt-5.6-terra\",\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":\"4"
                + " degrees.\"},"
                + "\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":5,"
                + "\"total_tokens\":14}}");

    static final Speaker RESPONSES =
        new Speaker(
            "openai_responses",
            "gpt-5.6-terra",
            "responses-answer.json",
            List.of("tc_call_a1", "tc_call_b2"),
            List.of(
                "\"encrypted_content\":\"gAAAAABo\"",
                "\"id\":\"fc_3\"",
                "{\\\"city\\\": \\\"Oslo\\\", \\\"utc_offset\\\": 1.0}",
                "\"type\":\"function_call_output\",\"call_id\":\"call_b2\""),
            "{\"id\":\"r2\",\"status\":\"completed\",\"output\":[{\"type\":\"message\",\"content\":"
                + "[{\"type\":\"output_text\",\"text\":\"4 degrees.\"}]}],"
                + "\"usage\":{\"input_tokens\":9,\"output_tokens\":5}}");
    static final Speaker GEMINI =
        new Speaker(
            "gemini",
            "gemini-3.5-flash",
            "gemini-answer.json",
            List.of("tc_g7k2", "tc_g7k3"),
            List.of(
                "\"thoughtSignature\":\"CsQBAdHt\"",
                "\"thought\":true",
                "\"args\":{\"city\":\"Oslo\",\"utc_offset\":1.0}",
                "\"functionResponse\":{\"id\":\"g7k3\",\"name\":\"get_time\""),
            "{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"4 degrees.\"}]},"
                + "\"finishReason\":\"STOP\"}],\"usageMetadata\":{\"promptTokenCount\":9}}");

    String named(String more) {
      return "{\"provider\":\"" + provider + "\",\"model\":\"" + model + "\"," + more + "}";
    }
  }

  @TempDir Path directory;

  static String golden(String name) {
    try (InputStream in = ServerAgentTurnTest.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static Stream<Speaker> speakers() {
    return Stream.of(Speaker.ANTHROPIC, Speaker.OPENAI, Speaker.RESPONSES, Speaker.GEMINI);
  }

  @ParameterizedTest
  @MethodSource("speakers")
  void goesRoundAndSurvivesARestart(Speaker speaker) {
    try (TestServer served = new TestServer(directory)) {
      served.post(C + "/turns", "{\"prompt\":\"Weather in Oslo?\",\"turn_id\":\"t1\"}");
      Got first = request(served, speaker);
      assertThat(first.text()).contains("\"minimum\":1.0", "Weather in Oslo?");
      String id = first.string("request_id");
      Got calls = record(served, speaker, id, golden(speaker.calls));
      assertCalls(speaker, calls.json());
      served.restart();
      assertThat(record(served, speaker, id, golden(speaker.calls)).text()).isEqualTo(calls.text());
      assertThat(record(served, speaker, id, speaker.end).code()).isEqualTo("id_conflict");
      answer(served, speaker.callIds.getFirst(), "4 degrees");
      served.restart();
      String again = answer(served, speaker.callIds.getFirst(), "4 degrees").text();
      assertThat(again).isEqualTo(answer(served, speaker.callIds.getFirst(), "4 degrees").text());
      assertThat(answer(served, speaker.callIds.getFirst(), "5 degrees").code())
          .isEqualTo("already_answered");
      answer(served, speaker.callIds.get(1), "12:00");
      finish(served, speaker);
    }
  }

  /** H-6: a body of any make, and what was repaired in ours. */
  @Test
  void judgesRequests() {
    try (TestServer served = new TestServer(directory)) {
      String good =
          "{\"model\":\"claude-opus-5\",\"max_tokens\":9,"
              + "\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}";
      String named = Speaker.ANTHROPIC.named("\"request\":" + good);
      assertThat(served.post("/v1/validate", named).text())
          .isEqualTo("{\"valid\":true,\"violations\":[]}");
      String bad = good.replace("user", "assistant");
      Got judged = served.post("/v1/validate", Speaker.ANTHROPIC.named("\"request\":" + bad));
      assertThat(judged.json().isTrue("valid")).isFalse();
      assertThat(judged.text())
          .contains("\"code\":\"V02\",\"where\":\"/messages/0\"", "\"code\":\"V05\"");
      assertThat(served.post("/v1/validate", Speaker.ANTHROPIC.named("\"request\":[]")).code())
          .isEqualTo("field_type");
      served.post(C + "/turns", "{\"prompt\":\"Weather in Oslo?\",\"turn_id\":\"t1\"}");
      assertThat(request(served, Speaker.GEMINI).text()).contains("\"repairs\":[]");
    }
  }

  @Test
  void takesAForeignHistoryInOnce() {
    try (TestServer served = new TestServer(directory)) {
      String list =
          "{\"format\":\"openai\",\"messages\":[{\"role\":\"system\",\"content\":\"Be kind.\"},"
              + "{\"role\":\"user\",\"content\":\"hi\"},{\"role\":\"assistant\",\"content\":\"ho\"},"
              + "{\"role\":\"tool\",\"tool_call_id\":\"x\",\"content\":\"lost\"}]}";
      assertThat(served.post(C + "/import", list).text())
          .startsWith("{\"turns\":1,\"blocks\":4,\"instructions\":[\"Be kind.\"],")
          .contains("\"code\":\"V06\"");
      assertThat(served.post(C + "/import", list).text()).startsWith("{\"turns\":0,\"blocks\":0");
      assertThat(served.post(C + "/import", "{\"format\":\"openai\",\"messages\":[1]}").code())
          .isEqualTo("import_malformed");
      assertThat(served.post(C + "/render", "{\"dialect\":\"native\"}").text())
          .contains("hi", "ho");
    }
  }

  private static void assertCalls(Speaker speaker, JsonObject reply) {
    JsonArray calls = reply.array("calls").orElseThrow();
    assertThat(calls.items().stream().map(c -> ((JsonObject) c).string("tool_call_id").orElse("")))
        .containsExactlyElementsOf(speaker.callIds);
    assertThat(calls.toJson()).contains("\"utc_offset\":1.0", "\"tool\":\"get_time\"");
    assertThat(reply.string("text")).contains("Checking both.");
    assertThat(reply.string("stop")).contains("tool_use");
    assertThat(reply.isTrue("done")).isFalse();
    assertThat(reply.toJson()).contains("\"total_input\":2412", "\"output\":88");
  }

  private static void finish(TestServer served, Speaker speaker) {
    Got second = request(served, speaker);
    assertThat(second.text()).contains(speaker.repeated).contains("4 degrees", "12:00");
    Got end = record(served, speaker, second.string("request_id"), speaker.end);
    assertThat(end.json().isTrue("done")).isTrue();
    Got finished = served.post(C + "/turns/t1/finish", "{}");
    assertThat(finished.string("status")).isEqualTo("complete");
    assertThat(record(served, speaker, second.string("request_id"), speaker.end).text())
        .isEqualTo(end.text());
    assertThat(served.get(C + "/artifact?path=ar:t1.assistant.completion").string("text"))
        .isEqualTo("4 degrees.");
    assertThat(served.get(C + "/requests/" + second.string("request_id")).text())
        .contains("\"usage\"");
    served.restart();
    assertThat(served.post(C + "/render", "{\"dialect\":\"native\"}").text())
        .contains("Weather in Oslo?", "4 degrees.");
  }

  private static Got request(TestServer served, Speaker speaker) {
    Got got =
        served.post(
            C + "/request",
            speaker.named("\"base_instructions\":\"Be brief.\",\"tools\":" + TOOLS));
    assertThat(got.status()).as(got.text()).isEqualTo(200);
    return got;
  }

  private static Got record(TestServer served, Speaker speaker, String id, String answer) {
    return served.post(
        C + "/responses", speaker.named("\"request_id\":\"" + id + "\",\"response\":" + answer));
  }

  private static Got answer(TestServer served, String call, String text) {
    return served.post(
        C + "/results", "{\"tool_call_id\":\"" + call + "\",\"content\":\"" + text + "\"}");
  }
}
