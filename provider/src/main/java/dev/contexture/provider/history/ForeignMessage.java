package dev.contexture.provider.history;

import dev.contexture.block.Binary;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** A foreign message, read but not yet understood. */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ForeignMessage(Role role, int index, List<Piece> pieces) {
  public ForeignMessage {
    pieces = List.copyOf(pieces);
  }

  /** Who speaks. */
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

  /** A result with its content, texts and media. */
  public record Result(int part, String id, boolean error, List<Piece> content) implements Piece {
    public Result {
      content = List.copyOf(content);
    }
  }

  /** What only its maker reads. */
  public record Opaque(int part, String kind, String json) implements Piece {}
}
