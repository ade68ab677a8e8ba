package dev.contexture.compaction;

import dev.contexture.block.Author;
import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.block.TurnId;
import dev.contexture.compaction.summary.TurnHead;
import dev.contexture.timeline.Timeline;
import dev.contexture.timeline.TimelineEntry;
import dev.contexture.timeline.Window;
import dev.contexture.view.Emitter;
import dev.contexture.view.ShownPins;
import dev.contexture.view.StreamItem;
import dev.contexture.view.View;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the places where a stable stream can be cut, and the cost of what would be left. Indices
 * are those of the stream, positions those of the window.
 *
 * <ol>
 *   <li>Each stored block behind the start that is no result may be a cut. It moves left to the
 *       first block of its unit, of its run of one path, and of its turn where nothing but what
 *       opens the turn would lie before it; until it rests. At or before the start it is none.
 *   <li>Costs are kept as sums from each index to the end, so that an estimate is one look. A
 *       preview changes them, never the candidates.
 * </ol>
 *
 * Built in one pass; confined to one thread.
 */
final class CutFinder {
  static final int NONE = -1;

  private final View view;
  private final List<StreamItem> items;
  private final Emitter emitter;
  private final CompactionBudget budget;
  private final CutUnits units;
  private final int[] positions;
  private final int[] indexAtOrAfter;
  private final int[] turnFirst;
  private final Opening[] openings;
  private final int[] target; // where a cut at the index comes to rest, or NONE
  private final boolean[] boundary;
  private final long[] costFrom;
  private final Map<TurnId, TurnHead> heads = new HashMap<>();
  private final int start;

  /** The part of a block's turn that lies before the block, in the stream. */
  private enum Opening {
    /** Nothing, or the header only. */
    HEADER,
    /** What can be shown again behind a summary. */
    CARRIED,
    /** What opens a turn, attachments included. */
    OPENING,
    /** More than that. */
    MORE
  }

  CutFinder(View view, Emitter emitter, CompactionBudget budget, CutUnits units) {
    this.view = view;
    this.items = view.items();
    this.emitter = emitter;
    this.budget = budget;
    this.units = units;
    int size = items.size();
    this.positions = new int[size];
    this.indexAtOrAfter = new int[view.window().entries().size()];
    this.turnFirst = new int[size];
    this.openings = new Opening[size];
    this.target = new int[size];
    this.boundary = new boolean[size];
    this.costFrom = new long[size + 1];
    this.start = findStart();
    findPositions();
    findOpenings();
    sumCosts();
    for (int i = 0; i < size; i++) {
      target[i] = isCandidate(i) ? rest(i) : NONE;
      boundary[i] = target[i] != NONE && isBoundary(items.get(i));
    }
  }

  private int findStart() {
    int at = 0;
    while (at < items.size() && (items.get(at).summary().isPresent() || items.get(at).carried())) {
      at++;
    }
    return at;
  }

  private void findPositions() {
    List<TimelineEntry> entries = view.window().entries();
    int position = 0;
    for (int i = 0; i < items.size(); i++) {
      positions[i] = NONE;
      if (i < start) {
        continue;
      }
      TimelineEntry entry = items.get(i).entry().orElseThrow();
      while (entries.get(position) != entry) {
        indexAtOrAfter[position++] = i;
      }
      positions[i] = position;
      indexAtOrAfter[position++] = i;
    }
    while (position < entries.size()) {
      indexAtOrAfter[position++] = items.size();
    }
  }

  private void findOpenings() {
    Window window = view.window();
    for (int i = start; i < items.size(); i++) {
      TurnId turn = items.get(i).turn();
      boolean first = i == start || !items.get(i - 1).turn().equals(turn);
      turnFirst[i] = first ? i : turnFirst[i - 1];
      if (first) {
        openings[i] = window.isSplit(turn) ? Opening.MORE : Opening.HEADER;
      } else {
        Opening own = ownOpening(items.get(i - 1).type());
        openings[i] = own.compareTo(openings[i - 1]) > 0 ? own : openings[i - 1];
      }
    }
  }

  private static Opening ownOpening(BlockType type) {
    if (type.equals(BlockType.TURN_HEADER)) {
      return Opening.HEADER;
    }
    if (TurnHead.isCarried(type)) {
      return Opening.CARRIED;
    }
    return TurnHead.isOpening(type) ? Opening.OPENING : Opening.MORE;
  }

  private void sumCosts() {
    for (int i = items.size() - 1; i >= 0; i--) {
      costFrom[i] = costFrom[i + 1] + items.get(i).cost();
    }
  }

  private boolean isCandidate(int index) {
    StreamItem item = items.get(index);
    return index > start && item.seq().isPresent() && !item.type().isResult();
  }

  private static boolean isBoundary(StreamItem item) {
    BlockType type = item.type();
    Author author = item.block().map(Block::author).orElse(Author.SYSTEM);
    return type.has(BlockType.Flag.OPENS_TURN)
        || type.has(BlockType.Flag.MESSAGE)
        || author.equals(Author.USER)
        || author.equals(Author.ASSISTANT);
  }

  /** Moves a candidate left until it rests; NONE if that is not behind the start. */
  private int rest(int index) {
    int at = index;
    int before;
    do {
      before = at;
      at = indexAtOrAfter[units.firstOf(positions[at])];
      at = startOfPathRun(at);
      at = startOfTurn(at);
    } while (at != before);
    return at > start ? at : NONE;
  }

  private int startOfPathRun(int index) {
    BlockPath path = items.get(index).path().orElse(null);
    int at = index;
    while (path != null && at > start && path.equals(items.get(at - 1).path().orElse(null))) {
      at--;
    }
    return at;
  }

  private int startOfTurn(int index) {
    boolean moves =
        switch (openings[index]) {
          case HEADER -> true;
          case CARRIED -> TurnHead.isOpening(items.get(index).type()) || carriesAllBefore(index);
          case OPENING -> TurnHead.isOpening(items.get(index).type());
          case MORE -> false;
        };
    return moves ? turnFirst[index] : index;
  }

  private boolean carriesAllBefore(int index) {
    return view.timeline().isActive(items.get(index).turn())
        && head(index).carriesPrompt(entry(index), budget.promptQuota());
  }

  private TurnHead head(int index) {
    Timeline timeline = view.timeline();
    return heads.computeIfAbsent(
        items.get(index).turn(), turn -> TurnHead.of(timeline, emitter, turn));
  }

  private TimelineEntry entry(int index) {
    return items.get(index).entry().orElseThrow();
  }

  int size() {
    return items.size();
  }

  int start() {
    return start;
  }

  StreamItem item(int index) {
    return items.get(index);
  }

  /** The window position of a block of the stream. */
  int position(int index) {
    return positions[index];
  }

  /** The first index whose window position is not before the given one. */
  int indexAtOrAfter(int position) {
    return indexAtOrAfter[position];
  }

  long costFrom(int index) {
    return costFrom[index];
  }

  long cost(int index) {
    return costFrom[index] - costFrom[index + 1];
  }

  long total() {
    return budget.around() + costFrom[0];
  }

  /** Counts a block as its preview from now on. */
  void replaceCost(int index, long cost) {
    long less = cost(index) - cost;
    for (int i = 0; i <= index; i++) {
      costFrom[i] -= less;
    }
  }

  /** The total that a cut is expected to leave. */
  long estimate(int cut) {
    return budget.around() + budget.reserve() + pins(cut) + carry(cut) + costFrom[cut];
  }

  /** What is pinned before the cut stands behind the summary. */
  private long pins(int cut) {
    return ShownPins.cost(view.timeline(), entry(cut).seq().orElse(Long.MAX_VALUE), emitter);
  }

  private long carry(int cut) {
    boolean divides = cut > turnFirst[cut] || view.window().isSplit(items.get(cut).turn());
    return divides ? head(cut).carry(entry(cut), budget.promptQuota()) : 0;
  }

  /** The head of the cut block's turn if the cut divides it. */
  @Nullable TurnHead dividedHead(int cut) {
    boolean divides = cut > turnFirst[cut] || view.window().isSplit(items.get(cut).turn());
    return divides ? head(cut) : null;
  }

  /** Where the stream is cut so that about as much is kept, or NONE. */
  int choose(long keep, int last) {
    int from = start;
    for (int i = items.size() - 1; i > start; i--) {
      if (costFrom[i] >= keep) {
        from = i;
        break;
      }
    }
    int plain = NONE;
    for (int i = from; i < items.size(); i++) {
      if (boundary[i] && target[i] <= last) {
        return target[i];
      }
      if (plain == NONE && allows(i, last)) {
        plain = target[i];
      }
    }
    for (int i = from - 1; plain == NONE && i > start; i--) {
      plain = allows(i, last) ? target[i] : NONE;
    }
    return plain;
  }

  /** The next boundary behind a cut, or NONE. */
  int next(int cut, int last) {
    for (int i = cut + 1; i < items.size(); i++) {
      if (boundary[i] && target[i] > cut && target[i] <= last) {
        return target[i];
      }
    }
    return NONE;
  }

  /** Whether any block can be cut at, none behind the given index. */
  boolean hasAny(int last) {
    for (int i = start + 1; i < items.size(); i++) {
      if (allows(i, last)) {
        return true;
      }
    }
    return false;
  }

  private boolean allows(int index, int last) {
    return target[index] != NONE && target[index] <= last;
  }

  /** Where the newest turns begin; the start if there are fewer. */
  int startOfRecentTurns(int turns) {
    int at = items.size();
    for (int i = 0; i < turns && at > start; i++) {
      at = turnFirst[at - 1];
    }
    return at;
  }

  /** The window position at which a cut divides the blocks: of the first stored one behind it. */
  int cutPosition(int cut) {
    List<TimelineEntry> entries = view.window().entries();
    int position = units.firstOf(positions[cut]);
    TurnId turn = items.get(cut).turn();
    boolean opensTurn = cut == turnFirst[cut] && !view.window().isSplit(turn);
    while (opensTurn && position > 0 && entries.get(position - 1).turn().equals(turn)) {
      position--;
    }
    while (entries.get(position).seq().isEmpty()) {
      position++;
    }
    return position;
  }
}
