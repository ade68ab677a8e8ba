package dev.contexture.request;

import dev.contexture.error.Choices;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.util.Arrays;
import java.util.Locale;
import org.apiguardian.api.API;

/**
 * The effort that a model makes. No provider takes all of them; what one does not take is refused.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum Effort {
  NONE,
  MINIMAL,
  LOW,
  MEDIUM,
  HIGH,
  XHIGH,
  MAX;

  /** The word for it. */
  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The effort of this name.
   *
   * @throws ContextureException {@code invalid_argument}
   */
  public static Effort named(String word) {
    return Arrays.stream(values())
        .filter(effort -> effort.wireName().equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                ContextureException.invalid(
                    ErrorCode.INVALID_ARGUMENT,
                    "effort",
                    word,
                    Choices.inWords(Arrays.stream(values()).map(Effort::wireName).toList())));
  }
}
