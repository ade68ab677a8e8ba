package dev.contexture.block;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import org.apiguardian.api.API;

/** The id of a turn: letters, digits, underscore and hyphen, never a dot. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record TurnId(String value) {
  private static final int MAX_CHARS = 128;

  public TurnId {
    if (!isValid(value)) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_TURN_ID, "turn_id", value, "1 to 128 of A-Z a-z 0-9 _ -");
    }
  }

  public static TurnId of(String value) {
    return new TurnId(value);
  }

  /** Whether a text is one. */
  public static boolean isValid(String value) {
    return !value.isEmpty() && value.length() <= MAX_CHARS && isName(value, 0, value.length());
  }

  /** Whether part of a text has letters, digits, underscores and hyphens only. */
  static boolean isName(String text, int from, int to) {
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      if (!letter && !(c >= '0' && c <= '9') && c != '_' && c != '-') {
        return false;
      }
    }
    return true;
  }

  @Override
  public String toString() {
    return value;
  }
}
