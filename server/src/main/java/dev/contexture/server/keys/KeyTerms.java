package dev.contexture.server.keys;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.time.Instant;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The name and the expiry of a key.
 *
 * @param name what people call it, in lists and in the audit log; several keys may share one, so
 *     that a key can be replaced by another of the same name; null: it has none
 * @param expiresAt from when on it is refused; null: never
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record KeyTerms(@Nullable String name, @Nullable Instant expiresAt) {
  /** Without a name, for ever. */
  public static final KeyTerms NONE = new KeyTerms(null, null);

  private static final int MAX_NAME = 100;

  /**
   * @throws ContextureException {@code invalid_argument} if the name is blank, too long, or has
   *     characters that cannot be seen
   */
  public KeyTerms {
    boolean unfit =
        name != null
            && (name.isBlank()
                || name.length() > MAX_NAME
                || name.chars().anyMatch(Character::isISOControl));
    if (unfit) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT,
          "name",
          name,
          "1 to " + MAX_NAME + " characters without line breaks or control characters");
    }
  }

  public KeyTerms withName(@Nullable String other) {
    return new KeyTerms(other, expiresAt);
  }

  public KeyTerms withExpiry(@Nullable Instant other) {
    return new KeyTerms(name, other);
  }
}
