package dev.contexture.view;

import dev.contexture.timeline.Timeline;
import dev.contexture.timeline.Window;
import java.util.List;
import java.util.Objects;
import org.apiguardian.api.API;

/**
 * The stable stream of a timeline (T-27, steps 4 to 7): the blocks of the window that emit
 * something, oldest first, with replacements applied. Immutable.
 */
@API(status = API.Status.STABLE, since = "0.1")
public final class View {
  private final Timeline timeline;
  private final Window window;
  private final Dialect dialect;
  private final Filters filters;
  private final List<StreamItem> items;
  private final List<Dropped> dropped;
  private final int[] roundStarts; // the items at which rounds appear, in order
  private final long[] costs; // costs[i]: of the items before i

  View(
      Timeline timeline,
      Window window,
      Dialect dialect,
      Filters filters,
      List<StreamItem> items,
      List<Dropped> dropped,
      int[] roundStarts) {
    this.timeline = timeline;
    this.window = window;
    this.dialect = dialect;
    this.filters = filters;
    this.items = List.copyOf(items);
    this.dropped = List.copyOf(dropped);
    this.roundStarts = roundStarts;
    this.costs = new long[items.size() + 1];
    for (int i = 0; i < items.size(); i++) {
      costs[i + 1] = costs[i] + items.get(i).cost();
    }
  }

  /** Reads the window of a timeline through filters. */
  public static View of(Timeline timeline, Filters filters, Emitter emitter) {
    return new ViewBuilder(filters, emitter).build(timeline);
  }

  public Timeline timeline() {
    return timeline;
  }

  public Window window() {
    return window;
  }

  public Dialect dialect() {
    return dialect;
  }

  public Filters filters() {
    return filters;
  }

  /** The stream, oldest first. */
  public List<StreamItem> items() {
    return items;
  }

  /** Blocks of the window that are not emitted, with the reason. Quiet blocks are not listed. */
  public List<Dropped> dropped() {
    return dropped;
  }

  /** How many rounds the stream shows something of. */
  int rounds() {
    return roundStarts.length;
  }

  /** The index of the last block of a round, rounds in the order of their first appearance. */
  int endOfRound(int ordinal) {
    int start = roundStarts[ordinal];
    Object key = items.get(start).roundKey();
    for (int i = items.size() - 1; i > start; i--) {
      if (Objects.equals(key, items.get(i).roundKey())) {
        return i;
      }
    }
    return start;
  }

  /** The cost of the whole stream. */
  public long cost() {
    return costs[items.size()];
  }

  /** The cost from an index to the end. */
  public long costFrom(int index) {
    return cost() - costs[index];
  }

  /** The cost up to and including an index. */
  public long costUpTo(int index) {
    return costs[index + 1];
  }

  /**
   * The cache points of the stream (T-45).
   *
   * @param cacheLast whether the last block gets one
   */
  public List<CachePoint> cachePoints(CachePoint.Settings settings, boolean cacheLast) {
    return CachePoints.of(this, settings, cacheLast);
  }
}
