package dev.contexture.engine.memory;

import dev.contexture.json.JsonObject;
import dev.contexture.memory.schema.BlockSchema;
import dev.contexture.memory.schema.MemoryBlockType;
import dev.contexture.memory.schema.TextSchema;
import org.apiguardian.api.API;

/**
 * The block that each user of an agent gets at the first turn, empty: a profile, for example.
 *
 * @param label of the block
 * @param description what it is for
 * @param type when it is part of the prompt
 * @param schema the shape of its content
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record BlockTemplate(
    String label, String description, MemoryBlockType type, BlockSchema schema) {

  /** Reads what {@link #toJson} gives; without a type it is always in the prompt. */
  public static BlockTemplate of(JsonObject json) {
    return new BlockTemplate(
        json.string("label").orElse(""),
        json.string("description").orElse(""),
        json.string("type").map(MemoryBlockType::named).orElse(MemoryBlockType.CORE),
        json.find("schema").map(BlockSchema::fromJson).orElse(TextSchema.PLAIN));
  }

  public JsonObject toJson() {
    return JsonObject.builder()
        .put("label", label)
        .put("description", description)
        .put("type", type.wireName())
        .put("schema", schema.toJson())
        .build();
  }

  /** The block of one user. */
  public BlockSpec spec(String user) {
    return BlockSpec.of(label, type).user(user).description(description).schema(schema);
  }
}
