package dev.contexture.model;

import java.util.Locale;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The reason why an answer ended early.
 *
 * @param kind how
 * @param errorCode the provider's code, if it sent an error
 * @param errorMessage the provider's message, if it sent an error
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Cut(Kind kind, @Nullable String errorCode, @Nullable String errorMessage) {
  /** The stream just ended. */
  public static final Cut DISCONNECTED = new Cut(Kind.DISCONNECTED, null, null);

  public static Cut error(@Nullable String code, @Nullable String message) {
    return new Cut(Kind.ERROR, code, message);
  }

  public Optional<String> code() {
    return Optional.ofNullable(errorCode);
  }

  public Optional<String> message() {
    return Optional.ofNullable(errorMessage);
  }

  /** The two ways. */
  public enum Kind {
    DISCONNECTED,
    ERROR;

    public String wireName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
