package dev.contexture.simulator.replay;

import dev.contexture.block.Author;
import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.block.CallId;
import dev.contexture.block.TurnId;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.request.ToolDef;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;

/**
 * The blocks of a recorded session. A recording does not say which tool was called: all calls are
 * calls of its first tool.
 *
 * @param tools what the model may call
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record RecordedBlocks(List<ToolDef> tools) {
  private static final String SAID = "said";
  private static final String OPEN_SCHEMA = "{\"type\":\"object\"}";

  /** Blocks of a session without tools: one stands for all. */
  public static final RecordedBlocks WITHOUT_TOOLS =
      new RecordedBlocks(List.of(new ToolDef("tool", "what was called", OPEN_SCHEMA)));

  public RecordedBlocks {
    tools = List.copyOf(tools);
  }

  /** Blocks with the tools of a session. */
  public static RecordedBlocks of(RecordedSession session) {
    List<ToolDef> tools = new ArrayList<>();
    if (session.tools() instanceof JsonArray recorded) {
      for (JsonValue tool : recorded.items()) {
        tools.add(tool(tool, tools.size()));
      }
    }
    return tools.isEmpty() ? WITHOUT_TOOLS : new RecordedBlocks(tools);
  }

  /** A definition, however it is written: its name, its description and its schema. */
  private static ToolDef tool(JsonValue recorded, int index) {
    JsonObject outer = recorded instanceof JsonObject object ? object : JsonObject.EMPTY;
    JsonObject tool = outer.object("function").orElse(outer);
    String schema =
        tool.object("input_schema")
            .or(() -> tool.object("parameters"))
            .map(JsonObject::toJson)
            .orElse(OPEN_SCHEMA);
    return new ToolDef(
        tool.string("name").orElse("tool_" + index),
        tool.string("description").orElseGet(recorded::toJson),
        schema);
  }

  /** The text of a recorded call, from the arguments that it was stored as. */
  public static String said(String arguments) {
    return JsonValue.parse(arguments) instanceof JsonObject json
        ? json.string(SAID).orElse(arguments)
        : arguments;
  }

  /** What was said, as a block of a turn. */
  public Block.Builder block(RecordedSession.Event.Said said, TurnId turn) {
    return switch (said.kind()) {
      case "tool_use" -> call(said, turn);
      case "tool_result" -> result(said, turn);
      default -> text(said, turn);
    };
  }

  private static Block.Builder text(RecordedSession.Event.Said said, TurnId turn) {
    boolean user = said.role().equals("user");
    return Block.builder(user ? BlockType.USER_PROMPT : BlockType.ASSISTANT_COMPLETION)
        .author(user ? Author.USER : Author.ASSISTANT)
        .path(user ? BlockPath.userPrompt(turn) : BlockPath.completion(turn))
        .text(said.text());
  }

  private Block.Builder call(RecordedSession.Event.Said said, TurnId turn) {
    CallId id = id(said);
    String tool = tools.getFirst().name();
    JsonObject call =
        JsonObject.builder()
            .put("tool_id", tool)
            .put("tool_call_id", id.value())
            .put("params", JsonObject.of(SAID, JsonValue.of(said.text())))
            .build();
    return Block.builder(BlockType.REACT_TOOL_CALL)
        .author(Author.REACT)
        .path(BlockPath.call(turn, id))
        .toolCallId(id.value())
        .toolId(tool)
        .mime("application/json")
        .text(call.toJson());
  }

  private Block.Builder result(RecordedSession.Event.Said said, TurnId turn) {
    CallId id = id(said);
    return Block.builder(BlockType.REACT_TOOL_RESULT)
        .author(Author.REACT)
        .path(BlockPath.result(turn, id))
        .toolCallId(id.value())
        .toolId(tools.getFirst().name())
        .text(said.text());
  }

  private static CallId id(RecordedSession.Event.Said said) {
    return CallId.of(said.callId() == null ? "call" : said.callId());
  }
}
