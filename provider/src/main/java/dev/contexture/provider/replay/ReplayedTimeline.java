package dev.contexture.provider.replay;

import dev.contexture.block.Author;
import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.block.CallId;
import dev.contexture.block.TurnId;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.request.ToolDef;
import dev.contexture.timeline.Timeline;
import java.time.Instant;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** A timeline that grows by what was recorded. Confined to one thread. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ReplayedTimeline {
  /** When a replay begins. */
  public static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private static final String TOOL = "tool";
  private static final String SAID = "said";

  /** The one tool that all recorded calls are calls of. */
  static final List<ToolDef> TOOLS =
      List.of(new ToolDef(TOOL, "what was called", "{\"type\":\"object\"}"));

  private Timeline timeline = Timeline.empty();
  private @Nullable TurnId turn;

  public Timeline timeline() {
    return timeline;
  }

  public boolean isEmpty() {
    return timeline.entries().isEmpty();
  }

  public void replace(Timeline compacted) {
    timeline = compacted;
  }

  /** The text of a recorded call, from the arguments that it was stored as. */
  public static String said(String arguments) {
    return JsonValue.parse(arguments) instanceof JsonObject json
        ? json.string(SAID).orElse(arguments)
        : arguments;
  }

  public void add(RecordedSession.Event.Said said) {
    TurnId own = TurnId.of("t" + said.turn());
    if (!own.equals(turn)) {
      turn = own;
      timeline = timeline.withActiveTurn(own);
      append(Block.builder(BlockType.TURN_HEADER).author(Author.SYSTEM), own);
    }
    switch (said.kind()) {
      case "tool_use" -> addCall(said, own);
      case "tool_result" -> addResult(said, own);
      default -> addText(said, own);
    }
  }

  private void addText(RecordedSession.Event.Said said, TurnId own) {
    boolean user = said.role().equals("user");
    append(
        Block.builder(user ? BlockType.USER_PROMPT : BlockType.ASSISTANT_COMPLETION)
            .author(user ? Author.USER : Author.ASSISTANT)
            .path(user ? BlockPath.userPrompt(own) : BlockPath.completion(own))
            .text(said.text()),
        own);
  }

  private void addCall(RecordedSession.Event.Said said, TurnId own) {
    String id = id(said);
    JsonObject call =
        JsonObject.builder()
            .put("tool_id", TOOL)
            .put("tool_call_id", CallId.of(id).value())
            .put("params", JsonObject.of(SAID, JsonValue.of(said.text())))
            .build();
    append(
        Block.builder(BlockType.REACT_TOOL_CALL)
            .author(Author.REACT)
            .path(BlockPath.call(own, CallId.of(id)))
            .toolCallId(id)
            .toolId(TOOL)
            .mime("application/json")
            .text(call.toJson()),
        own);
  }

  private void addResult(RecordedSession.Event.Said said, TurnId own) {
    String id = id(said);
    append(
        Block.builder(BlockType.REACT_TOOL_RESULT)
            .author(Author.REACT)
            .path(BlockPath.result(own, CallId.of(id)))
            .toolCallId(id)
            .toolId(TOOL)
            .text(said.text()),
        own);
  }

  private static String id(RecordedSession.Event.Said said) {
    return said.callId() == null ? "call" : said.callId();
  }

  private void append(Block.Builder block, TurnId own) {
    timeline = timeline.append(block.build(own, START.plusSeconds(timeline.nextSeq())));
  }
}
