package dev.contexture.timeline;

import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.CallId;
import dev.contexture.block.TurnId;
import dev.contexture.error.ContextureException;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.util.Optional;
import java.util.OptionalLong;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A block at its place in a timeline. Immutable; two entries are the same only if they are the same
 * object, so that what was computed for one can be kept by identity.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class TimelineEntry {
  /** Is true in the meta of what a model said before it paused. */
  public static final String PAUSED = "paused";

  private static final long NOT_PERSISTED = 0;

  private final long seq;
  private final Block block;

  // What T-10 finds, computed once; a race only computes it twice.
  private @Nullable ToolIdentity identity;

  private TimelineEntry(long seq, Block block) {
    this.seq = seq;
    this.block = block;
  }

  /** A block that has no place yet, to ask about its contents. */
  public static TimelineEntry of(Block block) {
    return notPersisted(block);
  }

  static TimelineEntry stored(long seq, Block block) {
    if (seq < 1) {
      throw new IllegalArgumentException("seq starts at 1, not " + seq);
    }
    return new TimelineEntry(seq, block);
  }

  static TimelineEntry notPersisted(Block block) {
    return new TimelineEntry(NOT_PERSISTED, block);
  }

  public Block block() {
    return block;
  }

  public TurnId turn() {
    return block.turn();
  }

  /** Its position in the conversation, from 1; absent if it is kept with the open turn only. */
  public OptionalLong seq() {
    return seq == NOT_PERSISTED ? OptionalLong.empty() : OptionalLong.of(seq);
  }

  /** Its position, or 0 if it has none. */
  long seqOrZero() {
    return seq;
  }

  /** The call that the block belongs to. */
  public Optional<CallId> callId() {
    return Optional.ofNullable(identity().callId);
  }

  /** The provider's own id of that call, where it had another than the engine's. */
  public Optional<String> providerCallId() {
    return Optional.ofNullable(identity().providerCallId);
  }

  /** The tool, if the block itself names it; else ask the call. */
  public Optional<String> ownToolId() {
    return Optional.ofNullable(identity().toolId);
  }

  /** The recorded answer that the block is a part of. */
  public Optional<String> answerId() {
    return Optional.ofNullable(identity().answerId);
  }

  /** Whether the block is part of an answer in which the model paused. */
  public boolean isPaused() {
    return block.meta().isTrue(PAUSED) && answerId().isPresent();
  }

  /** The arguments of a call; nothing of another block. */
  public JsonObject callParams() {
    return block.type().isCall()
        ? jsonObject().flatMap(json -> json.object("params")).orElse(JsonObject.EMPTY)
        : JsonObject.EMPTY;
  }

  /** The text as a JSON object, if it is one. Parsed at every call. */
  public Optional<JsonObject> jsonObject() {
    return json().filter(JsonObject.class::isInstance).map(JsonObject.class::cast);
  }

  /** The text as a JSON object or array, if it is one. Parsed at every call. */
  public Optional<JsonValue> json() {
    String text = block.text().orElse("");
    int start = 0;
    while (start < text.length() && Character.isWhitespace(text.charAt(start))) {
      start++;
    }
    if (start == text.length() || (text.charAt(start) != '{' && text.charAt(start) != '[')) {
      return Optional.empty();
    }
    try {
      return Optional.of(JsonValue.parse(text));
    } catch (ContextureException notJson) {
      return Optional.empty();
    }
  }

  private ToolIdentity identity() {
    ToolIdentity known = identity;
    if (known == null) {
      known = ToolIdentity.of(this);
      identity = known;
    }
    return known;
  }

  @Override
  public String toString() {
    return (seq == NOT_PERSISTED ? "-" : Long.toString(seq)) + " " + block.type();
  }

  /** The one place that reads the call id and the tool id of a block. */
  private record ToolIdentity(
      @Nullable CallId callId,
      @Nullable String providerCallId,
      @Nullable String toolId,
      @Nullable String answerId) {

    static ToolIdentity of(TimelineEntry entry) {
      Block block = entry.block;
      JsonObject meta = block.meta();
      boolean needsJson =
          block.type().isReact()
              && (missing(block.toolCallId(), meta, "tool_call_id")
                  || missing(block.toolId(), meta, "tool_id"));
      JsonObject json = needsJson ? entry.jsonObject().orElse(JsonObject.EMPTY) : JsonObject.EMPTY;
      Optional<String> named =
          block
              .toolCallId()
              .map(CallId::value)
              .or(() -> text(meta, "tool_call_id"))
              .or(() -> text(json, "tool_call_id"));
      CallId callId =
          named.map(CallId::of).or(() -> block.path().flatMap(BlockPath::callId)).orElse(null);
      String provider =
          text(meta, "provider_call_id")
              .or(() -> named.filter(id -> !CallId.isEngineForm(id)))
              .orElse(null);
      String tool =
          block
              .toolId()
              .or(() -> text(meta, "tool_id"))
              .or(() -> text(json, "tool_id"))
              .orElse(null);
      return new ToolIdentity(callId, provider, tool, text(meta, "answer_id").orElse(null));
    }

    private static boolean missing(Optional<?> field, JsonObject meta, String key) {
      return field.isEmpty() && text(meta, key).isEmpty();
    }

    private static Optional<String> text(JsonObject object, String key) {
      return object.string(key).filter(value -> !value.isEmpty());
    }
  }
}
