package dev.contexture.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.ContextBrowser;
import dev.contexture.Contexture;
import dev.contexture.Turn;
import dev.contexture.block.Scope;
import dev.contexture.json.JsonText;
import dev.contexture.provider.BuiltInProviders;
import dev.contexture.provider.catalogue.ModelCatalogue;
import dev.contexture.request.ToolDef;
import dev.contexture.store.sqlite.InMemoryStore;
import dev.contexture.testkit.FakeClock;
import dev.contexture.turn.Reply;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** P-83 through the engine for Responses and Gemini. */
class ItemRoundTripTest {
  private static final List<ToolDef> TOOLS =
      Stream.of("get_weather", "get_time", "f")
          .map(name -> new ToolDef(name, "", "{\"type\":\"object\"}"))
          .toList();

  private static final String GPT = "gpt-5.6-terra";
  private static final String FLASH = "gemini-3.5-flash";

  @Test
  void responsesGetTheirItemsBack() throws Exception {
    String answer = golden("responses-answer.json");
    List<String> items = minified(JsonText.member(answer, "output").orElseThrow());
    String body = sentAfter("openai_responses", GPT, answer);
    List<String> input = JsonText.items(JsonText.member(body, "input").orElseThrow());
    assertThat(input).containsSubsequence(items);
    assertThat(body)
        .contains("\"call_id\":\"call_a1\",\"output\":[", "\"call_id\":\"call_b2\",\"o");
  }

  @Test
  void responsesGetAnAnswerWithoutCallsBack() throws Exception {
    String reasoning =
        "{\"type\":\"reasoning\",\"id\":\"rs\",\"summary\":[],\"encrypted_content\":\"e\"}";
    String said =
        "{\"type\":\"message\",\"id\":\"m\",\"role\":\"assistant\",\"phase\":\"final\","
            + "\"content\":[{\"type\":\"output_text\",\"text\":\"Fine.\\n\"}]}";
    String answer =
        "{\"id\":\"r\",\"status\":\"completed\",\"output\":[" + reasoning + "," + said + "]}";
    assertThat(sentAfter("openai_responses", GPT, answer)).contains(reasoning + "," + said);
    String other = sentAfter("openai_responses", GPT, answer, "openai_chat", GPT);
    assertThat(other).contains("Fine.").doesNotContain("reasoning", "phase");
  }

  @Test
  void geminiGetsItsPartsBack() throws Exception {
    String answer = golden("gemini-answer.json");
    String body = sentAfter("gemini", FLASH, answer);
    String content =
        JsonText.member(
                JsonText.items(JsonText.member(answer, "candidates").orElseThrow()).getFirst(),
                "content")
            .orElseThrow();
    assertThat(body)
        .contains(JsonText.minify(JsonText.member(content, "parts").orElseThrow()))
        .contains("{\"functionResponse\":{\"id\":\"g7k2\",\"name\":\"get_weather\"")
        .contains("{\"functionResponse\":{\"id\":\"g7k3\",\"name\":\"get_time\"");
  }

  /** P-9: ids that the model did not give are not sent to it. */
  @Test
  void geminiIsAnsweredWithoutIdsWhereItGaveNone() throws Exception {
    String call = "{\"functionCall\":{\"name\":\"f\",\"args\":{}},\"thoughtSignature\":\"cw==\"}";
    String answer = "{\"candidates\":[{\"content\":{\"parts\":[" + call + "," + call + "]}}]}";
    String body = sentAfter("gemini", FLASH, answer);
    assertThat(body)
        .contains(call + "," + call)
        .contains("{\"functionResponse\":{\"name\":\"f\",\"response\":{\"output\":\"ok\"}}}");
    String claude = sentAfter("gemini", FLASH, answer, "anthropic", "claude-opus-5");
    assertThat(claude).contains("\"type\":\"tool_use\",\"id\":\"tc_");
  }

  private static List<String> minified(String array) {
    return JsonText.items(array).stream().map(JsonText::minify).toList();
  }

  private static String sentAfter(String provider, String model, String answer) {
    return sentAfter(provider, model, answer, provider, model);
  }

  private static String sentAfter(
      String provider, String model, String answer, String nextProvider, String nextModel) {
    InMemoryStore store = new InMemoryStore();
    Turn turn = chat(store).startTurn("hi");
    Reply reply = turn.record(turn.request(provider, model).tools(TOOLS).build(), answer);
    reply.calls().forEach(call -> turn.answer(call, "ok"));
    ContextBrowser again = chat(store);
    if (reply.calls().isEmpty()) {
      again.openTurn().finish(reply);
      again.startTurn("go on");
    }
    return again.openTurn().request(nextProvider, nextModel).tools(TOOLS).build().body();
  }

  private static ContextBrowser chat(InMemoryStore store) {
    return Contexture.builder(store)
        .clock(FakeClock.atStart())
        .providers(BuiltInProviders.of(ModelCatalogue.shipped()))
        .build()
        .browser(Scope.of("acme", "shop").user("u42").conversation("c1"));
  }

  private static String golden(String name) throws IOException {
    String path = "/dev/contexture/provider/golden/" + name;
    try (InputStream in = ItemRoundTripTest.class.getResourceAsStream(path)) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
