package dev.contexture.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.ContextBrowser;
import dev.contexture.ContextRequest;
import dev.contexture.Contexture;
import dev.contexture.Turn;
import dev.contexture.block.BlockPath;
import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.prompt.ContextConfig;
import dev.contexture.prompt.ModelContextLimits;
import dev.contexture.provider.BuiltInProviders;
import dev.contexture.provider.catalogue.ModelCatalogue;
import dev.contexture.store.sqlite.InMemoryStore;
import dev.contexture.timeline.Visibility;
import dev.contexture.turn.Reply;
import dev.contexture.turn.TurnStart;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An agent that writes a large file with one call, through every provider. */
class HugeArgumentsTest {
  private static final Scope.OfConversation SCOPE =
      Scope.of("acme", "shop").user("u42").conversation("c1");
  private static final String FILE = "a line of the file that is written. ".repeat(5_600);
  private static final String ARGUMENTS = "{\"path\":\"a.txt\",\"content\":\"" + FILE + "\"}";
  private static final ContextConfig SMALL =
      ContextConfig.DEFAULT.withLimits(new ModelContextLimits(16_000, 1_000, 14_000, 1_000));

  private static final ContextConfig LARGE =
      ContextConfig.DEFAULT.withLimits(new ModelContextLimits(390_000, 1_000, 380_000, 1_000));

  private final ContextBrowser chat =
      Contexture.builder(new InMemoryStore())
          .providers(BuiltInProviders.of(ModelCatalogue.shipped()))
          .build()
          .browser(SCOPE);

  private static String answer(String provider) {
    String text = JsonValue.of(ARGUMENTS).toJson();
    return switch (provider) {
      case "anthropic" ->
          "{\"content\":[{\"type\":\"text\",\"text\":\"I write"
              + " it.\"},{\"type\":\"tool_use\",\"id\":"
              + "\"toolu_1\",\"name\":\"write_file\",\"input\":"
              + ARGUMENTS
              + "}],\"stop_reason\":\"tool_use\","
              + "\"usage\":{\"input_tokens\":50,\"output_tokens\":50}}";
      case "openai_chat" ->
          "{\"choices\":[{\"message\":{\"role\":\"assistant\",\"content\":\"I write it.\","
              + "\"tool_calls\":[{\"id\":\"call_1\",\"type\":\"function\",\"function\":{\"name\":"
              + "\"write_file\",\"arguments\":"
              + text
              + "}}]},\"finish_reason\":\"tool_calls\"}],"
              + "\"usage\":{\"prompt_tokens\":50,\"completion_tokens\":50}}";
      case "openai_responses" ->
          "{\"id\":\"resp_1\",\"status\":\"completed\",\"output\":[{\"type\":\"message\",\"id\":\"m_1\","
              + "\"role\":\"assistant\",\"status\":\"completed\",\"content\":[{\"type\":\"output_text\",\"text\":\"I"
              + " write it.\",\"annotations\":[]}]},{\"type\":"
              + "\"function_call\",\"id\":\"fc_1\",\"call_id\":\"call_1\",\"name\":\"write_file\","
              + "\"arguments\":"
              + text
              + ",\"status\":\"completed\"}],"
              + "\"usage\":{\"input_tokens\":50,\"output_tokens\":50}}";
      default ->
          "{\"candidates\":[{\"content\":{\"role\":\"model\",\"parts\":[{\"text\":\"I write it.\"},"
              + "{\"functionCall\":{\"id\":\"f1\",\"name\":\"write_file\",\"args\":"
              + ARGUMENTS
              + "}}]},\"finishReason\":\"STOP\"}],\"usageMetadata\":"
              + "{\"promptTokenCount\":50,\"candidatesTokenCount\":50}}";
    };
  }

  @ParameterizedTest
  @CsvSource({
    "anthropic,claude-opus-5",
    "openai_chat,gpt-5.6-terra",
    "openai_responses,gpt-5.6-terra",
    "gemini,gemini-2.5-flash"
  })
  void areShortenedInTheBodyAndReadableInFull(String provider, String model) {
    Turn turn = chat.startTurn(TurnStart.prompt("write it").id(TurnId.of("t1")));
    Reply reply =
        turn.record(turn.request(provider, model).config(SMALL).build(), answer(provider));
    turn.answer(reply.calls().getFirst(), "written");
    ContextRequest first = turn.request(provider, model).config(SMALL).build();
    assertThat(first.body()).hasSizeLessThan(8_000).contains("I write it.", "more characters;");
    assertThat(JsonValue.parse(first.body())).isInstanceOf(JsonObject.class);
    ContextRequest second = turn.request(provider, model).config(SMALL).build();
    assertThat(second.body()).as("decided once").isEqualTo(first.body());
    Visibility record = chat.timeline().visibilityRecords().all().getFirst();
    assertThat(record.reason()).isEqualTo(Visibility.Reason.ARGUMENTS);
    assertThat(record.maxTokens()).isEqualTo(16_000);
    ContextRequest larger = turn.request(provider, model).config(LARGE).build();
    assertThat(larger.body()).contains(FILE).doesNotContain("more characters;");
    String path = "tc:t1." + reply.calls().getFirst().id().value() + ".call";
    assertThat(first.body()).contains(path);
    assertThat(chat.resolve(BlockPath.parse(path), false).orElseThrow().text().orElseThrow())
        .contains(FILE);
  }
}
