package dev.contexture.view;

import dev.contexture.block.Block;
import dev.contexture.block.BlockType;
import dev.contexture.timeline.GrowingList;
import dev.contexture.timeline.Timeline;
import dev.contexture.timeline.Window;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The stable stream of a timeline (T-27, steps 4 to 7): the blocks of the window that emit
 * something, oldest first, with replacements applied. Immutable.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class View {
  private final Timeline timeline;
  private final Window window;
  private final Dialect dialect;
  private final ContributionFilters filters;
  private final GrowingList<StreamItem> items;
  private final GrowingList<DroppedBlock> dropped;

  View(
      Timeline timeline,
      Window window,
      Dialect dialect,
      ContributionFilters filters,
      GrowingList<StreamItem> items,
      GrowingList<DroppedBlock> dropped) {
    this.timeline = timeline;
    this.window = window;
    this.dialect = dialect;
    this.filters = filters;
    this.items = items;
    this.dropped = dropped;
  }

  /** Reads the window of a timeline through filters. */
  public static View of(Timeline timeline, ContributionFilters filters, Emitter emitter) {
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

  public ContributionFilters filters() {
    return filters;
  }

  /** The stream, oldest first. */
  public List<StreamItem> items() {
    return items;
  }

  /**
   * The first index from a given one on at which the stream does not hold the same object as
   * another one, or at which the shorter one ends.
   */
  public int firstDifference(View other, int from) {
    return items.firstDifference(other.items, from);
  }

  /** Blocks of the window that are not emitted, with the reason. Quiet blocks are not listed. */
  public List<DroppedBlock> dropped() {
    return dropped;
  }

  /**
   * The newest text that earlier requests said at their end, as the conversation repeats it, of
   * those that begin with a word.
   */
  public Optional<String> lastTail(String beginning) {
    for (StreamItem item : items.reversed()) {
      if (item.type().equals(BlockType.CONTEXT_TAIL)) {
        String text = item.block().flatMap(Block::text).orElse("");
        if (text.startsWith(beginning)) {
          return Optional.of(text);
        }
      }
    }
    return Optional.empty();
  }

  /** How many rounds the stream shows something of. */
  int rounds() {
    return items.isEmpty() ? 0 : items.getLast().roundsThrough();
  }

  /** The index of the last block of a round, rounds in the order of their first appearance. */
  int endOfRound(int ordinal) {
    int start = startOfRound(ordinal);
    Object key = items.get(start).roundKey();
    for (int i = items.size() - 1; i > start; i--) {
      if (Objects.equals(key, items.get(i).roundKey())) {
        return i;
      }
    }
    return start;
  }

  private int startOfRound(int ordinal) {
    int low = 0;
    int high = items.size() - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (items.get(middle).roundsThrough() <= ordinal) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The cost of the whole stream. */
  public long cost() {
    return items.isEmpty() ? 0 : items.getLast().costThrough();
  }

  /** The cost from an index to the end. */
  public long costFrom(int index) {
    return index == 0 ? cost() : cost() - costUpTo(index - 1);
  }

  /** The cost up to and including an index. */
  public long costUpTo(int index) {
    return items.get(index).costThrough();
  }

  /**
   * The cache points of the stream.
   *
   * @param cacheLast whether the last block gets one
   */
  public List<CachePoint> cachePoints(CachePoint.Settings settings, boolean cacheLast) {
    return CachePoints.of(this, settings, cacheLast);
  }
}
