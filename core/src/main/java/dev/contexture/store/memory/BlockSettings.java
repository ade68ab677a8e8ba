package dev.contexture.store.memory;

import dev.contexture.json.JsonObject;
import dev.contexture.json.SendableText;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a memory block, beside its content. Names of types and levels, and the form of
 * the schema, are the caller's.
 *
 * @param description what the block is for
 * @param type its kind of memory
 * @param schema the shape of its content; null: none was given
 * @param charLimit how large its content may be
 * @param permission the level of its owner
 * @param pinned whether it is shown without being referred to
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record BlockSettings(
    String description,
    String type,
    @Nullable JsonObject schema,
    long charLimit,
    String permission,
    boolean pinned) {
  public BlockSettings {
    description = SendableText.of(description);
  }
}
