package dev.contexture.view;

import dev.contexture.block.Block;
import dev.contexture.block.BlockType;
import dev.contexture.block.TurnId;
import dev.contexture.timeline.TimelineEntry;
import dev.contexture.timeline.Visibility;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Shortens old content when the provider's cache has expired anyway, so that changing the prefix
 * costs nothing. Pure: it returns the visibility records to be stored.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class TtlPruner {
  private static final long MIN_COST = 48;
  private static final long MAX_REPLACEMENT = 240;

  private final View view;
  private final Emitter emitter;
  private final PruneSettings settings;

  /**
   * @param view the stream in which to prune
   * @param emitter the one that the view was made with
   */
  public TtlPruner(View view, Emitter emitter, PruneSettings settings) {
    this.view = view;
    this.emitter = emitter;
    this.settings = settings;
  }

  /** The outcome of a pass. */
  public enum Status {
    /** No TTL is set. */
    DISABLED,
    /** Nothing is known yet about the age of the cache. */
    ARMED,
    /** The cache is still alive. */
    FRESH,
    /** Old turns were replaced. */
    PRUNED,
    /** There are too few turns for old ones; large content was replaced. */
    PRUNED_LIGHT,
    /** The cache has expired, but nothing could be made smaller. */
    NO_EFFECT;

    public String wireName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * The outcome of a pass.
   *
   * @param status what came of it
   * @param records what is to be stored
   */
  public record Outcome(Status status, List<Visibility> records) {
    public Outcome {
      records = List.copyOf(records);
    }
  }

  /**
   * Plans a pass.
   *
   * @param lastTouch when the context was rendered before; null: not known, it is inferred
   * @param ttlSeconds the TTL that held then
   */
  public Outcome plan(@Nullable Instant lastTouch, long ttlSeconds, Instant now) {
    if (ttlSeconds <= 0) {
      return new Outcome(Status.DISABLED, List.of());
    }
    Optional<Instant> touched = Optional.ofNullable(lastTouch).or(this::inferredTouch);
    if (touched.isEmpty()) {
      return new Outcome(Status.ARMED, List.of());
    }
    long limit = Math.max(0, ttlSeconds - settings.bufferSeconds());
    boolean fresh = Duration.between(touched.get(), now).compareTo(Duration.ofSeconds(limit)) < 0;
    return fresh ? new Outcome(Status.FRESH, List.of()) : prune(now);
  }

  /** The time of the block before the newest completion, else of that completion. */
  private Optional<Instant> inferredTouch() {
    List<StreamItem> items = view.items();
    for (int i = items.size() - 1; i >= 0; i--) {
      if (items.get(i).type().equals(BlockType.ASSISTANT_COMPLETION)) {
        Optional<Instant> before = i == 0 ? Optional.empty() : ts(items.get(i - 1));
        int completion = i;
        return before.or(() -> ts(items.get(completion)));
      }
    }
    return Optional.empty();
  }

  private static Optional<Instant> ts(StreamItem item) {
    return item.block().flatMap(Block::ts);
  }

  private Outcome prune(Instant now) {
    List<TurnId> turns = turnsByLastOccurrence();
    Set<TurnId> recent = last(turns, settings.keepRecentTurns());
    Set<TurnId> intact = last(turns, settings.keepRecentIntactTurns());
    Set<TimelineEntry> keptImages = keptImages(recent);
    List<Visibility> records = new ArrayList<>();
    for (StreamItem item : view.items()) {
      boolean old = !recent.contains(item.turn());
      boolean middle = !old && !intact.contains(item.turn());
      boolean pinned = view.timeline().pins().hold(item.seq().orElse(0));
      if (mayReplace(item) && !pinned && (old || (middle && isLarge(item, keptImages)))) {
        replacement(item, now).ifPresent(records::add);
      }
    }
    if (records.isEmpty()) {
      return new Outcome(Status.NO_EFFECT, records);
    }
    boolean light = turns.size() <= settings.keepRecentTurns();
    return new Outcome(light ? Status.PRUNED_LIGHT : Status.PRUNED, records);
  }

  private List<TurnId> turnsByLastOccurrence() {
    LinkedHashSet<TurnId> newestFirst = new LinkedHashSet<>();
    for (int i = view.items().size() - 1; i >= 0; i--) {
      if (view.items().get(i).summary().isEmpty()) {
        newestFirst.add(view.items().get(i).turn());
      }
    }
    return List.copyOf(newestFirst).reversed();
  }

  private static Set<TurnId> last(List<TurnId> turns, int count) {
    return Set.copyOf(turns.subList(Math.max(0, turns.size() - count), turns.size()));
  }

  /** The newest pictures and PDFs of recent turns that stay, the newest in any case. */
  private Set<TimelineEntry> keptImages(Set<TurnId> recent) {
    Set<TimelineEntry> kept = new HashSet<>();
    long sum = 0;
    for (int i = view.items().size() - 1; i >= 0; i--) {
      StreamItem item = view.items().get(i);
      Block block = item.block().orElse(null);
      boolean counts = !item.replaced() && recent.contains(item.turn());
      if (block == null || !counts || !Media.isImageOrPdf(block)) {
        continue;
      }
      sum += block.data().orElseThrow().base64Chars();
      boolean fits =
          kept.size() < settings.keepRecentImages() && sum <= settings.maxImageBase64Sum();
      if (!kept.isEmpty() && !fits) {
        break;
      }
      kept.add(item.entry().orElseThrow());
    }
    return kept;
  }

  private static boolean mayReplace(StreamItem item) {
    return item.cost() >= MIN_COST
        && !item.replaced()
        && !item.carried()
        && item.path().isPresent()
        && item.seq().isPresent()
        && !item.type().has(BlockType.Flag.FIXED);
  }

  private boolean isLarge(StreamItem item, Set<TimelineEntry> keptImages) {
    TimelineEntry entry = item.entry().orElseThrow();
    Block block = entry.block();
    if (Media.isImageOrPdf(block)) {
      return !keptImages.contains(entry);
    }
    if (block.data().isPresent() && block.data().get().base64Chars() > settings.maxBase64Chars()) {
      return true;
    }
    return block.type().isResult()
        && settings.compacts(item.tool().orElse(null), block.path().orElse(null));
  }

  /** The shortened form within its bound: at most half of what the block costs. */
  private Optional<Visibility> replacement(StreamItem item, Instant now) {
    TimelineEntry entry = item.entry().orElseThrow();
    String tool = item.tool().orElse(null);
    long bound = Math.min(MAX_REPLACEMENT, item.cost() / 2);
    for (String text : new ShorterTexts(entry, tool, settings).candidates()) {
      Visibility record =
          new Visibility(entry.seq().orElseThrow(), text, Visibility.Reason.TTL, now);
      if (emitter.replaced(entry, record, tool).cost() <= bound) {
        return Optional.of(record);
      }
    }
    return Optional.empty();
  }
}
