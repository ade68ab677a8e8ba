package dev.contexture.json;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.math.BigDecimal;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.apiguardian.api.API;

/**
 * A JSON number, kept as it was spelled: {@code 1.10} stays {@code 1.10}, and two numbers are equal
 * only if they are spelled alike.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record JsonNumber(String text) implements JsonValue {
  public JsonNumber {
    if (!isNumber(text)) {
      throw ContextureException.invalid(
          ErrorCode.MALFORMED_JSON, "number", text, "a JSON number such as -1, 1.10 or 2e3");
    }
  }

  /** By hand, since every number of an answer is checked here. */
  private static boolean isNumber(String text) {
    int start = text.startsWith("-") ? 1 : 0;
    int at = digits(text, start);
    if (at == start || (at > start + 1 && text.charAt(start) == '0')) {
      return false;
    }
    if (at < text.length() && text.charAt(at) == '.') {
      int fraction = at + 1;
      at = digits(text, fraction);
      if (at == fraction) {
        return false;
      }
    }
    if (at < text.length() && (text.charAt(at) == 'e' || text.charAt(at) == 'E')) {
      boolean signed = at + 1 < text.length() && "+-".indexOf(text.charAt(at + 1)) >= 0;
      int exponent = at + (signed ? 2 : 1);
      at = digits(text, exponent);
      if (at == exponent) {
        return false;
      }
    }
    return at == text.length();
  }

  /** Where the digits end that begin at a place. */
  private static int digits(String text, int from) {
    int at = from;
    while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
      at++;
    }
    return at;
  }

  /** The value if it is a whole number that a long can hold, however it is spelled. */
  public OptionalLong asLong() {
    if (text.length() <= 18 && text.indexOf('.') < 0 && !hasExponent()) {
      return OptionalLong.of(Long.parseLong(text));
    }
    try {
      return OptionalLong.of(decimal().longValueExact());
    } catch (ArithmeticException notWholeOrTooLarge) {
      return OptionalLong.empty();
    }
  }

  /** The nearest double; empty if none is near, as for {@code 1e400}. */
  public OptionalDouble asDouble() {
    double value = Double.parseDouble(text);
    return Double.isFinite(value) ? OptionalDouble.of(value) : OptionalDouble.empty();
  }

  /**
   * The exact value.
   *
   * @throws ArithmeticException if the exponent is beyond what a decimal can hold
   */
  public BigDecimal decimal() {
    try {
      BigDecimal value = new BigDecimal(text);
      if (Math.abs((long) value.scale()) > 1_000) {
        throw new ArithmeticException("exponent of " + text + " is beyond 1000");
      }
      return value;
    } catch (NumberFormatException exponentTooLarge) {
      ArithmeticException failure =
          new ArithmeticException("exponent of " + text + " is too large");
      failure.initCause(exponentTooLarge);
      throw failure;
    }
  }

  private boolean hasExponent() {
    return text.indexOf('e') >= 0 || text.indexOf('E') >= 0;
  }

  @Override
  public String toString() {
    return text;
  }
}
