package dev.contexture.search;

import java.time.Duration;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** A failure of an embedder, classified by what can be done about it. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class EmbedderException extends RuntimeException {
  /** The kind of a failure, by what can be done about it. */
  public enum Kind {
    /** Trying again may help. */
    TRANSIENT,
    /** A shorter text may help. */
    INPUT_TOO_LARGE,
    /** Nothing helps. */
    PERMANENT
  }

  private final Kind kind;
  private final transient @Nullable Duration retryAfter;

  private EmbedderException(
      Kind kind, String message, @Nullable Duration retryAfter, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
    this.retryAfter = retryAfter;
  }

  /**
   * A failure that may pass.
   *
   * @param retryAfter how long the service asked to wait; null: it did not say
   */
  public static EmbedderException passing(
      String message, @Nullable Duration retryAfter, @Nullable Throwable cause) {
    return new EmbedderException(Kind.TRANSIENT, message, retryAfter, cause);
  }

  public static EmbedderException tooLarge(String message) {
    return new EmbedderException(Kind.INPUT_TOO_LARGE, message, null, null);
  }

  public static EmbedderException permanent(String message, @Nullable Throwable cause) {
    return new EmbedderException(Kind.PERMANENT, message, null, cause);
  }

  public Kind kind() {
    return kind;
  }

  /** How long the service asked to wait. */
  public Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }
}
