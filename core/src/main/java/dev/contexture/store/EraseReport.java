package dev.contexture.store;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.apiguardian.api.API;

/**
 * A report of what an erase removed.
 *
 * @param counts how many of each kind, by kind; kinds of which there was nothing are absent
 * @param pending whether copies may still be in files that somebody else reads: nobody can read
 *     them through the engine any more, and they go by themselves when that reader lets go
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record EraseReport(Map<String, Long> counts, boolean pending) {
  public EraseReport {
    TreeMap<String, Long> some = new TreeMap<>(counts);
    some.values().removeIf(count -> count == 0);
    counts = Collections.unmodifiableMap(some);
  }

  /** The same, of which copies may still be in files. */
  public EraseReport pending(boolean still) {
    return new EraseReport(counts, still);
  }

  /** How many of a kind were removed. */
  public long count(String kind) {
    return counts.getOrDefault(kind, 0L);
  }
}
