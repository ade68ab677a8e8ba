package dev.contexture.turn;

import dev.contexture.block.BlockPath;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The result of reading one path.
 *
 * @param path what was read
 * @param status what came of it
 * @param tokens what the content costs; 0 if there is none
 * @param totalChars code points of all that the path holds
 * @param next where to read on; null if this is all, or the wish ended earlier
 * @param shown the content, to be contributed; null unless something is to be shown
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PathRead(
    BlockPath path,
    Status status,
    long tokens,
    long totalChars,
    @Nullable Long next,
    ResultPart.@Nullable Artifact shown) {

  /** The status of a read. */
  public enum Status {
    /** What was wished for is in the content. */
    OK,
    /** The content ends at a bound; more follows at {@link PathRead#nextOffset}. */
    TRUNCATED,
    /** The context shows it already. */
    EXISTS,
    /** The path holds nothing. */
    MISSING;

    public String wireName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * The part of a path that is to be read.
   *
   * @param offset the first code point; null: all of it, from the first
   * @param limit the most code points; null: as many as are allowed
   */
  public record Wish(BlockPath path, @Nullable Long offset, @Nullable Long limit) {
    /**
     * @throws ContextureException {@code invalid_argument} for a range that there cannot be
     */
    public Wish {
      if (offset != null && offset < 0) {
        throw ContextureException.invalid(
            ErrorCode.INVALID_ARGUMENT, "offset", offset, "0 or more");
      }
      if (limit != null && limit < 1) {
        throw ContextureException.invalid(ErrorCode.INVALID_ARGUMENT, "limit", limit, "1 or more");
      }
    }

    /** Whether only a part is wished for. */
    public boolean ranged() {
      return offset != null || limit != null;
    }
  }

  /** Where to read on. */
  public OptionalLong nextOffset() {
    return next == null ? OptionalLong.empty() : OptionalLong.of(next);
  }

  /** The content, to be contributed. */
  public Optional<ResultPart.Artifact> content() {
    return Optional.ofNullable(shown);
  }
}
