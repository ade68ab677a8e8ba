package dev.contexture.turn;

import dev.contexture.block.Author;
import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.block.CallId;
import dev.contexture.block.TurnId;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A call that a model made and that wants a result.
 *
 * @param id the engine's id, by which it is answered
 * @param providerCallId the provider's own id
 * @param tool the tool's name
 * @param arguments the arguments as JSON text, as received
 */
@API(status = API.Status.STABLE, since = "0.1")
public record ToolCall(CallId id, @Nullable String providerCallId, String tool, String arguments) {
  /** The arguments as an object. */
  public JsonObject params() {
    return (JsonObject) JsonValue.parse(arguments);
  }

  /**
   * The block of the call.
   *
   * @param meta what is kept with it beside the provider's id
   */
  public Block.Builder block(TurnId turn, JsonObject meta) {
    String text =
        "{\"tool_id\":"
            + new JsonString(tool).toJson()
            + ",\"tool_call_id\":"
            + new JsonString(id.value()).toJson()
            + ",\"params\":"
            + arguments
            + "}";
    return Block.builder(BlockType.REACT_TOOL_CALL)
        .author(Author.REACT)
        .mime("application/json")
        .path(BlockPath.call(turn, id))
        .meta(
            providerCallId == null
                ? meta
                : meta.with("provider_call_id", JsonValue.of(providerCallId)))
        .toolCallId(id.value())
        .toolId(tool)
        .text(text);
  }
}
