package dev.contexture.adk;

import com.google.adk.sessions.State;
import dev.contexture.Contexture;
import dev.contexture.block.Scope;
import dev.contexture.engine.memory.BlockSpec;
import dev.contexture.engine.memory.MemoryStore;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.StructuredDocument;
import dev.contexture.memory.schema.MapSchema;
import dev.contexture.memory.schema.MemoryBlockType;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * State that sessions share: that of an app, and that of a user. Each is a map in the memory of an
 * agent that has no other, so that changes of several sessions merge key by key.
 */
final class SharedState {
  private static final String AGENT = "adk-state";
  private static final String APP = "app";
  private static final String USER = "user";
  private static final int MAX_CHARS = 1_000_000;

  /** Names that fields can have as they are; others are written as the hex of their UTF-8. */
  private static final Pattern PLAIN = Pattern.compile("(?!x:)[A-Za-z0-9_.:-]{1,64}");

  private static final String HEX = "x:";

  private final MemoryStore app;
  private final MemoryStore user;

  SharedState(Contexture engine, Scope.OfUser owner) {
    this.app = engine.memory(owner.scope());
    this.user = engine.memory(owner.scope()).forUser(owner.user());
  }

  /** Puts what is shared into the state of a session, under its prefixes. */
  void mergeInto(Map<String, Object> state) {
    merge(app, APP, State.APP_PREFIX, state);
    merge(user, USER, State.USER_PREFIX, state);
  }

  private static void merge(
      MemoryStore memory, String label, String prefix, Map<String, Object> state) {
    memory
        .getSnapshot(AGENT, label)
        .map(snapshot -> ((JsonObject) snapshot.value()).members())
        .orElse(Map.of())
        .forEach((field, value) -> state.put(prefix + key(field), AdkJson.read(value)));
  }

  /** Stores the changes of state that are shared; others are not for here. */
  void change(Map<String, Object> delta) {
    change(app, APP, State.APP_PREFIX, delta);
    change(user, USER, State.USER_PREFIX, delta);
  }

  private static void change(
      MemoryStore memory, String label, String prefix, Map<String, Object> delta) {
    Map<String, Object> mine = new LinkedHashMap<>();
    delta.forEach(
        (key, value) -> {
          if (key.startsWith(prefix)) {
            mine.put(field(key.substring(prefix.length())), value);
          }
        });
    if (!mine.isEmpty()) {
      make(memory, label);
      memory.edit(AGENT, label, "state of ADK", document -> edit(document, mine));
    }
  }

  private static boolean edit(StructuredDocument document, Map<String, Object> changes) {
    changes.forEach(
        (field, value) -> {
          if (!AdkJson.isRemoved(value)) {
            JsonValue json = AdkJson.value(value);
            document.setField(field, json);
          } else if (document.getField(field).isPresent()) {
            document.removeField(field);
          }
        });
    return true;
  }

  private static void make(MemoryStore memory, String label) {
    if (memory.getBlockMetadata(AGENT, label).isPresent()) {
      return;
    }
    BlockSpec spec =
        BlockSpec.of(label, MemoryBlockType.ARCHIVAL)
            .description("state that sessions of ADK share")
            .schema(MapSchema.of())
            .charLimit(MAX_CHARS);
    try {
      memory.createBlock(AGENT, spec);
    } catch (ContextureException refused) {
      if (refused.code() != ErrorCode.LABEL_TAKEN) { // somebody else made it just now
        throw refused;
      }
    }
  }

  private static String field(String key) {
    return PLAIN.matcher(key).matches()
        ? key
        : HEX + HexFormat.of().formatHex(key.getBytes(StandardCharsets.UTF_8));
  }

  private static String key(String field) {
    return field.startsWith(HEX)
        ? new String(HexFormat.of().parseHex(field.substring(HEX.length())), StandardCharsets.UTF_8)
        : field;
  }
}
