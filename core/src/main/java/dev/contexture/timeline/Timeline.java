package dev.contexture.timeline;

import dev.contexture.block.Block;
import dev.contexture.block.TurnId;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The state of a conversation. Immutable: every change gives the next value, and shares everything
 * else with this one. Appending a block costs the same however long the conversation is.
 *
 * <p>A turn that no {@link TurnState} is known of counts as complete. The active turn is the one
 * that is worked on; every turn that is neither kept nor active is excluded from the window.
 */
@API(status = API.Status.STABLE, since = "0.1")
public final class Timeline {
  private static final Timeline EMPTY = new Timeline(new State());

  private final GrowingList<TimelineEntry> log;
  private final long nextSeq;
  private final Map<TurnId, TurnState> turns;
  private final Set<TurnId> notKept;
  private final @Nullable TurnId activeTurn;
  private final List<Summary> summaries;
  private final List<ArchivedRange> archived;
  private final VisibilityRecords visibility;
  private final long viewTokens;
  private final Set<TurnId> omittedTurns;
  private final SourcesPool sources;
  private final List<Block> announce;
  private final Pins pins;

  private Timeline(State state) {
    this.log = state.log;
    this.nextSeq = state.nextSeq;
    this.turns = state.turns;
    this.notKept = state.notKept;
    this.activeTurn = state.activeTurn;
    this.summaries = state.summaries;
    this.archived = state.archived;
    this.visibility = state.visibility;
    this.viewTokens = state.viewTokens;
    this.omittedTurns = state.omittedTurns;
    this.sources = state.sources;
    this.announce = state.announce;
    this.pins = state.pins;
  }

  public static Timeline empty() {
    return EMPTY;
  }

  /**
   * Adds a block at the end and gives it the next sequence number. A block contributed as hidden
   * brings its visibility record with it.
   */
  public Timeline append(Block block) {
    State next = new State(this);
    next.log = log.append(TimelineEntry.stored(nextSeq, block));
    next.nextSeq = nextSeq + 1;
    if (block.hidden()) {
      next.visibility = visibility.with(List.of(ownVisibility(nextSeq, block)));
    }
    return new Timeline(next);
  }

  public Timeline append(List<Block> blocks) {
    Timeline next = this;
    for (Block block : blocks) {
      next = next.append(block);
    }
    return next;
  }

  /**
   * Adds a stored block under the sequence number that it has, which must be higher than those
   * before it. For loading: visibility records are loaded apart, and a window may leave out what is
   * not shown.
   */
  public Timeline load(long seq, Block block) {
    State next = new State(skipTo(seq));
    next.log = log.append(TimelineEntry.stored(seq, block));
    next.nextSeq = seq + 1;
    return new Timeline(next);
  }

  /** Gives the next block this sequence number, which must not be lower than it would get. */
  public Timeline skipTo(long seq) {
    if (seq < nextSeq) {
      throw new IllegalArgumentException("seq " + seq + " comes after " + (nextSeq - 1));
    }
    State next = new State(this);
    next.nextSeq = seq;
    return new Timeline(next);
  }

  /** Adds a block at the end that is kept with the open turn only, without sequence number. */
  public Timeline appendNotPersisted(Block block) {
    State next = new State(this);
    next.log = log.append(TimelineEntry.notPersisted(block));
    return new Timeline(next);
  }

  /** Drops the blocks that were kept with the open turn only. */
  public Timeline dropNotPersisted() {
    if (log.stream().allMatch(entry -> entry.seq().isPresent())) {
      return this;
    }
    State next = new State(this);
    next.log = GrowingList.empty();
    for (TimelineEntry entry : log) {
      if (entry.seq().isPresent()) {
        next.log = next.log.append(entry);
      }
    }
    return new Timeline(next);
  }

  /** Sets what is known about a turn. */
  public Timeline withTurn(TurnState turn) {
    return withTurns(List.of(turn));
  }

  /** Sets what is known about several turns. */
  public Timeline withTurns(Collection<TurnState> known) {
    State next = new State(this);
    next.turns = new LinkedHashMap<>(turns);
    next.notKept = new HashSet<>(notKept);
    for (TurnState turn : known) {
      next.turns.put(turn.id(), turn);
      if (turn.status().kept()) {
        next.notKept.remove(turn.id());
      } else {
        next.notKept.add(turn.id());
      }
    }
    return new Timeline(next);
  }

  /** Makes the turn the active one; null: no turn is active. */
  public Timeline withActiveTurn(@Nullable TurnId turn) {
    State next = new State(this);
    next.activeTurn = turn;
    return new Timeline(next);
  }

  /** Adds a summary, or replaces the one with the same id. */
  public Timeline withSummary(Summary summary) {
    State next = new State(this);
    next.summaries = new ArrayList<>(summaries);
    next.summaries.removeIf(known -> known.id().equals(summary.id()));
    next.summaries.add(summary);
    return new Timeline(next);
  }

  public Timeline withArchived(ArchivedRange range) {
    State next = new State(this);
    next.archived = new ArrayList<>(archived);
    next.archived.add(range);
    return new Timeline(next);
  }

  /** Adds visibility records; of those for all views, or for one budget, the newest counts. */
  public Timeline withVisibility(Collection<Visibility> records) {
    State next = new State(this);
    next.visibility = visibility.with(records);
    return new Timeline(next);
  }

  /** Drops the visibility records of the blocks, so that they are shown as they are. */
  public Timeline withoutVisibility(Collection<Long> seqs) {
    State next = new State(this);
    next.visibility = visibility.without(seqs);
    return new Timeline(next);
  }

  /**
   * The timeline as a view with this budget shows it: {@link #visibility} then answers for it. A
   * timeline shows what a view without a budget shows unless it is told otherwise.
   *
   * @param maxTokens {@link VisibilityRecords#NO_BUDGET}: it has none
   */
  public Timeline forView(long maxTokens) {
    if (viewTokens == maxTokens) {
      return this;
    }
    State next = new State(this);
    next.viewTokens = maxTokens;
    return new Timeline(next);
  }

  /** The budget of the view that {@link #visibility} answers for. */
  public long viewTokens() {
    return viewTokens;
  }

  /** Turns that a load with a limit leaves out of the window. */
  public Set<TurnId> omittedTurns() {
    return omittedTurns;
  }

  /** Leaves the turns out of the window, as a load with a limit does. */
  public Timeline withOmittedTurns(Set<TurnId> turns) {
    State next = new State(this);
    next.omittedTurns = Set.copyOf(turns);
    return new Timeline(next);
  }

  public Timeline withSources(SourcesPool sources) {
    State next = new State(this);
    next.sources = sources;
    return new Timeline(next);
  }

  /** Replaces the announce blocks; none clears them. */
  public Timeline withAnnounce(List<Block> blocks) {
    State next = new State(this);
    next.announce = List.copyOf(blocks);
    return new Timeline(next);
  }

  public Timeline withPins(Pins next) {
    if (next.equals(pins)) {
      return this;
    }
    State state = new State(this);
    state.pins = next;
    return new Timeline(state);
  }

  /** What is kept in context whatever is compacted. */
  public Pins pins() {
    return pins;
  }

  /** All entries, oldest first. */
  public List<TimelineEntry> entries() {
    return log;
  }

  /** The sequence number that the next block gets. */
  public long nextSeq() {
    return nextSeq;
  }

  public Optional<TurnId> activeTurn() {
    return Optional.ofNullable(activeTurn);
  }

  public boolean isActive(TurnId turn) {
    return turn.equals(activeTurn);
  }

  public Map<TurnId, TurnState> turns() {
    return Collections.unmodifiableMap(turns);
  }

  /** All summaries, usable or not. */
  public List<Summary> summaries() {
    return Collections.unmodifiableList(summaries);
  }

  public List<ArchivedRange> archived() {
    return Collections.unmodifiableList(archived);
  }

  public SourcesPool sources() {
    return sources;
  }

  public List<Block> announce() {
    return announce;
  }

  /** The record that decides how this view shows the entry, if not as it is. */
  public Optional<Visibility> visibility(TimelineEntry entry) {
    if (entry.seq().isEmpty()) {
      Block block = entry.block();
      return block.hidden() ? Optional.of(ownVisibility(0, block)) : Optional.empty();
    }
    return visibility.isEmpty() ? Optional.empty() : visibility.find(entry.seqOrZero(), viewTokens);
  }

  /** All visibility records. */
  public VisibilityRecords visibilityRecords() {
    return visibility;
  }

  /** Whether the turn is left out of the window: neither kept nor active. */
  public boolean isExcluded(TurnId turn) {
    return notKept.contains(turn) && !turn.equals(activeTurn);
  }

  /**
   * The summary that opens the window: the newest that is neither withdrawn nor covers an excluded
   * turn.
   */
  public Optional<Summary> openingSummary() {
    return summaries.stream()
        .filter(summary -> !summary.withdrawn())
        .filter(summary -> !anyTurnExcluded() || coversKeptTurnsOnly(summary))
        .max(Summary.OLDEST_FIRST);
  }

  /**
   * Takes the newest summary back, with the ranges that were archived and the visibility records
   * that were stored when it was made; the view before is there again.
   *
   * @throws ContextureException {@code not_found} if that is not the newest summary in use
   */
  public Timeline withdrawSummary(String id) {
    Summary newest =
        openingSummary()
            .filter(summary -> summary.id().equals(id))
            .orElseThrow(
                () ->
                    ContextureException.invalid(
                        ErrorCode.NOT_FOUND, "summary_id", id, "the id of the newest summary"));
    State next = new State(withSummary(newest.withdraw()));
    next.archived = new ArrayList<>(archived);
    next.archived.removeIf(range -> range.summary().filter(id::equals).isPresent());
    next.visibility = visibility.withoutSummary(id);
    return new Timeline(next);
  }

  /**
   * Whether this timeline is an earlier one and blocks that were added to its active turn since,
   * and nothing else that a window shows is different.
   */
  public boolean isExtensionOf(Timeline earlier) {
    boolean sameRecords =
        turns.equals(earlier.turns)
            && summaries.equals(earlier.summaries)
            && archived.equals(earlier.archived)
            && visibility.equals(earlier.visibility)
            && viewTokens == earlier.viewTokens
            && omittedTurns.equals(earlier.omittedTurns)
            && pins.equals(earlier.pins)
            && Objects.equals(activeTurn, earlier.activeTurn);
    int known = earlier.log.size();
    boolean grows =
        known <= log.size() && (known == 0 || log.get(known - 1) == earlier.log.get(known - 1));
    return sameRecords && grows && allActive(known);
  }

  private boolean allActive(int from) {
    for (int i = from; i < log.size(); i++) {
      if (!log.get(i).turn().equals(activeTurn)) {
        return false;
      }
    }
    return true;
  }

  /** What a render may show. */
  public Window window() {
    Summary summary = openingSummary().orElse(null);
    int start = summary == null ? 0 : indexOf(summary.cutSeq());
    List<TimelineEntry> shown = shownFrom(start);
    if (summary == null || shown.isEmpty()) {
      return new Window(summary, List.of(), shown, null);
    }
    TurnId first = shown.getFirst().turn();
    List<TimelineEntry> before = entriesOfTurn(first, start);
    return before.isEmpty()
        ? new Window(summary, List.of(), shown, null)
        : new Window(summary, Window.carried(summary, first, before), shown, first);
  }

  private List<TimelineEntry> shownFrom(int start) {
    if (!anyTurnExcluded() && archived.isEmpty() && omittedTurns.isEmpty()) {
      return start == 0 ? log : log.subList(start, log.size());
    }
    List<TimelineEntry> shown = new ArrayList<>(log.size() - start);
    for (int i = start; i < log.size(); i++) {
      TimelineEntry entry = log.get(i);
      if (isShown(entry)) {
        shown.add(entry);
      }
    }
    return shown;
  }

  private boolean anyTurnExcluded() {
    return notKept.size() > (activeTurn != null && notKept.contains(activeTurn) ? 1 : 0);
  }

  private boolean coversKeptTurnsOnly(Summary summary) {
    return summary.coveredTurns().stream().noneMatch(this::isExcluded);
  }

  private boolean isShown(TimelineEntry entry) {
    TurnId turn = entry.turn();
    return !isExcluded(turn)
        && !omittedTurns.contains(turn)
        && archived.stream().noneMatch(range -> range.contains(entry.seqOrZero()));
  }

  private int indexOf(long seq) {
    int low = 0;
    int high = log.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (seqAtOrBefore(middle) < seq) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The sequence number at an index; where the entry has none, that of the nearest before it. */
  private long seqAtOrBefore(int index) {
    int at = index;
    while (at >= 0 && log.get(at).seq().isEmpty()) {
      at--;
    }
    return at < 0 ? 0 : log.get(at).seqOrZero();
  }

  /** The entries of a turn before an index, found from there backwards: turns are contiguous. */
  private List<TimelineEntry> entriesOfTurn(TurnId turn, int end) {
    List<TimelineEntry> found = new ArrayList<>();
    for (int i = end - 1; i >= 0 && log.get(i).turn().equals(turn); i--) {
      found.add(log.get(i));
    }
    Collections.reverse(found);
    return found;
  }

  private static Visibility ownVisibility(long seq, Block block) {
    return new Visibility(
        seq,
        block.replacementText().orElse(""),
        Visibility.Reason.API,
        block.ts().orElse(Instant.EPOCH));
  }

  /** The fields while the next value is made. */
  private static final class State {
    private GrowingList<TimelineEntry> log = GrowingList.empty();
    private long nextSeq = 1;
    private Map<TurnId, TurnState> turns = Map.of();
    private Set<TurnId> notKept = Set.of();
    private @Nullable TurnId activeTurn;
    private List<Summary> summaries = List.of();
    private List<ArchivedRange> archived = List.of();
    private VisibilityRecords visibility = VisibilityRecords.NONE;
    private long viewTokens = VisibilityRecords.NO_BUDGET;
    private Set<TurnId> omittedTurns = Set.of();
    private SourcesPool sources = SourcesPool.EMPTY;
    private List<Block> announce = List.of();
    private Pins pins = Pins.NONE;

    State() {}

    State(Timeline from) {
      this.log = from.log;
      this.nextSeq = from.nextSeq;
      this.turns = from.turns;
      this.notKept = from.notKept;
      this.activeTurn = from.activeTurn;
      this.summaries = from.summaries;
      this.archived = from.archived;
      this.visibility = from.visibility;
      this.viewTokens = from.viewTokens;
      this.omittedTurns = from.omittedTurns;
      this.sources = from.sources;
      this.announce = from.announce;
      this.pins = from.pins;
    }
  }
}
