package dev.contexture.block;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * Selects the rows of the sources pool that a {@code so:sources_pool[...]} path means.
 *
 * <p>Ranges are inclusive in either direction and never expanded; items that are no number or range
 * are ignored.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class SourceSelector {
  private static final Pattern ITEM = Pattern.compile("\\s*([0-9]+)\\s*(?:-\\s*([0-9]+)\\s*)?");
  private static final int MAX_DIGITS = 18;

  private final List<Range> ranges;

  private SourceSelector(List<Range> ranges) {
    this.ranges = ranges;
  }

  static SourceSelector parse(String items) {
    List<Range> ranges = new ArrayList<>();
    for (String item : items.split(",", -1)) {
      Matcher matcher = ITEM.matcher(item);
      if (matcher.matches()) {
        long first = number(matcher.group(1));
        String second = matcher.group(2);
        long last = second == null ? first : number(second);
        ranges.add(new Range(Math.min(first, last), Math.max(first, last)));
      }
    }
    return new SourceSelector(List.copyOf(ranges));
  }

  public boolean selects(long sid) {
    return ranges.stream().anyMatch(range -> range.low <= sid && sid <= range.high);
  }

  private static long number(String digits) {
    return digits.length() > MAX_DIGITS ? Long.MAX_VALUE : Long.parseLong(digits);
  }

  private record Range(long low, long high) {}
}
