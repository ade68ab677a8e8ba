package dev.contexture.timeline;

import dev.contexture.block.BlockPath;
import dev.contexture.block.Limits;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apiguardian.api.API;

/**
 * The sources that the agent has found, by numbers that never shift and never return for another
 * source. Immutable.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class SourcesPool {
  public static final SourcesPool EMPTY = new SourcesPool(new TreeMap<>(), Map.of(), Map.of(), 0);

  private final TreeMap<Long, PoolSource> rows;
  private final Map<Long, PoolSource> removed; // what they said, should they come back
  private final Map<String, Long> sidsByKey;
  private final long maxSid;

  private SourcesPool(
      TreeMap<Long, PoolSource> rows,
      Map<Long, PoolSource> removed,
      Map<String, Long> sidsByKey,
      long maxSid) {
    this.rows = rows;
    this.removed = removed;
    this.sidsByKey = sidsByKey;
    this.maxSid = maxSid;
  }

  /**
   * The pool as it was kept.
   *
   * @param visible the rows that are shown, with their numbers
   * @param hidden the rows that were shown before, as far as they are known
   * @param sidsByKey every source that ever had a number
   */
  public static SourcesPool restore(
      List<PoolSource> visible, List<PoolSource> hidden, Map<String, Long> sidsByKey) {
    TreeMap<Long, PoolSource> rows = new TreeMap<>();
    visible.forEach(row -> rows.put(row.sid(), row));
    Map<Long, PoolSource> removed = new HashMap<>();
    hidden.forEach(row -> removed.put(row.sid(), row));
    long max = sidsByKey.values().stream().mapToLong(Long::longValue).max().orElse(0);
    return new SourcesPool(rows, removed, Map.copyOf(sidsByKey), max);
  }

  /** The visible rows, by number. */
  public List<PoolSource> rows() {
    return List.copyOf(rows.values());
  }

  /** The highest number that was ever given. */
  public long maxSid() {
    return maxSid;
  }

  /** Every source that ever had a number, visible or not. */
  public Map<String, Long> sidsByKey() {
    return Map.copyOf(sidsByKey);
  }

  /** The rows that a {@code so:} path selects, by number, each once. */
  public List<PoolSource> select(BlockPath path) {
    var selector = path.selector();
    return rows.values().stream().filter(row -> selector.selects(row.sid())).toList();
  }

  /**
   * Adds rows: those of a known source, also of a removed one, are merged into it, the others get
   * the next numbers.
   *
   * @throws ContextureException {@code sid_conflict}, {@code sources_too_many} or {@code
   *     source_too_large}; nothing is changed then
   */
  public SourcesPool merge(List<PoolSource> added, Limits limits) {
    return change(new TreeMap<>(rows), removed, added, limits);
  }

  /** Replaces the visible rows. Numbers stay those of their sources. */
  public SourcesPool replace(List<PoolSource> replacement, Limits limits) {
    return change(new TreeMap<>(), Map.of(), replacement, limits);
  }

  private SourcesPool change(
      TreeMap<Long, PoolSource> next,
      Map<Long, PoolSource> returning,
      List<PoolSource> added,
      Limits limits) {
    Map<String, Long> keys = new HashMap<>(sidsByKey);
    Map<Long, String> owners = owners();
    long max = maxSid;
    for (int i = 0; i < added.size(); i++) {
      PoolSource row = added.get(i);
      try {
        limits.checkSourceText(row.text());
        long sid = sidOf(row, keys, owners, max);
        max = Math.max(max, sid);
        String key = row.key().orElse("sid:" + sid);
        keys.put(key, sid);
        owners.put(sid, key);
        PoolSource numbered = row.withSid(sid);
        PoolSource known = next.getOrDefault(sid, returning.get(sid));
        next.put(sid, known == null ? numbered : known.mergedWith(numbered));
      } catch (ContextureException refused) {
        throw refused.within("sources[" + i + "]");
      }
    }
    limits.checkSources(next.size());
    Map<Long, PoolSource> gone = new HashMap<>(removed);
    gone.putAll(rows);
    gone.keySet().removeAll(next.keySet());
    return new SourcesPool(next, gone, keys, max);
  }

  private static long sidOf(
      PoolSource row, Map<String, Long> keys, Map<Long, String> owners, long max) {
    Long known = row.key().map(keys::get).orElse(null);
    if (row.sid() == 0) {
      return known != null ? known : max + 1;
    }
    String owner = owners.get(row.sid());
    boolean another = owner != null && !owner.equals(row.key().orElse("sid:" + row.sid()));
    if (another || (known != null && known != row.sid())) {
      throw ContextureException.invalid(
          ErrorCode.SID_CONFLICT,
          "sid",
          row.sid(),
          known != null ? "the number of this source, " + known : "a number that no source has");
    }
    return row.sid();
  }

  private Map<Long, String> owners() {
    Map<Long, String> owners = new HashMap<>();
    sidsByKey.forEach((key, sid) -> owners.put(sid, key));
    return owners;
  }

  /** The numbers of the visible rows as a short list, for example {@code 1-3,5}. */
  public String compressedSids() {
    List<String> ranges = new ArrayList<>();
    long first = -1;
    long last = -1;
    for (long sid : rows.keySet()) {
      if (sid != last + 1 || first < 0) {
        addRange(ranges, first, last);
        first = sid;
      }
      last = sid;
    }
    addRange(ranges, first, last);
    return String.join(",", ranges);
  }

  private static void addRange(List<String> ranges, long first, long last) {
    if (first >= 0) {
      ranges.add(first == last ? Long.toString(first) : first + "-" + last);
    }
  }
}
