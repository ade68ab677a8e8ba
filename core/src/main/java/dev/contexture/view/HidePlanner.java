package dev.contexture.view;

import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.block.Limits;
import dev.contexture.timeline.Timeline;
import dev.contexture.timeline.TimelineEntry;
import dev.contexture.timeline.Visibility;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a path may be hidden and which blocks that touches. Pure: it returns the
 * visibility records to be stored.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class HidePlanner {
  /** How many tokens of the end of the stream may be changed, at least. */
  public static final long EDITABLE_TAIL_TOKENS = 2_000;

  private static final long TAIL_SHARE = 10;

  private final View view;
  private final Emitter emitter;
  private final CachePoint.Settings points;
  private final long tailLimit;

  /**
   * @param view the stream that the hide looks at
   * @param emitter the one that the view was made with
   */
  public HidePlanner(View view, Emitter emitter, CachePoint.Settings points, long tailLimit) {
    this.view = view;
    this.emitter = emitter;
    this.points = points;
    this.tailLimit = tailLimit;
  }

  /**
   * How many tokens of the end of the stream may be changed: a tenth of the budget, at least 2,000.
   *
   * @param maxTokens the budget; {@link Long#MAX_VALUE}: there is none, or it is not known
   */
  public static long editableTail(long maxTokens) {
    return maxTokens == Long.MAX_VALUE
        ? EDITABLE_TAIL_TOKENS
        : Math.max(EDITABLE_TAIL_TOKENS, maxTokens / TAIL_SHARE);
  }

  /** The outcome of a hide. */
  public enum Status {
    OK,
    NOT_FOUND,
    TOO_OLD,
    NOT_ALLOWED;

    public String wireName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * The outcome of a hide.
   *
   * @param path what was to be hidden
   * @param status what came of it
   * @param notice the code that tells the agent why it is too old
   * @param blocksHidden how many blocks changed
   * @param tokensHidden what the stream became cheaper by; negative if it became dearer
   * @param tailTokens the cost from the first touched block to the end
   * @param tailLimit what is allowed at most
   * @param records what is to be stored; empty unless the status is ok
   */
  public record Outcome(
      BlockPath path,
      Status status,
      @Nullable String notice,
      int blocksHidden,
      long tokensHidden,
      long tailTokens,
      long tailLimit,
      List<Visibility> records) {
    public Outcome {
      records = List.copyOf(records);
    }

    public Optional<String> noticeCode() {
      return Optional.ofNullable(notice);
    }
  }

  /**
   * Plans a hide.
   *
   * @param replacement what is shown instead, verbatim; blank: nothing
   */
  public Outcome hide(BlockPath path, String replacement, Visibility.Reason reason, Instant at) {
    Limits.DEFAULT.checkReplacement(replacement);
    List<StreamItem> items = view.items();
    int last = lastIndexOf(path);
    if (last < 0) {
      return refused(path, Status.NOT_FOUND, null, 0);
    }
    int first = startOfRun(path, last);
    long tailTokens = view.costFrom(first);
    if (!items.subList(first, last + 1).stream().allMatch(HidePlanner::mayChange)) {
      return refused(path, Status.NOT_ALLOWED, null, tailTokens);
    }
    OptionalInt preTail = CachePoints.preTail(view, points);
    if (preTail.isPresent() && last < preTail.getAsInt()) {
      return refused(path, Status.TOO_OLD, "hide_before_cache", tailTokens);
    }
    if (tailTokens > tailLimit) {
      return refused(path, Status.TOO_OLD, "hide_too_old", tailTokens);
    }
    List<Integer> touched = touched(path, first, last, preTail.orElse(0));
    return hidden(path, touched, new Shown(replacement, reason, at), tailTokens);
  }

  /**
   * The blocks whose records an unhide of the path drops: all that have one, but for an answer in
   * whose place its turn ended with another one.
   *
   * @return their sequence numbers
   */
  public static List<Long> unhide(Timeline timeline, BlockPath path) {
    List<Long> seqs = new ArrayList<>();
    for (TimelineEntry entry : timeline.entries()) {
      boolean same = entry.block().path().filter(path::equals).isPresent();
      if (same && isReplaced(timeline, entry) && !isGivenUp(timeline, entry)) {
        seqs.add(entry.seq().orElseThrow());
      }
    }
    return seqs;
  }

  private static boolean isGivenUp(Timeline timeline, TimelineEntry entry) {
    return timeline
        .visibility(entry)
        .filter(record -> record.reason() == Visibility.Reason.REPLACED)
        .isPresent();
  }

  private static boolean isReplaced(Timeline timeline, TimelineEntry entry) {
    return entry.seq().isPresent()
        && !timeline.visibilityRecords().of(entry.seq().getAsLong()).isEmpty();
  }

  private Outcome refused(BlockPath path, Status status, @Nullable String notice, long tailTokens) {
    return new Outcome(path, status, notice, 0, 0, tailTokens, tailLimit, List.of());
  }

  private int lastIndexOf(BlockPath path) {
    for (int i = view.items().size() - 1; i >= 0; i--) {
      if (has(i, path)) {
        return i;
      }
    }
    return -1;
  }

  private boolean has(int index, BlockPath path) {
    return path.equals(view.items().get(index).path().orElse(null));
  }

  /** A visibility record needs a stored block, and some types are always shown as they are. */
  private static boolean mayChange(StreamItem item) {
    return item.seq().isPresent() && !item.type().has(BlockType.Flag.FIXED);
  }

  private int startOfRun(BlockPath path, int last) {
    int first = last;
    while (first > 0 && has(first - 1, path)) {
      first--;
    }
    return first;
  }

  /** The unit, and versions of the path behind the pre-tail point that are within the tail. */
  private List<Integer> touched(BlockPath path, int first, int last, int preTail) {
    List<Integer> touched = new ArrayList<>();
    for (int i = preTail; i < first; i++) {
      if (has(i, path) && mayChange(view.items().get(i)) && view.costFrom(i) <= tailLimit) {
        touched.add(i);
      }
    }
    for (int i = first; i <= last; i++) {
      touched.add(i);
    }
    return touched;
  }

  /** The first block carries the replacement, the others emit nothing. */
  private Outcome hidden(BlockPath path, List<Integer> touched, Shown record, long tailTokens) {
    List<Visibility> records = new ArrayList<>();
    long before = 0;
    long after = 0;
    for (int index : touched) {
      StreamItem item = view.items().get(index);
      TimelineEntry entry = item.entry().orElseThrow();
      String text = records.isEmpty() ? record.replacement : "";
      Visibility visibility =
          new Visibility(entry.seq().orElseThrow(), text, record.reason, record.at);
      before += item.cost();
      String tool = item.tool().orElse(null);
      after += text.isBlank() ? 0 : emitter.replaced(entry, visibility, tool).cost();
      records.add(visibility);
    }
    return new Outcome(
        path, Status.OK, null, records.size(), before - after, tailTokens, tailLimit, records);
  }

  private record Shown(String replacement, Visibility.Reason reason, Instant at) {}
}
