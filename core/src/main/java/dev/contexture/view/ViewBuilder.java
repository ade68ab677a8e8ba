package dev.contexture.view;

import dev.contexture.block.Block;
import dev.contexture.block.BlockType;
import dev.contexture.timeline.CallBatch;
import dev.contexture.timeline.GrowingList;
import dev.contexture.timeline.Round;
import dev.contexture.timeline.Rounds;
import dev.contexture.timeline.Timeline;
import dev.contexture.timeline.TimelineEntry;
import dev.contexture.timeline.Visibility;
import dev.contexture.timeline.Window;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Builds stable streams. It remembers the one before: if the next timeline only adds blocks to the
 * active turn, it goes on where something can still change, and takes the rest over as it is.
 *
 * <p>Confined to one thread at a time.
 */
final class ViewBuilder {
  private final ContributionFilters filters;
  private final Emitter emitter;
  private final RoundStarts roundStarts = new RoundStarts();
  private GrowingList<StreamItem> items = GrowingList.empty();
  private GrowingList<DroppedBlock> dropped = GrowingList.empty();
  private Rounds rounds = new Rounds();
  private Timeline timeline = Timeline.empty();
  private Window window = timeline.window();
  private List<TimelineEntry> entries = List.of();
  private int[] itemsBefore = new int[64]; // by position: how many items the blocks before it gave
  private int[] droppedBefore = new int[64];
  private int read; // how many positions were read
  private int settled; // the first of them that the next block can still change
  private @Nullable View built;

  ViewBuilder(ContributionFilters filters, Emitter emitter) {
    this.filters = filters;
    this.emitter = emitter;
  }

  View build(Timeline next) {
    View before = built;
    if (before != null && next == timeline) {
      return before;
    }
    built = null; // until the next one is whole
    boolean goesOn = before != null && next.isExtensionOf(timeline);
    timeline = next;
    window = next.window();
    entries = window.entries();
    if (!goesOn) {
      restart();
    }
    int changed = rounds.extend(window, next.activeTurn().orElse(null));
    boolean asNative = emitter.dialect() == Dialect.NATIVE;
    int pendingFrom = asNative ? pendingFrom() : Integer.MAX_VALUE;
    int from = goesOn ? Math.min(Math.min(settled, changed), pendingFrom) : 0;
    if (goesOn) {
      goBackTo(from);
    }
    settled = entries.size();
    read(from, pendingFrom, asNative);
    settled = Math.min(settled, pendingFrom);
    if (asNative) {
      withholdTrailingVoices();
    }
    emitter.forgetAllBut(items);
    View view = new View(timeline, window, emitter.dialect(), filters, items, dropped);
    built = view;
    return view;
  }

  private void restart() {
    items = GrowingList.empty();
    dropped = GrowingList.empty();
    roundStarts.clear();
    rounds = new Rounds();
    window.summary().ifPresent(s -> addItem(StreamItem.of(s, emitter.summary(s))));
    ShownPins pins = ShownPins.of(timeline, window, emitter);
    pins.fitting().forEach(this::addCarried);
    pins.others().forEach(pin -> drop(pin, DroppedBlock.Reason.PIN_OVER_SHARE));
    window.carried().forEach(this::addCarried);
  }

  private void goBackTo(int position) {
    if (position < read) {
      items = items.first(itemsBefore[position]);
      dropped = dropped.first(droppedBefore[position]);
      roundStarts.truncate(items.size());
    }
  }

  private void read(int from, int pendingFrom, boolean asNative) {
    ensureCapacity(entries.size());
    for (int i = from; i < entries.size(); i++) {
      itemsBefore[i] = items.size();
      droppedBefore[i] = dropped.size();
      TimelineEntry entry = entries.get(i);
      BlockType type = entry.block().type();
      if (filters.silences(type)) {
        continue;
      }
      if (!filters.shows(type)) {
        drop(entry, DroppedBlock.Reason.FILTERED);
      } else if (i >= pendingFrom) {
        drop(entry, DroppedBlock.Reason.PENDING_CALL);
      } else if (asNative) {
        addNative(i, entry);
      } else if (!type.has(BlockType.Flag.NATIVE_ONLY)) {
        add(i, entry, shown(i, entry, rounds.place(i)), null);
      }
    }
    read = entries.size();
  }

  private void ensureCapacity(int size) {
    if (size > itemsBefore.length) {
      int capacity = Math.max(size, itemsBefore.length + (itemsBefore.length >> 1));
      itemsBefore = Arrays.copyOf(itemsBefore, capacity);
      droppedBefore = Arrays.copyOf(droppedBefore, capacity);
    }
  }

  private void addItem(StreamItem item) {
    boolean startsRound = roundStarts.add(items.size(), item.roundKey());
    StreamItem before = items.isEmpty() ? null : items.getLast();
    items = items.append(item.behind(before, startsRound));
  }

  /**
   * From where on everything is withheld: the first block of the first batch of the active turn
   * that waits for a result, or of a batch that reaches beyond that block, since a batch is sent
   * whole.
   */
  private int pendingFrom() {
    int first = Integer.MAX_VALUE;
    for (int i = entries.size() - 1; i >= 0 && timeline.isActive(entries.get(i).turn()); i--) {
      CallBatch batch = rounds.place(i) == Rounds.Place.CALL ? rounds.batch(i).orElse(null) : null;
      if (batch != null && !batch.closed()) {
        first = Math.min(first, batch.first());
      }
    }
    for (int i = entries.size() - 1; i >= first; i--) {
      CallBatch batch = rounds.batch(i).orElse(null);
      first = batch == null ? first : Math.min(first, batch.first());
    }
    return first;
  }

  private void addCarried(TimelineEntry entry) {
    if (filters.silences(entry.block().type())) {
      return;
    }
    Optional<Visibility> visibility = timeline.visibility(entry); // no call is carried
    Emission emission =
        visibility
            .map(record -> emitter.replaced(entry, record, null))
            .orElseGet(() -> emitter.own(entry, null));
    if (!emission.isEmpty()) {
      addItem(StreamItem.carried(entry, emission, visibility.isPresent()));
    }
  }

  /** What the block emits at its own place. */
  private Emission shown(int position, TimelineEntry entry, Rounds.Place place) {
    String tool = tool(position, entry);
    boolean late = emitter.dialect() == Dialect.NATIVE && place == Rounds.Place.LATE;
    Visibility visibility = visibility(position, entry);
    if (visibility != null) {
      return late
          ? emitter.lateReplaced(entry, visibility)
          : emitter.replaced(entry, visibility, tool);
    }
    return late ? emitter.late(entry, tool) : emitter.own(entry, tool);
  }

  /** Its tool by T-10; a call names its own, whatever a later call of the same id says. */
  private @Nullable String tool(int position, TimelineEntry entry) {
    if (entry.block().type().isCall()) {
      return entry.ownToolId().orElse(null);
    }
    return entry
        .ownToolId()
        .or(() -> rounds.calledBy(position).flatMap(Round::call).flatMap(TimelineEntry::ownToolId))
        .orElse(null);
  }

  private void addNative(int position, TimelineEntry entry) {
    Rounds.Place place = rounds.place(position);
    Round round = rounds.round(position).orElse(null);
    if (round != null && isSentWithCall(position, round) && callIsBlank(round)) {
      drop(entry, DroppedBlock.Reason.HIDDEN);
      return;
    }
    switch (place) {
      case OWN -> add(position, entry, shown(position, entry, place), null);
      case WITH_CALLS -> {
        if (isFormOfShortened(position, entry)) {
          drop(entry, DroppedBlock.Reason.HIDDEN);
        } else {
          add(position, entry, shown(position, entry, place), rounds.batch(position).orElse(null));
        }
      }
      case CALL -> addCall(position, entry, round);
      case IN_RESULT -> addInResult(position, entry, round);
      case LATE -> add(position, entry, shown(position, entry, place), null);
      case ORPHAN -> drop(entry, DroppedBlock.Reason.ORPHAN_RESULT);
      case UNANSWERED -> drop(entry, DroppedBlock.Reason.UNANSWERED_CALL);
    }
  }

  /** The record that decides how this view shows the entry. */
  private @Nullable Visibility visibility(int position, TimelineEntry entry) {
    Visibility record = timeline.visibility(entry).orElse(null);
    boolean arguments = record != null && record.reason() == Visibility.Reason.ARGUMENTS;
    return arguments && isSentWithThinking(position) ? null : record;
  }

  private boolean isSentWithThinking(int position) {
    return emitter.dialect() == Dialect.NATIVE
        && SentForms.isThinkingSent(
            entries::get, i -> emitter.own(entries.get(i), null), entries.size(), position);
  }

  /** Whether a block is the maker's form of a call that is shown with shorter arguments. */
  private boolean isFormOfShortened(int position, TimelineEntry entry) {
    if (position + 1 >= entries.size() || !SentForms.isForm(entry, entries.get(position + 1))) {
      return false;
    }
    Visibility record = visibility(position + 1, entries.get(position + 1));
    return record != null && record.reason() == Visibility.Reason.ARGUMENTS;
  }

  private void addCall(int position, TimelineEntry entry, @Nullable Round round) {
    if (round == null || !resultShown(round)) {
      drop(entry, DroppedBlock.Reason.UNANSWERED_CALL);
      return;
    }
    Visibility visibility = visibility(position, entry);
    String tool = tool(position, entry);
    Emission emission =
        visibility == null
            ? emitter.inRound(entry, tool)
            : emitter.replaced(entry, visibility, tool);
    add(position, entry, emission, round.batch().orElse(null));
  }

  private void addInResult(int position, TimelineEntry entry, @Nullable Round round) {
    boolean result = entry.block().type().isResult();
    boolean paired = round != null && callShown(round) && resultShown(round);
    if (round == null || !paired) {
      if (result) {
        drop(entry, DroppedBlock.Reason.ORPHAN_RESULT);
      } else {
        add(position, entry, shown(position, entry, Rounds.Place.LATE), null);
      }
      return;
    }
    Emission emission = inResult(position, entry, round);
    boolean holdsTheResult = result && position == firstResult(round);
    if (emission.isEmpty() && !holdsTheResult) {
      drop(entry, isBlank(entry) ? DroppedBlock.Reason.HIDDEN : DroppedBlock.Reason.EMPTY);
      return;
    }
    put(position, entry, emission, round.batch().orElse(null));
  }

  private Emission inResult(int position, TimelineEntry entry, Round round) {
    String tool = tool(position, entry);
    Visibility visibility = timeline.visibility(entry).orElse(null);
    if (visibility == null) {
      return emitter.inRound(entry, tool);
    }
    boolean allBlank = round.results().stream().allMatch(i -> isBlank(entries.get(i)));
    return allBlank && position == firstResult(round)
        ? emitter.hiddenResult()
        : emitter.replaced(entry, visibility, tool);
  }

  private boolean callShown(Round round) {
    return round.call().isPresent() && filters.shows(BlockType.REACT_TOOL_CALL);
  }

  /** Whether a block goes where the call of its round goes; others may have been sent before. */
  private boolean isSentWithCall(int position, Round round) {
    return rounds.batch(position).equals(round.batch());
  }

  private boolean callIsBlank(Round round) {
    return round.call().map(this::isBlank).orElse(false);
  }

  private boolean resultShown(Round round) {
    return round.answered() && filters.shows(BlockType.REACT_TOOL_RESULT);
  }

  private static int firstResult(Round round) {
    return round.results().getFirst();
  }

  private boolean isBlank(TimelineEntry entry) {
    return timeline
        .visibility(entry)
        .map(v -> v.replacement().isBlank() || entry.block().path().isEmpty())
        .orElse(false);
  }

  private void add(
      int position, TimelineEntry entry, Emission emission, @Nullable CallBatch batch) {
    if (!emission.isEmpty()) {
      put(position, entry, emission, batch);
      return;
    }
    Visibility visibility = visibility(position, entry);
    if (visibility != null) {
      boolean answer = visibility.reason() == Visibility.Reason.REPLACED;
      drop(entry, answer ? DroppedBlock.Reason.REPLACED : DroppedBlock.Reason.HIDDEN);
    } else {
      Block block = entry.block();
      boolean opaque = block.type().has(BlockType.Flag.NATIVE_ONLY) && block.text().isPresent();
      drop(entry, opaque ? DroppedBlock.Reason.UNREADABLE : DroppedBlock.Reason.EMPTY);
    }
  }

  private void put(
      int position, TimelineEntry entry, Emission emission, @Nullable CallBatch batch) {
    boolean replaced = visibility(position, entry) != null;
    Rounds.Place place = batch == null ? ownPlace(position) : rounds.place(position);
    Round round = rounds.round(position).orElse(null);
    String tool = tool(position, entry);
    addItem(StreamItem.of(entry, emission, replaced, place, round, batch, tool));
  }

  private Rounds.Place ownPlace(int position) {
    return rounds.place(position) == Rounds.Place.LATE ? Rounds.Place.LATE : Rounds.Place.OWN;
  }

  private void drop(TimelineEntry entry, DroppedBlock.Reason reason) {
    dropped = dropped.append(new DroppedBlock(entry, reason));
  }

  /** What the model says before a call waits for that call, so that nothing sent changes. */
  private void withholdTrailingVoices() {
    while (!items.isEmpty() && isWaitingVoice(items.getLast())) {
      TimelineEntry entry = items.getLast().entry().orElseThrow();
      items = items.first(items.size() - 1);
      roundStarts.truncate(items.size());
      drop(entry, DroppedBlock.Reason.PENDING_CALL);
      while (settled > 0 && itemsBefore[settled - 1] >= items.size()) {
        settled--;
      }
    }
  }

  private boolean isWaitingVoice(StreamItem item) {
    BlockType type = item.type();
    boolean voice =
        type.equals(BlockType.REACT_NOTES)
            || type.equals(BlockType.REACT_TOOL_CODE)
            || type.equals(BlockType.MODEL_OPAQUE);
    return voice
        && item.batch().isEmpty()
        && timeline.isActive(item.turn())
        && item.entry().flatMap(TimelineEntry::callId).isPresent();
  }
}
