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
 * Times as they come and go on the wire (T-9): read generously, written in one form, UTC with
 * {@code Z} and 0, 3, 6 or 9 fraction digits, which is that of {@link Instant#toString}.
 */
@API(status = API.Status.STABLE, since = "0.1")
public final class Timestamps {
  private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,19}(\\.[0-9]{1,9})?");
  private static final BigDecimal MILLIS_ABOVE = new BigDecimal("1000000000000");
  private static final BigDecimal NANOS_PER_SECOND = new BigDecimal("1000000000");

  private Timestamps() {}

  /**
   * Reads ISO-8601 with or without offset (without: UTC), or an epoch number: above 10^12 it is
   * milliseconds, else seconds.
   *
   * @throws ContextureException {@code invalid_ts} if it is none of these
   */
  public static Instant read(JsonValue value) {
    return tryRead(value)
        .orElseThrow(
            () ->
                ContextureException.invalid(
                    ErrorCode.INVALID_TS,
                    "ts",
                    value instanceof JsonString text ? text.value() : value.toJson(),
                    "ISO-8601 such as 2026-02-09T02:14:32Z, or epoch seconds or milliseconds"));
  }

  /** As {@link #read}, but empty where that fails. */
  public static Optional<Instant> tryRead(JsonValue value) {
    if (value instanceof JsonNumber number) {
      return ofNumber(number.text());
    }
    if (value instanceof JsonString text) {
      return NUMBER.matcher(text.value()).matches() ? ofNumber(text.value()) : ofIso(text.value());
    }
    return Optional.empty();
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
