package dev.contexture.block;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/** Lengths of time as people write them in settings: {@code 30m}, {@code 12h}, {@code 90d}. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Durations {
  /** What is taken, in words. */
  public static final String FORM = "a number with m, h, d, w or y behind it, such as 90d";

  private static final Pattern PATTERN = Pattern.compile("([1-9][0-9]{0,6})([mhdwy])");
  private static final int DAYS_PER_WEEK = 7;
  private static final int DAYS_PER_YEAR = 365;

  private Durations() {}

  /**
   * Reads minutes, hours, days, weeks or years of 365 days.
   *
   * @throws ContextureException {@code invalid_argument} if it has another form
   */
  public static Duration read(String text, String field) {
    Matcher parts = PATTERN.matcher(text);
    if (!parts.matches()) {
      throw ContextureException.invalid(ErrorCode.INVALID_ARGUMENT, field, text, FORM);
    }
    long number = Long.parseLong(parts.group(1));
    return switch (parts.group(2)) {
      case "m" -> Duration.ofMinutes(number);
      case "h" -> Duration.ofHours(number);
      case "d" -> Duration.ofDays(number);
      case "w" -> Duration.ofDays(number * DAYS_PER_WEEK);
      default -> Duration.ofDays(number * DAYS_PER_YEAR);
    };
  }

  /** Whether a text is such a length of time. */
  public static boolean isDuration(String text) {
    return PATTERN.matcher(text).matches();
  }
}
