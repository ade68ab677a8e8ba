package dev.contexture.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.simulator.SentBlock.Tier;
import dev.contexture.simulator.SentBlock.Ttl;
import dev.contexture.token.TokenCounter;
import dev.contexture.token.TokenMeter;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TraceReaderTest {
  private final TraceReader reader = new TraceReader(TokenMeter.of(TokenCounter.CHARS4));

  private List<SentBlock> blocks(String body) {
    return reader.read("s", 1, (JsonObject) JsonValue.parse(body)).blocks();
  }

  @Test
  void readsAnthropicMessages() {
    List<SentBlock> blocks =
        blocks(
            """
            {"model":"m","tools":[{"name":"t","input_schema":{}}],
             "system":[{"type":"text","text":"12345678","cache_control":{"type":"ephemeral","ttl":"1h"}}],
             "tool_choice":{"type":"auto"},
             "messages":[{"role":"user","content":"hello"},
               {"role":"assistant","content":[{"type":"tool_use","id":"c","name":"t","input":{}}]},
               {"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":[],
                 "cache_control":{"type":"ephemeral"}}]}]}
            """);
    assertThat(blocks.stream().map(SentBlock::tier))
        .containsExactly(
            Tier.TOOLS, Tier.SYSTEM, Tier.SETTING, Tier.MESSAGES, Tier.MESSAGES, Tier.MESSAGES);
    assertThat(blocks.stream().map(SentBlock::kind))
        .containsExactly("tool", "text", "settings", "text", "tool_use", "tool_result");
    assertThat(blocks.stream().map(SentBlock::mark))
        .containsExactly(
            Optional.empty(),
            Optional.of(Ttl.ONE_HOUR),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.of(Ttl.FIVE_MINUTES));
    assertThat(blocks.get(1).tokens()).isEqualTo(2);
    assertThat(blocks.get(2).tokens()).isZero();
    assertThat(blocks.getLast().content()).doesNotContain("cache_control");
    assertThat(blocks.getLast().endsMessage()).isTrue();
  }

  @Test
  void readsChatCompletions() {
    List<SentBlock> blocks =
        blocks(
            """
            {"tools":[{"type":"function","function":{"name":"t"}}],
             "messages":[{"role":"developer","content":[{"type":"text","text":"s",
                 "prompt_cache_breakpoint":{"mode":"explicit"}}]},
               {"role":"assistant","content":[{"type":"text","text":"x"}],
                "tool_calls":[{"id":"a"},{"id":"b"}]},
               {"role":"tool","tool_call_id":"a","content":[{"type":"text","text":"r"}]}]}
            """);
    assertThat(blocks.stream().map(SentBlock::tier))
        .containsExactly(
            Tier.TOOLS, Tier.SYSTEM, Tier.MESSAGES, Tier.MESSAGES, Tier.MESSAGES, Tier.MESSAGES);
    assertThat(blocks.get(1).mark()).contains(Ttl.THIRTY_MINUTES);
    assertThat(blocks.get(3).kind()).isEqualTo("tool_use");
    assertThat(blocks.getLast().endsMessage()).isTrue();
  }

  @Test
  void readsResponsesAndGemini() {
    List<SentBlock> items =
        blocks(
            """
            {"input":[{"type":"message","role":"assistant","content":"said"},
              {"type":"function_call","call_id":"a","name":"t","arguments":"{}"},
              {"type":"function_call_output","call_id":"a","output":[{"type":"input_text","text":"r"}]}],
             "prompt_cache_options":{"mode":"explicit"}}
            """);
    assertThat(items.stream().map(SentBlock::kind))
        .containsExactly("text", "function_call", "input_text");
    List<SentBlock> contents =
        blocks(
            """
            {"systemInstruction":{"parts":[{"text":"s"}]},
             "tools":[{"functionDeclarations":[{"name":"a"},{"name":"b"}]}],
             "contents":[{"role":"user","parts":[{"text":"q"}]},
               {"role":"model","parts":[{"functionCall":{"name":"a"}}]}]}
            """);
    assertThat(contents.stream().map(SentBlock::kind))
        .containsExactly("tool", "tool", "text", "text", "tool_use");
  }

  @Test
  void takesAChangedMarkForTheSameBlock() {
    String marked =
        "{\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"q\",\"cache_control\":{\"type\":\"ephemeral\"}}]}]}";
    String plain =
        "{\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"q\"}]}]}";
    assertThat(blocks(marked).getFirst().sameAs(blocks(plain).getFirst())).isTrue();
  }
}
