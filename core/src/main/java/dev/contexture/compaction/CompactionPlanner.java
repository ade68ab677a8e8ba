package dev.contexture.compaction;

import dev.contexture.block.TurnId;
import dev.contexture.compaction.summary.TurnHead;
import dev.contexture.timeline.Rounds;
import dev.contexture.timeline.Timeline;
import dev.contexture.timeline.TimelineEntry;
import dev.contexture.timeline.Visibility;
import dev.contexture.view.ContributionFilters;
import dev.contexture.view.Dialect;
import dev.contexture.view.Emitter;
import dev.contexture.view.SentForms;
import dev.contexture.view.StreamItem;
import dev.contexture.view.View;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides where to cut.
 *
 * <ol>
 *   <li>Below the limit and not forced: nothing.
 *   <li>Blocks larger than the whole budget become previews. While there is no cut, or the cut
 *       leaves too much, the costliest block that stays becomes one, and the cut is sought again.
 *   <li>The cut keeps the newest part of the stream, more of it where recent turns are protected
 *       and fit, and moves on until the estimate fits.
 *   <li>Where it is known how much the next request may add, the cut moves on until there is room
 *       for that too: else the next request would cut again, and everything that this one keeps
 *       would be sent again for nothing.
 *   <li>Where all that leaves more than the budget itself, calls whose arguments are more than a
 *       quarter of it are shown with shorter ones, and then the protection ends: the results of the
 *       oldest protected round become previews, then it may be cut away, and so on.
 *   <li>Where the active turn has fewer rounds than are protected, a cut that also leaves the
 *       newest rounds of the turn before whole is preferred, if it fits.
 * </ol>
 *
 * Used once, by one thread. Linear in the window for each preview.
 */
final class CompactionPlanner {
  private final ContributionFilters filters;
  private final Emitter emitter;
  private final CompactionBudget budget;
  private final Instant now;
  private final View view;
  private final CutUnits units;
  private final CutFinder cuts;
  private final List<Integer> protectedUnits;
  private int lastUnprotected;
  private final int lastPreferred;
  private final NavigableMap<Integer, Visibility> previews = new TreeMap<>();
  private final long before;
  private long keep;

  CompactionPlanner(
      Timeline timeline,
      ContributionFilters filters,
      Emitter emitter,
      CompactionBudget budget,
      Instant now) {
    this.filters = filters;
    this.emitter = emitter;
    this.budget = budget;
    this.now = now;
    this.view = View.of(timeline, filters, emitter);
    this.before = budget.around() + view.cost();
    this.units = CutUnits.of(timeline, view.window(), Rounds.of(view.window()));
    this.cuts = new CutFinder(view, emitter, budget, units);
    this.protectedUnits =
        new ArrayList<>(units.newestOfActiveTurn(budget.policy().keepRecentRounds()));
    this.lastUnprotected = firstIndex(protectedUnits);
    this.lastPreferred = firstIndex(units.newest(budget.policy().keepRecentRounds()));
  }

  private int firstIndex(List<Integer> positions) {
    return positions.isEmpty() ? cuts.size() : cuts.indexAtOrAfter(positions.getFirst());
  }

  CompactionPlan plan() {
    if (!budget.isDue(before)) {
      return new CompactionPlan.NotNeeded(List.of(), view, sizes(null, 0));
    }
    previewLargerThanBudget();
    if (!budget.isDue(cuts.total())) {
      return notNeeded();
    }
    int cut = find();
    while ((cut == CutFinder.NONE || !fitsWithLess(cut)) && previewCostliest(cut)) {
      if (!budget.isDue(cuts.total())) {
        return notNeeded();
      }
      cut = find();
    }
    while (exceedsBudget(cut)
        && (previewCostliest(cut) || shortenCostliest(cut) || giveUpOldestRound())) {
      if (!budget.isDue(cuts.total())) {
        return notNeeded();
      }
      cut = find();
    }
    return cut == CutFinder.NONE
        ? new CompactionPlan.NoCut(records(), shown(), sizes(reason(), 0))
        : cutAt(cut);
  }

  private CompactionPlan notNeeded() {
    return new CompactionPlan.NotNeeded(records(), shown(), sizes(reason(), 0));
  }

  private String reason() {
    return budget.forced() ? "forced" : "over_limit";
  }

  private CompactionPlan.Sizes sizes(@Nullable String why, long estimate) {
    long limit = budget.isLimited() ? budget.limit() : 0;
    return new CompactionPlan.Sizes(why, before, cuts.total(), limit, keep, estimate);
  }

  private List<Visibility> records() {
    return List.copyOf(previews.values());
  }

  private View shown() {
    return previews.isEmpty()
        ? view
        : View.of(view.timeline().withVisibility(records()), filters, emitter);
  }

  private void previewLargerThanBudget() {
    for (int i = cuts.start(); i < cuts.size(); i++) {
      if (cuts.cost(i) > budget.stream() && mayPreview(i)) {
        preview(i);
      }
    }
  }

  /** Previews the costliest block that would stay; false if there is none. */
  private boolean previewCostliest(int cut) {
    List<Integer> byCost = new ArrayList<>();
    for (int i = cut == CutFinder.NONE ? cuts.start() : cut; i < cuts.size(); i++) {
      if (mayPreview(i)) {
        byCost.add(i);
      }
    }
    return costliestFirst(byCost).anyMatch(this::preview);
  }

  private Stream<Integer> costliestFirst(List<Integer> indices) {
    return indices.stream().sorted((a, b) -> Long.compare(cuts.cost(b), cuts.cost(a)));
  }

  /**
   * Whether more than the whole budget would be left even with a shorter summary, so that the
   * context could not be sent.
   */
  private boolean exceedsBudget(int cut) {
    long left = cut == CutFinder.NONE ? cuts.total() : estimateWithLess(cut);
    return budget.isLimited() && left > budget.maxTokens();
  }

  /** Shortens the arguments of the costliest call that would stay; false if there is none. */
  private boolean shortenCostliest(int cut) {
    List<Integer> calls = new ArrayList<>();
    for (int i = cut == CutFinder.NONE ? cuts.start() : cut; i < cuts.size(); i++) {
      if (ShortArguments.isPossible(cuts.item(i))
          && !previews.containsKey(i)
          && cuts.cost(i) > budget.protectedBlock()
          && !SentForms.isThinkingSent(view.items(), i)) {
        calls.add(i);
      }
    }
    return costliestFirst(calls).anyMatch(this::shorten);
  }

  private boolean shorten(int index) {
    TimelineEntry entry = cuts.item(index).entry().orElseThrow();
    Visibility record = ShortArguments.of(entry, budget.recordedTokens(), now).orElse(null);
    if (record == null || !replace(index, record)) {
      return false;
    }
    if (view.dialect() == Dialect.NATIVE && SentForms.hasFormBefore(view.items(), index)) {
      cuts.replaceCost(index - 1, 0); // its maker's form is not sent either
    }
    return true;
  }

  /**
   * Gives the oldest protected round up, step by step: one of its results becomes a preview; when
   * there is none left, it may be cut away.
   *
   * @return false if nothing is protected any more
   */
  private boolean giveUpOldestRound() {
    if (protectedUnits.isEmpty()) {
      return false;
    }
    int oldest = protectedUnits.getFirst();
    List<Integer> results = new ArrayList<>();
    for (int i = cuts.start(); i < cuts.size(); i++) {
      if (units.firstOf(cuts.position(i)) == oldest
          && Previews.isPossible(cuts.item(i))
          && !isPinned(i)
          && !previews.containsKey(i)) {
        results.add(i);
      }
    }
    if (costliestFirst(results).anyMatch(this::preview)) {
      return true;
    }
    protectedUnits.removeFirst();
    lastUnprotected = firstIndex(protectedUnits);
    return true;
  }

  private boolean mayPreview(int index) {
    return Previews.isPossible(cuts.item(index))
        && !previews.containsKey(index)
        && (!(isProtected(index) || isPinned(index)) || cuts.cost(index) > budget.protectedBlock());
  }

  private boolean isPinned(int index) {
    return view.timeline().pins().hold(cuts.item(index).seq().orElse(0));
  }

  private boolean isProtected(int index) {
    return protectedUnits.contains(units.firstOf(cuts.position(index)));
  }

  /** Counts a block as its preview, if that costs less. */
  private boolean preview(int index) {
    StreamItem item = cuts.item(index);
    TimelineEntry entry = item.entry().orElseThrow();
    Visibility record =
        Previews.of(entry, budget.recordedTokens(), budget.previewChars(), now).orElseThrow();
    return replace(index, record);
  }

  /** Counts a block as what a record shows of it, if that costs less. */
  private boolean replace(int index, Visibility record) {
    StreamItem item = cuts.item(index);
    TimelineEntry entry = item.entry().orElseThrow();
    long cost = emitter.replaced(entry, record, item.tool().orElse(null)).cost();
    if (cost >= cuts.cost(index)) {
      return false;
    }
    cuts.replaceCost(index, cost);
    previews.put(index, record);
    return true;
  }

  private int find() {
    return budget.forced() ? findForced() : findDue();
  }

  private int findDue() {
    if (lastPreferred < lastUnprotected) {
      int preferred = findDue(lastPreferred);
      if (preferred != CutFinder.NONE && fitsWithLess(preferred)) {
        return preferred;
      }
    }
    return findDue(lastUnprotected);
  }

  private int findDue(int last) {
    long base = budget.base();
    int recentStart = cuts.startOfRecentTurns(budget.policy().keepRecentTurns());
    long recent = cuts.costFrom(recentStart);
    keep = recent <= budget.stream() ? Math.max(base, recent) : base;
    int cut = cuts.choose(keep, last);
    if (keep > base && !(cut <= recentStart && fits(cut))) {
      keep = base;
      cut = cuts.choose(base, last);
    }
    int furthest = keep > base ? Math.min(last, recentStart) : last;
    return leaveRoom(moveOn(cut, last), furthest);
  }

  /**
   * Moves a cut that fits on until enough is free and the next request fits too, but gives up no
   * more than half of what is to be kept for the latter, and no turn or round that is protected.
   */
  private int leaveRoom(int from, int last) {
    if (from == CutFinder.NONE || !fits(from)) {
      return from;
    }
    int cut = from;
    while (wantsRoom(cut)) {
      int next = cuts.next(cut, last);
      boolean tooLittle = 2 * cuts.costFrom(next == CutFinder.NONE ? cut : next) < budget.base();
      if (next == CutFinder.NONE || (tooLittle && cuts.estimate(cut) <= budget.aim())) {
        return cut;
      }
      cut = next;
    }
    return cut;
  }

  private boolean wantsRoom(int cut) {
    long estimate = cuts.estimate(cut);
    return estimate > budget.aim() || estimate + budget.aheadTokens() > budget.limit();
  }

  private boolean fits(int cut) {
    return cut == CutFinder.NONE || cuts.estimate(cut) <= budget.limit();
  }

  /** Whether the total fits with a shorter summary: before a block is given up, that is tried. */
  private boolean fitsWithLess(int cut) {
    return estimateWithLess(cut) <= budget.limit();
  }

  private long estimateWithLess(int cut) {
    return cuts.estimate(cut) - budget.reserve() + budget.leastSummary();
  }

  private int moveOn(int from, int last) {
    int cut = from;
    while (!fits(cut)) {
      int next = cuts.next(cut, last);
      if (next == CutFinder.NONE) {
        return cut;
      }
      cut = next;
    }
    return cut;
  }

  private int findForced() {
    keep = Math.max(1, Math.min(budget.base(), cuts.costFrom(cuts.start()) / 2));
    int last = cuts.hasAny(lastUnprotected) ? lastUnprotected : cuts.size();
    return moveOn(cuts.choose(keep, last), last);
  }

  private CompactionPlan cutAt(int cut) {
    List<TimelineEntry> entries = view.window().entries();
    int position = cuts.cutPosition(cut);
    TimelineEntry first = entries.get(position);
    TurnId turn = first.turn();
    int prefixStart = position;
    while (prefixStart > 0 && entries.get(prefixStart - 1).turn().equals(turn)) {
      prefixStart--;
    }
    List<TimelineEntry> history = entries.subList(0, prefixStart);
    List<TimelineEntry> prefix = entries.subList(prefixStart, position);
    CompactionPlan.Sizes sizes = sizes(reason(), cuts.estimate(cut));
    if (!hasMeaning(history) && !hasMeaning(prefix)) {
      return new CompactionPlan.Skipped(records(), shown(), sizes, "no_meaningful_history");
    }
    TurnHead head = cuts.dividedHead(cut);
    boolean carries = head != null && head.carriesPrompt(first, budget.promptQuota());
    List<Visibility> spared = List.copyOf(previews.headMap(cut, false).values());
    previews.headMap(cut, false).clear(); // nothing is decided for what is cut away
    return new CompactionPlan.Cut(
        records(),
        shown(),
        sizes,
        cut,
        first.seq().orElseThrow(),
        turn,
        history,
        prefix,
        carries,
        head == null ? 0 : head.promptCost(first),
        head == null ? List.of() : head.prompts(first),
        spared);
  }

  /** Headers alone are not worth a summary, nor is what no summary sees. */
  private static boolean hasMeaning(List<TimelineEntry> entries) {
    return entries.stream().map(entry -> entry.block().type()).anyMatch(SummaryInput::isGiven);
  }
}
