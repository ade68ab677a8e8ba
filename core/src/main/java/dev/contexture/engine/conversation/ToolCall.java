package dev.contexture.engine.conversation;

import dev.contexture.block.CallId;
import dev.contexture.json.JsonObject;
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
}
