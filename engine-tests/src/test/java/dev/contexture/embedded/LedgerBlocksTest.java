package dev.contexture.embedded;

import static dev.contexture.embedded.ContextFixture.ME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.contexture.ContextRequest;
import dev.contexture.Turn;
import dev.contexture.block.Binary;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.request.LedgerBlock;
import dev.contexture.request.LedgerSettings;
import dev.contexture.request.RequestBlock;
import dev.contexture.request.ToolDef;
import dev.contexture.store.sqlite.InMemoryStore;
import dev.contexture.testkit.FakeClock;
import dev.contexture.turn.Reply;
import dev.contexture.turn.ResultPart;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** P-2, P-50: each recorded block knows where it came from and what it counts as. */
class LedgerBlocksTest {
  private static final Binary PNG = Binary.of("png".repeat(400).getBytes(StandardCharsets.UTF_8));

  private final ContextFixture fixture =
      new ContextFixture(new InMemoryStore(), FakeClock.atStart());

  private List<LedgerBlock> blocks(ContextRequest request) {
    return fixture.chat.requests().differenceToPrevious(request.id()).added();
  }

  private static long tokens(List<LedgerBlock> blocks) {
    return blocks.stream().mapToLong(LedgerBlock::tokens).sum();
  }

  private long recorded(ContextRequest request, String key) {
    JsonObject record = fixture.chat.requests().get(request.id()).record();
    return Long.parseLong(record.find(key).map(JsonValue::toJson).orElseThrow());
  }

  private void twoCalls(Turn turn) {
    Reply reply =
        turn.record(
            turn.request("anthropic", "claude-opus-5").build(),
            """
            {"content":[{"type":"text","text":"Looking."},{"type":"tool_use","id":"c1","name":"draw",\
            "input":{}},{"type":"tool_use","id":"c2","name":"say","input":{}}],\
            "stop_reason":"tool_use"}\
            """);
    turn.answer(
        reply.calls().get(0).id(),
        List.of(new ResultPart.Text("A picture."), new ResultPart.Data("image/png", PNG)),
        false);
    turn.answer(reply.calls().get(1), "Said it. ".repeat(30));
  }

  /** Media that go below the results are of the result that had them, and count once. */
  @ParameterizedTest
  @CsvSource({
    "anthropic, claude-opus-5",
    "openai_chat, gpt-5.6-terra",
    "openai_responses, gpt-5.6-terra",
    "gemini, gemini-2.5-flash"
  })
  void hoistedMediaCountOnceAndAreOfTheirResult(String provider, String model) {
    Turn turn = fixture.chat.startTurn("Draw and say.");
    twoCalls(turn);
    ContextRequest request =
        turn.request(provider, model)
            .instructions("You are Atlas. ".repeat(50))
            .prefixCheck(LedgerSettings.Mode.WARN) // it is not what twoCalls asked
            .build();
    List<LedgerBlock> blocks = blocks(request);
    assertThat(blocks)
        .filteredOn(block -> block.kind().equals("image"))
        .allSatisfy(image -> assertThat(image.origin().path()).contains("c1.result"));
    assertThat(tokens(blocks))
        .isCloseTo(
            recorded(request, "system_tokens")
                + recorded(request, "stable_tokens")
                + recorded(request, "tail_tokens"),
            within(3L));
  }

  /** Reasoning that waits for what it led to keeps its own place. */
  @Test
  void heldReasoningCountsAsItself() {
    Turn turn = fixture.chat.startTurn("Think.");
    String reasoning = "x".repeat(3_000);
    Reply reply =
        turn.record(
            thinking(turn),
            """
            {"output":[{"type":"reasoning","id":"rs","summary":[],"encrypted_content":"%s"},\
            {"type":"function_call","id":"fc","call_id":"c1","name":"say","arguments":"{}"}],\
            "status":"completed"}\
            """
                .formatted(reasoning));
    turn.answer(reply.calls().getFirst(), "Done.");
    ContextRequest request = thinking(turn);
    List<LedgerBlock> blocks = blocks(request);
    LedgerBlock thought =
        blocks.stream().filter(block -> block.kind().equals("reasoning")).findFirst().orElseThrow();
    LedgerBlock call =
        blocks.stream().filter(block -> block.kind().equals("tool_use")).findFirst().orElseThrow();
    assertThat(thought.origin()).isNotEqualTo(call.origin());
    assertThat(thought.tokens()).isGreaterThan(call.tokens());
  }

  private static ContextRequest thinking(Turn turn) {
    return turn.request("openai_responses", "gpt-5.6-terra")
        .tools(List.of(new ToolDef("say", "Says something.", "{\"type\":\"object\"}")))
        .build();
  }

  /** What is put in or left out for Gemini does not shift what follows. */
  @Test
  void blocksOfGeminiKnowTheirPlace() {
    Turn first = fixture.chat.startTurn("Question one.");
    first.finish(" ");
    Turn turn = fixture.chat.startTurn("Draw and say.");
    twoCalls(turn);
    ContextRequest request = turn.request("gemini", "gemini-2.5-flash").build();
    List<LedgerBlock> blocks = blocks(request);
    LedgerBlock result =
        blocks.stream()
            .filter(block -> block.kind().equals("tool_result"))
            .findFirst()
            .orElseThrow();
    assertThat(result.origin().path()).contains("c1.result");
    assertThat(blocks)
        .filteredOn(block -> block.tier() == RequestBlock.Tier.MESSAGES)
        .extracting(block -> block.origin().seq())
        .as("each was given by somebody")
        .doesNotContain(0L);
  }

  /** What stands at the end counts as all of it does: sources, activity and memory. */
  @Test
  void theTailCountsWithMemoryAndActivity() {
    fixture.pinned("notes", "a");
    Turn turn = fixture.chat.startTurn("hello");
    String activity = "<recent_activity>" + "news ".repeat(100) + "</recent_activity>";
    request(turn, "before");
    fixture.memory.updateBlockText(ME, "notes", "b ".repeat(300));
    ContextRequest request = request(turn, activity);
    List<LedgerBlock> tail = blocks(request).stream().filter(LedgerBlock::volatileTail).toList();
    assertThat(tail).hasSize(2);
    long expected =
        request.metadata().tokens().activity() + request.metadata().tokens().memoryUpdate();
    assertThat(tokens(tail)).isCloseTo(expected, within(2L));
    assertThat(recorded(request, "tail_tokens")).isEqualTo(expected);
    assertThat(recorded(request, "system_tokens"))
        .isEqualTo(
            request.metadata().tokens().total() - expected - recorded(request, "stable_tokens"));
  }

  private static ContextRequest request(Turn turn, String activity) {
    return turn.request("anthropic", "claude-opus-5")
        .instructions("You are Atlas. ".repeat(50))
        .agent(ME)
        .activity((agent, limit) -> Optional.of(activity))
        .build();
  }
}
