package dev.contexture.timeline;

import dev.contexture.block.Author;
import dev.contexture.block.Binary;
import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.block.CallId;
import dev.contexture.block.TurnId;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.time.Instant;
import java.util.List;

/** Writes conversations for tests, block by block. Confined to one thread. */
public final class Chat {
  public static final Instant START = Instant.parse("2026-02-09T02:14:32.676425Z");

  private Timeline timeline = Timeline.empty();
  private TurnId turn = TurnId.of("t1");
  private Instant now = START;

  public Chat turn(String id) {
    turn = TurnId.of(id);
    return add(Block.builder(BlockType.TURN_HEADER).author(Author.SYSTEM));
  }

  public Chat turnWithoutHeader(String id) {
    turn = TurnId.of(id);
    return this;
  }

  /** Opens a turn that stays the active one. */
  public Chat activeTurn(String id) {
    timeline = timeline.withActiveTurn(TurnId.of(id));
    return turn(id);
  }

  /** Nothing is active any more. */
  public Chat closed() {
    timeline = timeline.withActiveTurn(null);
    return this;
  }

  public Chat status(String id, TurnStatus status) {
    timeline = timeline.withTurn(new TurnState(TurnId.of(id), status, null, START, null));
    return this;
  }

  public Chat prompt(String text) {
    return add(
        Block.builder(BlockType.USER_PROMPT)
            .author(Author.USER)
            .path(BlockPath.userPrompt(turn))
            .text(text));
  }

  public Chat completion(String text) {
    return add(
        Block.builder(BlockType.ASSISTANT_COMPLETION)
            .author(Author.ASSISTANT)
            .path(BlockPath.completion(turn))
            .text(text));
  }

  public Chat notes(String call, String text) {
    CallId id = CallId.of(call);
    return add(react(BlockType.REACT_NOTES, call).path(BlockPath.notes(turn, id)).text(text));
  }

  public Chat code(String call, String text) {
    return add(
        react(BlockType.REACT_TOOL_CODE, call)
            .path(BlockPath.code(turn, CallId.of(call)))
            .text(text));
  }

  public Chat call(String call, String tool, String params) {
    String text =
        "{\"tool_id\":\""
            + tool
            + "\",\"tool_call_id\":\""
            + call
            + "\",\"params\":"
            + params
            + "}";
    return add(
        react(BlockType.REACT_TOOL_CALL, call)
            .path(BlockPath.call(turn, CallId.of(call)))
            .mime("application/json")
            .text(text));
  }

  /** A call of a tool whose kind was declared. */
  public Chat declaredCall(String call, String tool, String params, String kind) {
    return add(
        react(BlockType.REACT_TOOL_CALL, call)
            .path(BlockPath.call(turn, CallId.of(call)))
            .mime("application/json")
            .meta(JsonObject.of("tool_kind", JsonValue.of(kind)))
            .text("{\"tool_id\":\"" + tool + "\",\"params\":" + params + "}"));
  }

  public Chat call(String call) {
    return call(call, "tools.run", "{}");
  }

  public Chat result(String call, String text) {
    return add(
        react(BlockType.REACT_TOOL_RESULT, call)
            .path(BlockPath.result(turn, CallId.of(call)))
            .text(text));
  }

  public Chat error(String call, String text) {
    return add(
        react(BlockType.REACT_TOOL_RESULT, call)
            .path(BlockPath.result(turn, CallId.of(call)))
            .error(true)
            .text(text));
  }

  public Chat emptyResult(String call) {
    return add(
        react(BlockType.REACT_TOOL_RESULT, call).path(BlockPath.result(turn, CallId.of(call))));
  }

  public Chat artifact(String call, String path, String text) {
    return add(react(BlockType.REACT_TOOL_RESULT, call).path(BlockPath.parse(path)).text(text));
  }

  public Chat notice(String call, String json) {
    return add(
        react(BlockType.REACT_NOTICE, call)
            .path(BlockPath.notice(turn, CallId.of(call)))
            .text(json));
  }

  public Chat opaque(String call, String raw) {
    return add(
        react(BlockType.MODEL_OPAQUE, call)
            .meta(
                JsonObject.builder()
                    .put("provider", "anthropic")
                    .put("model", "claude-opus-5")
                    .put("kind", "thinking")
                    .build())
            .toolCallId(call)
            .text(raw));
  }

  public Chat gate(String text) {
    return add(
        Block.builder(BlockType.STAGE_GATE)
            .author(Author.GATE)
            .path(BlockPath.artifact(turn, "stage.gate"))
            .text(text));
  }

  public Chat quiet(BlockType type) {
    return add(Block.builder(type).author(Author.SYSTEM).text("quiet"));
  }

  public Chat binary(BlockType type, String path, String mime, int sizeBytes) {
    return add(
        Block.builder(type)
            .author(Author.USER)
            .path(BlockPath.parse(path))
            .mime(mime)
            .data(Binary.of(new byte[sizeBytes])));
  }

  public Chat add(Block.Builder block) {
    now = now.plusSeconds(1);
    timeline = timeline.append(block.turn().isPresent() ? block.build() : at(block));
    return this;
  }

  public Chat addNotPersisted(Block.Builder block) {
    timeline = timeline.appendNotPersisted(at(block));
    return this;
  }

  private Block at(Block.Builder block) {
    return block.build(turn, timeline.entries().isEmpty() ? START : now);
  }

  public Chat hide(long seq, String replacement) {
    timeline =
        timeline.withVisibility(
            List.of(new Visibility(seq, replacement, Visibility.Reason.API, START)));
    return this;
  }

  public Chat summary(long cutSeq, String turnOfCut, boolean prompt, String... covered) {
    JsonObject meta =
        JsonObject.builder()
            .put("covered_turn_ids", dev.contexture.json.JsonArray.ofStrings(List.of(covered)))
            .put("carried", JsonObject.of("prompt", JsonValue.of(prompt)))
            .build();
    timeline =
        timeline.withSummary(
            new Summary(
                "su_" + cutSeq,
                cutSeq,
                1,
                TurnId.of(turnOfCut),
                "SUM",
                "SUM",
                "",
                meta,
                START,
                false));
    return this;
  }

  public Chat with(java.util.function.UnaryOperator<Timeline> change) {
    timeline = change.apply(timeline);
    return this;
  }

  public Timeline timeline() {
    return timeline;
  }

  private static Block.Builder react(BlockType type, String call) {
    return Block.builder(type).author(Author.REACT).toolCallId(call);
  }
}
