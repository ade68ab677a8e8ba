package dev.contexture.block;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.json.SendableText;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * One entry of a timeline. Immutable. The set of types is open: see {@link BlockType}.
 *
 * <p>A block exists only with valid fields and with text that can be sent ({@link SendableText});
 * sizes are judged by {@link Limits#check}. Its position is not part of it: the timeline that holds
 * the block gives it a sequence number.
 */
@API(status = API.Status.STABLE, since = "0.1")
public final class Block {
  /** The mime of a block that does not name one. */
  public static final String DEFAULT_MIME = "text/markdown";

  /** The mime of a block that has only binary content and does not name one. */
  public static final String DEFAULT_BINARY_MIME = "application/octet-stream";

  private static final Pattern ID = Pattern.compile("[A-Za-z0-9._:-]{1,128}");

  private final @Nullable String id;
  private final BlockType type;
  private final Author author;
  private final TurnId turn;
  private final @Nullable Instant ts;
  private final String mime;
  private final @Nullable BlockPath path;
  private final @Nullable String text;
  private final @Nullable Binary data;
  private final @Nullable CallId toolCallId;
  private final @Nullable String toolId;
  private final boolean error;
  private final JsonObject meta;
  private final boolean hidden;
  private final @Nullable String replacementText;
  private final JsonObject unknownFields;

  private Block(Builder builder, TurnId turn, @Nullable Instant ts) {
    this.id = builder.id;
    this.type = builder.type;
    this.author = builder.author;
    this.turn = turn;
    this.ts = ts;
    this.path = builder.path;
    this.text = sendable(builder.text);
    this.data = builder.data;
    this.mime =
        builder.mime != null
            ? builder.mime
            : builder.data != null && builder.text == null ? DEFAULT_BINARY_MIME : DEFAULT_MIME;
    this.toolCallId = builder.toolCallId;
    this.toolId = sendable(builder.toolId);
    this.error = builder.error;
    this.meta = SendableText.of(builder.meta);
    this.hidden = builder.hidden;
    this.replacementText = sendable(builder.replacementText);
    this.unknownFields = SendableText.of(builder.unknownFields);
  }

  private static @Nullable String sendable(@Nullable String text) {
    return text == null ? null : SendableText.of(text);
  }

  /** Starts a block of the given type; author and everything else have defaults or are absent. */
  public static Builder builder(BlockType type) {
    return new Builder(type);
  }

  /** The caller's own key, unique in the conversation. */
  public Optional<String> id() {
    return Optional.ofNullable(id);
  }

  public BlockType type() {
    return type;
  }

  public Author author() {
    return author;
  }

  public TurnId turn() {
    return turn;
  }

  /** When it was written; absent only if stored data had a time that could not be read. */
  public Optional<Instant> ts() {
    return Optional.ofNullable(ts);
  }

  public String mime() {
    return mime;
  }

  /** Its address. A block without one cannot be read, hidden or pruned. */
  public Optional<BlockPath> path() {
    return Optional.ofNullable(path);
  }

  public Optional<String> text() {
    return Optional.ofNullable(text);
  }

  public Optional<Binary> data() {
    return Optional.ofNullable(data);
  }

  public Optional<CallId> toolCallId() {
    return Optional.ofNullable(toolCallId);
  }

  public Optional<String> toolId() {
    return Optional.ofNullable(toolId);
  }

  /** Whether its producer said that it is an error; never guessed from its text. */
  public boolean isError() {
    return error;
  }

  public JsonObject meta() {
    return meta;
  }

  /** Whether it was contributed as hidden; the timeline's visibility records decide later on. */
  public boolean hidden() {
    return hidden;
  }

  /** What stands in its place if it was contributed as hidden. */
  public Optional<String> replacementText() {
    return Optional.ofNullable(replacementText);
  }

  /** Top-level fields of the wire form that this version does not know, kept as they were. */
  public JsonObject unknownFields() {
    return unknownFields;
  }

  public Builder toBuilder() {
    Builder builder = new Builder(type);
    builder.id = id;
    builder.author = author;
    builder.turn = turn;
    builder.ts = ts;
    builder.mime = mime;
    builder.path = path;
    builder.text = text;
    builder.data = data;
    builder.toolCallId = toolCallId;
    builder.toolId = toolId;
    builder.error = error;
    builder.meta = meta;
    builder.hidden = hidden;
    builder.replacementText = replacementText;
    builder.unknownFields = unknownFields;
    return builder;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Block block
        && BlockCodec.write(this).toJson().equals(BlockCodec.write(block).toJson());
  }

  @Override
  public int hashCode() {
    return Objects.hash(type, turn, path, text);
  }

  /** The wire form. */
  @Override
  public String toString() {
    return BlockCodec.write(this).toJson();
  }

  /** Collects the fields of a block. Confined to one thread. */
  public static final class Builder {
    private @Nullable String id;
    private final BlockType type;
    private Author author = Author.AGENT;
    private @Nullable TurnId turn;
    private @Nullable Instant ts;
    private @Nullable String mime;
    private @Nullable BlockPath path;
    private @Nullable String text;
    private @Nullable Binary data;
    private @Nullable CallId toolCallId;
    private @Nullable String toolId;
    private boolean error;
    private JsonObject meta = JsonObject.EMPTY;
    private boolean hidden;
    private @Nullable String replacementText;
    private JsonObject unknownFields = JsonObject.EMPTY;

    private Builder(BlockType type) {
      this.type = type;
    }

    /** A key of the caller's own, which makes contributing the block twice harmless. */
    public Builder id(String id) {
      if (!ID.matcher(id).matches()) {
        throw ContextureException.invalid(
            ErrorCode.INVALID_ID, "id", id, "1 to 128 of A-Z a-z 0-9 . _ : -");
      }
      this.id = id;
      return this;
    }

    public Builder author(Author author) {
      this.author = author;
      return this;
    }

    public Builder turn(TurnId turn) {
      this.turn = turn;
      return this;
    }

    public Builder ts(Instant ts) {
      this.ts = ts;
      return this;
    }

    public Builder mime(String mime) {
      if (mime.equals(DEFAULT_MIME)) {
        this.mime = DEFAULT_MIME; // most blocks have it: one text for all of them
        return this;
      }
      if (mime.isBlank() || mime.length() > 255 || mime.chars().anyMatch(Character::isISOControl)) {
        throw ContextureException.invalid(
            ErrorCode.INVALID_MIME, "mime", mime, "a media type such as text/plain");
      }
      this.mime = SendableText.of(mime);
      return this;
    }

    public Builder path(BlockPath path) {
      this.path = path;
      return this;
    }

    public Builder text(String text) {
      this.text = text;
      return this;
    }

    public Builder data(Binary data) {
      this.data = data;
      return this;
    }

    /**
     * The call that the block belongs to. An id that is not of the engine's form is mapped to one,
     * and the original is kept in {@code meta.provider_call_id}.
     */
    public Builder toolCallId(String id) {
      this.toolCallId = CallId.of(id);
      if (!CallId.isEngineForm(id) && !meta.has("provider_call_id")) {
        this.meta = meta.with("provider_call_id", JsonValue.of(id));
      }
      return this;
    }

    public Builder toolId(String toolId) {
      this.toolId = toolId;
      return this;
    }

    public Builder error(boolean error) {
      this.error = error;
      return this;
    }

    /** Replaces the metadata; give it before {@link #toolCallId}, which may add to it. */
    public Builder meta(JsonObject meta) {
      this.meta = meta;
      return this;
    }

    public Builder meta(String key, JsonValue value) {
      this.meta = meta.with(key, value);
      return this;
    }

    /** Contributes the block hidden; what the model sees instead is the replacement, if any. */
    public Builder hidden(@Nullable String replacement) {
      this.hidden = true;
      this.replacementText = replacement;
      return this;
    }

    Builder unknownFields(JsonObject fields) {
      this.unknownFields = fields;
      return this;
    }

    /** The turn, if one was named. */
    public Optional<TurnId> turn() {
      return Optional.ofNullable(turn);
    }

    /** The caller's key, if one was given. */
    public Optional<String> id() {
      return Optional.ofNullable(id);
    }

    /** Fills in what the block does not say itself: its turn and its time. */
    public Block build(TurnId activeTurn, Instant now) {
      return new Block(this, turn == null ? activeTurn : turn, ts == null ? now : ts);
    }

    /**
     * Builds the block as it is.
     *
     * @throws ContextureException {@code field_required} without a turn
     */
    public Block build() {
      if (turn == null) {
        throw ContextureException.invalid(
            ErrorCode.FIELD_REQUIRED, "turn_id", null, "the id of the block's turn");
      }
      return new Block(this, turn, ts);
    }
  }
}
