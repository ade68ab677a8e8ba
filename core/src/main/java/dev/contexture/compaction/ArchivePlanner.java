package dev.contexture.compaction;

import dev.contexture.block.TurnId;
import dev.contexture.compaction.CompactionPlan.Archive;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.timeline.Timeline;
import dev.contexture.timeline.TimelineEntry;
import dev.contexture.token.TokenCounter;
import dev.contexture.token.TokenMeter;
import dev.contexture.view.ContributionFilters;
import dev.contexture.view.Dialect;
import dev.contexture.view.Emitter;
import dev.contexture.view.Reader;
import dev.contexture.view.StreamItem;
import dev.contexture.view.View;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Decides which whole turns are archived.
 *
 * <ol>
 *   <li>Within both limits: nothing.
 *   <li>The strategy chooses how many of the oldest complete turns go.
 *   <li>While there are still too many messages or tokens, the next oldest goes as well. The active
 *       turn stays, and without one the newest complete turn.
 * </ol>
 *
 * Used once, by one thread. Linear in the window.
 */
final class ArchivePlanner {
  private final ContributionFilters filters;
  private final CompressionStrategy strategy;
  private final HistoryLimits limits;
  private final MessageCounter counter;
  private final View view;
  private final List<Turn> complete = new ArrayList<>();
  private final long summaryTokens;
  private final long shownPinTokens;
  private @Nullable Turn active;

  ArchivePlanner(
      Timeline timeline,
      ContributionFilters filters,
      Emitter emitter,
      CompressionStrategy strategy,
      HistoryLimits limits,
      MessageCounter counter) {
    this.filters = filters;
    this.strategy = strategy;
    this.limits = limits;
    this.counter = counter;
    this.view = View.of(timeline, filters, emitter);
    this.summaryTokens =
        view.items().stream()
            .filter(item -> item.summary().isPresent())
            .mapToLong(StreamItem::cost)
            .sum();
    this.shownPinTokens =
        view.items().stream().filter(StreamItem::pinned).mapToLong(StreamItem::cost).sum();
    readTurns(emitter);
  }

  /**
   * A turn of the window.
   *
   * @param pinned what its pins cost once it is archived
   */
  private record Turn(
      TurnId id, int messages, long tokens, long pinned, List<TimelineEntry> entries) {}

  private void readTurns(Emitter emitter) {
    Map<TurnId, List<TimelineEntry>> entries = new LinkedHashMap<>();
    for (TimelineEntry entry : view.window().entries()) {
      entries.computeIfAbsent(entry.turn(), unused -> new ArrayList<>()).add(entry);
    }
    Map<TurnId, Long> tokens = new HashMap<>();
    byTurn(view).forEach((id, items) -> tokens.put(id, sum(items)));
    Map<TurnId, List<StreamItem>> messages = byTurn(asMessages());
    entries.forEach(
        (id, own) -> {
          int count = counter.count(messages.getOrDefault(id, List.of()));
          Turn turn = new Turn(id, count, tokens.getOrDefault(id, 0L), pinned(own, emitter), own);
          if (view.timeline().isActive(id)) {
            active = turn;
          } else {
            complete.add(turn);
          }
        });
  }

  private long pinned(List<TimelineEntry> entries, Emitter emitter) {
    Set<Long> seqs =
        entries.stream()
            .flatMapToLong(entry -> entry.seq().stream())
            .boxed()
            .collect(Collectors.toSet());
    return view.timeline().pins().all().stream()
        .filter(pin -> seqs.contains(pin.seq()))
        .mapToLong(pin -> emitter.own(pin.shown(), null).cost())
        .sum();
  }

  private View asMessages() {
    TokenMeter cheap = TokenMeter.of(TokenCounter.CHARS4);
    return view.dialect() == Dialect.NATIVE
        ? view
        : View.of(view.timeline(), filters, new Emitter(Dialect.NATIVE, Reader.ANY, cheap));
  }

  private static Map<TurnId, List<StreamItem>> byTurn(View view) {
    Map<TurnId, List<StreamItem>> turns = new HashMap<>();
    for (StreamItem item : view.items()) {
      if (item.summary().isEmpty() && !item.pinned()) {
        turns.computeIfAbsent(item.turn(), unused -> new ArrayList<>()).add(item);
      }
    }
    return turns;
  }

  private static long sum(List<StreamItem> items) {
    return items.stream().mapToLong(StreamItem::cost).sum();
  }

  Archive plan() {
    boolean overMessages = limits.exceededByMessages(messagesFrom(0));
    boolean overTokens = limits.exceededByTokens(summaryTokens + tokensFrom(0));
    if (!overMessages && !overTokens) {
      return archive(0, "none", null, List.of());
    }
    String reason = overTokens ? "over_limit" : "over_cap";
    if (active != null && limits.exceededByTokens(active.tokens)) {
      checkRoom(active.tokens);
      return leaveOut(reason);
    }
    int count = shrink(chosen(overMessages, overTokens));
    checkRoom(summaryAfter(count) + tokensFrom(count));
    return archive(count, strategy.wireName(), reason, List.of());
  }

  private int chosen(boolean overMessages, boolean overTokens) {
    return switch (strategy) {
      case CompressionStrategy.Truncate truncate -> beforeRecent(truncate.keepRecent());
      case CompressionStrategy.RecursiveSummarization recursive ->
          run(recursive.chunkSize(), overMessages, overTokens);
      case CompressionStrategy.Compaction unused ->
          throw new IllegalStateException("compaction cuts and archives nothing");
    };
  }

  /** How many turns are older than those that are kept by their number of messages. */
  private int beforeRecent(int keepRecent) {
    int first = complete.size();
    int kept = 0;
    while (first > 0 && kept < keepRecent) {
      kept += complete.get(--first).messages;
    }
    return first;
  }

  /** The length of the shortest oldest run that is worth a summary. */
  private int run(int chunkSize, boolean overMessages, boolean overTokens) {
    long wanted = overMessages ? (long) messagesFrom(0) - limits.messages() + chunkSize : 0;
    int count = 0;
    long messages = 0;
    while (count < mostArchived() && (messages < wanted || (overTokens && !meetsTarget(count)))) {
      messages += complete.get(count++).messages;
    }
    return count;
  }

  private int shrink(int chosen) {
    int count = Math.min(chosen, mostArchived());
    while (count < mostArchived()
        && (limits.exceededByMessages(messagesFrom(count)) || !meetsTarget(count))) {
      count++;
    }
    return count;
  }

  private int mostArchived() {
    return active == null ? Math.max(0, complete.size() - 1) : complete.size();
  }

  private boolean meetsTarget(int count) {
    long summary = summaryAfter(1);
    long always = summary + pinsBeside(count) + (active == null ? 0 : active.tokens);
    return summary + tokensFrom(count) <= limits.target(always);
  }

  private long summaryAfter(int archived) {
    return archived > 0 && isRecursive() ? limits.allowance() : summaryTokens;
  }

  private boolean isRecursive() {
    return strategy instanceof CompressionStrategy.RecursiveSummarization;
  }

  private int messagesFrom(int count) {
    int messages = active == null ? 0 : active.messages;
    for (Turn turn : complete.subList(count, complete.size())) {
      messages += turn.messages;
    }
    return messages;
  }

  /** What is sent beside a summary if the oldest turns go: the others, and what is pinned. */
  private long tokensFrom(int count) {
    long tokens = pinsBeside(count) + (active == null ? 0 : active.tokens);
    for (Turn turn : complete.subList(count, complete.size())) {
      tokens += turn.tokens;
    }
    return tokens;
  }

  private long pinsBeside(int count) {
    long archived = complete.subList(0, count).stream().mapToLong(Turn::pinned).sum();
    return Math.min(shownPinTokens + archived, view.timeline().pins().room());
  }

  private void checkRoom(long tokens) {
    if (limits.room() > 0 && tokens > limits.room()) {
      throw ContextureException.limit(
          ErrorCode.BUDGET_TOO_SMALL, "history", limits.room(), tokens, "tokens");
    }
  }

  /** The active turn alone is too much: it is sent, nothing else is, and nothing is archived. */
  private Archive leaveOut(String reason) {
    List<TurnId> all = complete.stream().map(Turn::id).toList();
    long after = active == null ? 0 : active.tokens;
    CompactionReport.Archiving facts =
        new CompactionReport.Archiving(
            strategy.wireName(),
            messagesFrom(0),
            messagesFrom(complete.size()),
            List.of(),
            all,
            warnings("active_turn_over_budget"));
    return new Archive(view, sizes(reason, summaryTokens + after), facts, List.of(), null);
  }

  private Archive archive(int count, String name, @Nullable String reason, List<TurnId> leftOut) {
    List<Turn> gone = complete.subList(0, count);
    CompactionReport.Archiving facts =
        new CompactionReport.Archiving(
            name,
            messagesFrom(0),
            messagesFrom(count),
            gone.stream().map(Turn::id).toList(),
            leftOut,
            reason == null ? List.of() : warnings());
    CompactionPlan.Sizes sizes = sizes(reason, summaryAfter(count) + tokensFrom(count));
    return new Archive(view, sizes, facts, spans(gone), recursion(gone, sizes));
  }

  private List<String> warnings(String... first) {
    List<String> warnings = new ArrayList<>(List.of(first));
    if (active != null && limits.exceededByMessages(active.messages)) {
      warnings.add("active_turn_over_cap");
    }
    return warnings;
  }

  private CompactionPlan.Sizes sizes(@Nullable String reason, long after) {
    long before = summaryTokens + tokensFrom(0);
    return new CompactionPlan.Sizes(reason, before, before, limits.tokens(), 0, after);
  }

  /**
   * Runs of neighbouring turns, from the first stored block of the first to the last of the last.
   */
  private List<CompactionPlan.Span> spans(List<Turn> gone) {
    Map<TurnId, long[]> bounds = new LinkedHashMap<>();
    gone.forEach(turn -> bounds.put(turn.id, new long[] {Long.MAX_VALUE, 0}));
    for (TimelineEntry entry : view.timeline().entries()) {
      long[] bound = bounds.get(entry.turn());
      if (bound != null && entry.seq().isPresent()) {
        long seq = entry.seq().getAsLong();
        bound[0] = Math.min(bound[0], seq);
        bound[1] = Math.max(bound[1], seq);
      }
    }
    List<CompactionPlan.Span> spans = new ArrayList<>();
    bounds.forEach(
        (id, bound) -> {
          CompactionPlan.Span last = spans.isEmpty() ? null : spans.getLast();
          if (last != null && last.toSeq() + 1 == bound[0]) {
            spans.set(spans.size() - 1, last.with(id, bound[1]));
          } else {
            spans.add(new CompactionPlan.Span(bound[0], bound[1], List.of(id)));
          }
        });
    return spans;
  }

  private CompactionPlan.@Nullable Recursion recursion(
      List<Turn> gone, CompactionPlan.Sizes sizes) {
    if (gone.isEmpty()
        || !(strategy instanceof CompressionStrategy.RecursiveSummarization recursive)) {
      return null;
    }
    Turn first = gone.size() < complete.size() ? complete.get(gone.size()) : active;
    if (first == null) {
      throw new IllegalStateException("a turn stays, whatever is archived");
    }
    long cutSeq =
        first.entries.stream().flatMapToLong(entry -> entry.seq().stream()).findFirst().orElse(0);
    List<TimelineEntry> history = gone.stream().flatMap(turn -> turn.entries.stream()).toList();
    CompactionPlan.Cut cut =
        new CompactionPlan.Cut(
            List.of(),
            view,
            sizes,
            indexOf(first.id),
            cutSeq,
            first.id,
            history,
            List.of(),
            false,
            0,
            List.of(),
            List.of());
    return new CompactionPlan.Recursion(
        cut, chunks(gone, recursive.chunkSize()), recursive, limits.allowance());
  }

  private int indexOf(TurnId turn) {
    List<StreamItem> items = view.items();
    for (int i = 0; i < items.size(); i++) {
      if (items.get(i).summary().isEmpty()
          && !items.get(i).pinned()
          && items.get(i).turn().equals(turn)) {
        return i;
      }
    }
    return items.size();
  }

  /** Turns together until they have enough messages; the last chunk may have fewer. */
  private static List<List<TimelineEntry>> chunks(List<Turn> gone, int chunkSize) {
    List<List<TimelineEntry>> chunks = new ArrayList<>();
    List<TimelineEntry> chunk = new ArrayList<>();
    int messages = 0;
    for (Turn turn : gone) {
      chunk.addAll(turn.entries);
      messages += turn.messages;
      if (messages >= chunkSize) {
        chunks.add(chunk);
        chunk = new ArrayList<>();
        messages = 0;
      }
    }
    if (!chunk.isEmpty()) {
      chunks.add(chunk);
    }
    return chunks;
  }
}
