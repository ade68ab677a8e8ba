package dev.contexture.provider.history;

import dev.contexture.block.Binary;
import java.time.Instant;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A foreign message, read but not yet understood.
 *
 * @param index its number among those of the conversation
 * @param place where it stands in the file, a JSON pointer
 * @param at when it was said; null: the file does not say
 * @param model who said it; null: not known, or a person
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ForeignMessage(
    Role role,
    int index,
    List<Piece> pieces,
    String place,
    @Nullable Instant at,
    @Nullable String model) {
  public ForeignMessage {
    pieces = List.copyOf(pieces);
  }

  /** One of a list of messages. */
  public ForeignMessage(Role role, int index, List<Piece> pieces) {
    this(role, index, pieces, "/messages/" + index, null, null);
  }

  ForeignMessage with(List<Piece> other) {
    return new ForeignMessage(role, index, other, place, at, model);
  }

  ForeignMessage at(Instant time) {
    return new ForeignMessage(role, index, pieces, place, time, model);
  }

  /** The speaker of a message. */
  public enum Role {
    USER,
    ASSISTANT,
    INSTRUCTIONS
  }

  /** A part of a message. */
  public sealed interface Piece {
    /** Its index in the message. */
    int part();
  }

  public record Text(int part, String text) implements Piece {}

  /**
   * A picture, a document or a sound.
   *
   * @param data null where it is only referred to
   * @param url where it is; null if it is here
   * @param fileId the provider's id for it; null if it has none
   */
  public record Media(
      int part, String mime, @Nullable Binary data, @Nullable String url, @Nullable String fileId)
      implements Piece {}

  public record Call(int part, String id, String tool, String arguments) implements Piece {}

  /**
   * A result with its content, texts and media.
   *
   * @param id of its call; empty: the oldest call without a result
   * @param tool of that call, if only that is known
   */
  public record Result(
      int part, String id, boolean error, List<Piece> content, @Nullable String tool)
      implements Piece {
    public Result {
      content = List.copyOf(content);
    }

    /** The result of a call that has an id. */
    public Result(int part, String id, boolean error, List<Piece> content) {
      this(part, id, error, content, null);
    }
  }

  /**
   * Content that only its maker reads.
   *
   * @param verbatim whether it is another piece of the same number, as its maker wrote it
   */
  public record Opaque(int part, String kind, String json, boolean verbatim) implements Piece {
    /** What is nothing else. */
    public Opaque(int part, String kind, String json) {
      this(part, kind, json, false);
    }
  }
}
