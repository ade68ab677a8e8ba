package dev.contexture.block;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/** The id of a turn: letters, digits, underscore and hyphen, never a dot. */
@API(status = API.Status.STABLE, since = "0.1")
public record TurnId(String value) {
  private static final Pattern GRAMMAR = Pattern.compile("[A-Za-z0-9_-]{1,128}");

  public TurnId {
    if (!GRAMMAR.matcher(value).matches()) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_TURN_ID, "turn_id", value, "1 to 128 of A-Z a-z 0-9 _ -");
    }
  }

  public static TurnId of(String value) {
    return new TurnId(value);
  }

  static boolean isValid(String value) {
    return GRAMMAR.matcher(value).matches();
  }

  @Override
  public String toString() {
    return value;
  }
}
