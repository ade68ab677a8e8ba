package dev.contexture.block;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.TemporalAccessor;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * Times as they come and go on the wire: read generously, written in one form, UTC with {@code Z}
 * and 0, 3, 6 or 9 fraction digits, which is that of {@link Instant#toString}.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Timestamps {
  private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,19}(\\.[0-9]{1,9})?");
  private static final String WRITTEN = "0000-00-00T00:00:00Z";
  private static final String WRITTEN_MILLIS = "0000-00-00T00:00:00.000Z";
  private static final Instant FIRST = Instant.parse("0000-01-01T00:00:00Z");
  private static final Instant END = Instant.parse("+100000-01-01T00:00:00Z");
  private static final BigDecimal MILLIS_ABOVE = new BigDecimal("1000000000000");
  private static final BigDecimal NANOS_PER_SECOND = new BigDecimal("1000000000");

  private Timestamps() {}

  /**
   * Reads ISO-8601 with or without offset (without: UTC), or an epoch number: above 10^12 it is
   * milliseconds, else seconds. Years are 0 to 99999.
   *
   * @throws ContextureException {@code invalid_ts} if it is none of these
   */
  public static Instant read(JsonValue value) {
    return read(value, "ts");
  }

  /** As {@link #read(JsonValue)}, for another field than {@code ts}. */
  public static Instant read(JsonValue value, String field) {
    return tryRead(value)
        .orElseThrow(
            () ->
                ContextureException.invalid(
                    ErrorCode.INVALID_TS,
                    field,
                    value instanceof JsonString text ? text.value() : value.toJson(),
                    "ISO-8601 such as 2026-02-09T02:14:32Z, or epoch seconds or milliseconds, of"
                        + " the years 0 to 99999"));
  }

  /** The milliseconds since 1970; the least or the greatest number where a time is beyond it. */
  public static long toMillis(Instant time) {
    try {
      return time.toEpochMilli();
    } catch (ArithmeticException beyond) { // 292 million years away
      return time.getEpochSecond() < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
  }

  /** As {@link #read}, but empty where that fails. */
  public static Optional<Instant> tryRead(JsonValue value) {
    if (value instanceof JsonNumber number) {
      return ofNumber(number.text()).filter(Timestamps::isInRange);
    }
    if (value instanceof JsonString text) {
      return isWritten(text.value())
          ? ofWritten(text.value())
          : ofText(text.value()).filter(Timestamps::isInRange);
    }
    return Optional.empty();
  }

  /** Whether its year is one that everything behind this can hold: 0 to 99999. */
  private static boolean isInRange(Instant time) {
    return !time.isBefore(FIRST) && time.isBefore(END);
  }

  private static Optional<Instant> ofText(String text) {
    return NUMBER.matcher(text).matches() ? ofNumber(text) : ofIso(text);
  }

  /**
   * Whether a text has the form that is written, up to milliseconds: loading reads many of them.
   */
  private static boolean isWritten(String text) {
    int length = text.length();
    if (length != WRITTEN.length() && length != WRITTEN_MILLIS.length()) {
      return false;
    }
    String form = length == WRITTEN.length() ? WRITTEN : WRITTEN_MILLIS;
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      if (form.charAt(i) == '0' ? c < '0' || c > '9' : c != form.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  private static Optional<Instant> ofWritten(String text) {
    int millis = text.length() == WRITTEN.length() ? 0 : number(text, 20, 23);
    try {
      return Optional.of(
          LocalDateTime.of(
                  number(text, 0, 4),
                  number(text, 5, 7),
                  number(text, 8, 10),
                  number(text, 11, 13),
                  number(text, 14, 16),
                  number(text, 17, 19),
                  millis * 1_000_000)
              .toInstant(ZoneOffset.UTC));
    } catch (DateTimeException outOfRange) {
      return ofText(text);
    }
  }

  private static int number(String text, int from, int end) {
    return Integer.parseInt(text, from, end, 10);
  }

  private static Optional<Instant> ofIso(String text) {
    try {
      TemporalAccessor time =
          DateTimeFormatter.ISO_DATE_TIME.parseBest(
              text, OffsetDateTime::from, LocalDateTime::from);
      return Optional.of(
          time instanceof OffsetDateTime zoned
              ? zoned.toInstant()
              : LocalDateTime.from(time).toInstant(ZoneOffset.UTC));
    } catch (DateTimeException unreadable) {
      return Optional.empty();
    }
  }

  private static Optional<Instant> ofNumber(String text) {
    try {
      BigDecimal number = new JsonNumber(text).decimal();
      BigDecimal seconds = number.compareTo(MILLIS_ABOVE) > 0 ? number.movePointLeft(3) : number;
      BigDecimal whole = seconds.setScale(0, RoundingMode.FLOOR);
      long nanos = seconds.subtract(whole).multiply(NANOS_PER_SECOND).longValue();
      return Optional.of(Instant.ofEpochSecond(whole.longValueExact(), nanos));
    } catch (ArithmeticException | DateTimeException | ContextureException outOfRange) {
      return Optional.empty();
    }
  }
}
