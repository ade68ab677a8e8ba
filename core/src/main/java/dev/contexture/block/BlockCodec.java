package dev.contexture.block;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonBoolean;
import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Blocks on the wire: aliases are read, canonical names are written, unknown fields and metadata
 * survive.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class BlockCodec {
  private static final Map<String, String> ALIASES =
      Map.of(
          "kind", "type",
          "role", "author",
          "turn", "turn_id",
          "media_type", "mime",
          "base64", "data",
          "call_id", "tool_call_id");

  private static final Set<String> FIELDS =
      Set.of(
          "id",
          "type",
          "author",
          "turn_id",
          "ts",
          "mime",
          "path",
          "text",
          "data",
          "tool_call_id",
          "tool_id",
          "is_error",
          "meta",
          "hidden",
          "replacement_text",
          "seq");

  private BlockCodec() {}

  /**
   * Reads a block that somebody contributes: what cannot be read is refused. Its turn and time may
   * be missing; {@link Block.Builder#build(TurnId, java.time.Instant)} fills them in.
   *
   * @throws ContextureException that names the field, its value and what is allowed
   */
  public static Block.Builder readContribution(JsonObject wire) {
    return new Reader(canonical(wire)).read(false);
  }

  /**
   * Reads a block that was stored: a time that cannot be read is kept in {@code meta.ts_raw}, so
   * that nothing is lost.
   */
  public static Block readStored(JsonObject wire) {
    return new Reader(canonical(wire)).read(true).build();
  }

  /** Writes the canonical wire form; absent fields are left out. */
  public static JsonObject write(Block block) {
    return write(block, true);
  }

  /** Writes the canonical wire form without binary data, for those who keep it apart. */
  public static JsonObject writeWithoutData(Block block) {
    return write(block, false);
  }

  private static JsonObject write(Block block, boolean withData) {
    JsonObject.Builder wire = JsonObject.builder();
    block.id().ifPresent(id -> wire.put("id", id));
    wire.put("type", block.type().name());
    wire.put("author", block.author().name());
    wire.put("turn_id", block.turn().value());
    block.ts().ifPresent(ts -> wire.put("ts", ts.toString()));
    wire.put("mime", block.mime());
    block.path().ifPresent(path -> wire.put("path", path.text()));
    block.text().ifPresent(text -> wire.put("text", text));
    if (withData) {
      block.data().ifPresent(data -> wire.put("data", data.base64()));
    }
    block.toolCallId().ifPresent(call -> wire.put("tool_call_id", call.value()));
    block.toolId().ifPresent(tool -> wire.put("tool_id", tool));
    if (block.isError()) {
      wire.put("is_error", true);
    }
    if (!block.meta().isEmpty()) {
      wire.put("meta", block.meta());
    }
    if (block.hidden()) {
      wire.put("hidden", true);
      block.replacementText().ifPresent(text -> wire.put("replacement_text", text));
    }
    return wire.putAll(block.unknownFields()).build();
  }

  /** Canonical names only; where a name and its alias both occur, the name wins. */
  private static Map<String, JsonValue> canonical(JsonObject wire) {
    if (isCanonical(wire)) {
      return wire.members();
    }
    Map<String, JsonValue> fields = new LinkedHashMap<>();
    for (Map.Entry<String, JsonValue> field : wire.members().entrySet()) {
      String name = ALIASES.get(field.getKey());
      if (name != null && isAbsent(wire.members().get(name))) {
        fields.put(name, field.getValue());
      } else if (name == null && !(isAbsent(field.getValue()) && FIELDS.contains(field.getKey()))) {
        fields.put(field.getKey(), field.getValue());
      }
    }
    return fields;
  }

  /** Whether a block is as {@link #write} writes it: loading reads many of them. */
  private static boolean isCanonical(JsonObject wire) {
    for (Map.Entry<String, JsonValue> field : wire.members().entrySet()) {
      if (ALIASES.containsKey(field.getKey()) || isAbsent(field.getValue())) {
        return false;
      }
    }
    return true;
  }

  private static boolean isAbsent(@Nullable JsonValue value) {
    return value == null || value == JsonNull.NULL;
  }

  /** Reads the fields of one block. */
  private static final class Reader {
    private final Map<String, JsonValue> fields;

    Reader(Map<String, JsonValue> fields) {
      this.fields = fields;
    }

    Block.Builder read(boolean stored) {
      Block.Builder block =
          Block.builder(string("type").map(BlockType::of).orElse(BlockType.AGENT_BLOCK));
      JsonObject meta = object("meta");
      if (!stored) {
        checkReferences(meta);
      }
      string("id", block::id);
      string("author", name -> block.author(Author.of(name)));
      string("turn_id", id -> block.turn(TurnId.of(id)));
      string("mime", block::mime);
      string("path", path -> block.path(BlockPath.parse(path)));
      string("text", block::text);
      string("data", data -> block.data(Binary.ofBase64(data)));
      block.meta(ts(block, meta, stored));
      string("tool_call_id", block::toolCallId);
      string("tool_id", block::toolId);
      block.error(flag("is_error"));
      if (fields.containsKey("hidden") ? flag("hidden") : meta.isTrue("hidden")) {
        block.hidden(
            string("replacement_text").or(() -> meta.string("replacement_text")).orElse(null));
      }
      return block.unknownFields(unknown());
    }

    /** Memory blocks are named by an array of strings. */
    private static void checkReferences(JsonObject meta) {
      JsonValue references = meta.find("block_refs").orElse(null);
      boolean named =
          isAbsent(references)
              || (references instanceof JsonArray array
                  && array.items().stream().allMatch(JsonString.class::isInstance));
      if (!named) {
        throw ContextureException.invalid(
            ErrorCode.FIELD_TYPE,
            "meta.block_refs",
            String.valueOf(references),
            "an array of strings, the labels of memory blocks");
      }
    }

    private JsonObject ts(Block.Builder block, JsonObject meta, boolean stored) {
      JsonValue value = fields.get("ts");
      if (value == null || value == JsonNull.NULL) {
        return meta;
      }
      if (!stored) {
        block.ts(Timestamps.read(value));
        return meta;
      }
      var read = Timestamps.tryRead(value);
      read.ifPresent(block::ts);
      return read.isPresent() ? meta : meta.with("ts_raw", value);
    }

    private JsonObject unknown() {
      if (FIELDS.containsAll(fields.keySet())) {
        return JsonObject.EMPTY;
      }
      JsonObject.Builder unknown = JsonObject.builder();
      fields.forEach(
          (name, value) -> {
            if (!FIELDS.contains(name)) {
              unknown.put(name, value);
            }
          });
      return unknown.build();
    }

    private void string(String name, Consumer<String> use) {
      string(name).ifPresent(use);
    }

    private Optional<String> string(String name) {
      JsonValue value = fields.get(name);
      if (isAbsent(value)) {
        return Optional.empty();
      }
      if (value instanceof JsonString text) {
        return Optional.of(text.value());
      }
      throw wrongType(name, value, "a string");
    }

    private boolean flag(String name) {
      JsonValue value = fields.get(name);
      if (isAbsent(value)) {
        return false;
      }
      if (value instanceof JsonBoolean flag) {
        return flag.value();
      }
      throw wrongType(name, value, "true or false");
    }

    private JsonObject object(String name) {
      JsonValue value = fields.get(name);
      if (isAbsent(value)) {
        return JsonObject.EMPTY;
      }
      if (value instanceof JsonObject object) {
        return object;
      }
      throw wrongType(name, value, "an object");
    }

    private static ContextureException wrongType(
        String name, @Nullable JsonValue value, String allowed) {
      return ContextureException.invalid(
          ErrorCode.FIELD_TYPE, name, value == null ? null : value.toJson(), allowed);
    }
  }
}
