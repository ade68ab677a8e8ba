package dev.contexture.crdt.internal;

import dev.contexture.crdt.CrdtException;
import dev.contexture.crdt.internal.data.SplayTree;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/*
 * One text or list while concurrent operations on it are merged.
 *
 * Items are ordered as in the final state, deleted ones included. Each has two sides: what the
 * version at which the next operation was made knew of it (inserted, deletions), and what the state
 * shows of it (gone). An operation is looked up by position on the first side and takes effect by
 * position on the second.
 *  1. What existed before the walk began is one item of ids below zero, as long as anything may be;
 *     when the true length is known, finish() cuts it.
 *  2. insert: the left origin is the readable character in front of the position, the right origin
 *     the next character that the author's version knew, deleted or not. Items in between are
 *     concurrent; integrate() finds the place among them.
 *  3. delete: marks the readable characters from the position on, and remembers which operation
 *     deleted which character.
 *  4. show(range, known): operations enter or leave the version that is read.
 *
 * The order of concurrent insertions is that of FugueMax (Weidner and Kleppmann, "The Art of the
 * Fugue", 2023), found by the scan that Gentle and Kleppmann describe for event graphs
 * ("Collaborative Text Editing with Eg-walker", 2025): maximally non-interleaving, the smaller
 * replica first. Bounds: O(log items) per item touched; an insertion also visits the concurrent
 * items at its place.
 */
/** The order of one sequence during a walk. Confined to one thread. */
final class Tracker {
  private static final int OLDEST = -(1 << 30);

  /** The characters that a run of deletions hit. */
  private record Hit(int firstEvent, int count, int firstId, boolean backwards) {}

  /** Decides who comes first of two insertions at one place. */
  interface Precedence {
    boolean isFirst(int event, int otherEvent);
  }

  private final SplayTree<InsertRun> tree = new SplayTree<>();
  private final TreeMap<Integer, InsertRun> items = new TreeMap<>();
  private final TreeMap<Integer, Hit> hits = new TreeMap<>();
  private final Map<Integer, Integer> setters = new HashMap<>();
  private final Precedence precedence;
  private final Precedence overwrites;
  private boolean finished;

  /**
   * @param precedence whether an insertion stands in front of another one at the same place
   * @param overwrites whether a value set by one operation hides that of another one
   */
  Tracker(Precedence precedence, Precedence overwrites) {
    this.precedence = precedence;
    this.overwrites = overwrites;
    InsertRun before = new InsertRun(OLDEST, -OLDEST, InsertRun.NOWHERE, InsertRun.NOWHERE);
    items.put(before.id, before);
    tree.insertAfter(null, before);
  }

  /** Tells how long the state is that the operations so far led to. */
  void finish(int shownLength) {
    if (finished) {
      return;
    }
    finished = true;
    InsertRun root = root();
    int excess = root.shown - shownLength;
    InsertRun last = itemAt(-1);
    int cut = last.length - excess;
    if (cut < 0) {
      throw CrdtException.corrupt("history and state disagree about the length of a sequence");
    }
    InsertRun end = cut == 0 ? last : splitItem(last, cut);
    tree.splay(end);
    end.length = 0;
    end.pull();
  }

  void insert(Op op, Effects effects) {
    InsertRun left = null;
    if (op.position > 0) {
      left = readableAt(op.position - 1);
      int offset = op.position - left.readableBefore();
      if (offset < left.length) {
        splitItem(left, offset);
      }
    }
    int leftId = left == null ? InsertRun.NOWHERE : left.lastId();
    InsertRun next = left == null ? tree.first() : tree.next(left);
    InsertRun known = next;
    while (known != null && !known.inserted) {
      known = tree.next(known);
    }
    int rightId = known == null ? InsertRun.NOWHERE : known.id;
    InsertRun item = new InsertRun(op.event, op.length, leftId, rightId);
    InsertRun place = next == known ? left : integrate(item, left, next);
    items.put(item.id, item);
    tree.insertAfter(place, item);
    effects.insert(op, item.shownBefore());
  }

  /** The item behind which a new one belongs, among concurrent ones from {@code next} on. */
  private @Nullable InsertRun integrate(
      InsertRun item, @Nullable InsertRun left, @Nullable InsertRun next) {
    int leftIndex = leftIndex(item.originLeft);
    int rightIndex = rightIndex(item.originRight);
    InsertRun place = left;
    boolean scanning = false;
    for (InsertRun other = next; other != null && !other.inserted; other = tree.next(other)) {
      int otherLeft = leftIndex(other.originLeft);
      if (otherLeft < leftIndex) {
        break;
      }
      if (otherLeft == leftIndex) {
        int otherRight = rightIndex(other.originRight);
        if (otherRight == rightIndex && precedence.isFirst(item.id, other.id)) {
          break;
        }
        scanning = otherRight < rightIndex;
      }
      if (!scanning) {
        place = other;
      }
    }
    return place;
  }

  void delete(Op op, Effects effects) {
    int done = 0;
    while (done < op.length) {
      InsertRun item = readableAt(op.position);
      int offset = op.position - item.readableBefore();
      if (offset > 0) {
        item = splitItem(item, offset);
      }
      int count = Math.min(item.length, op.length - done);
      if (count < item.length) {
        splitItem(item, count);
      }
      tree.splay(item);
      int position = item.shownBefore();
      boolean wasShown = !item.gone;
      item.deletions++;
      item.gone = true;
      item.pull();
      if (wasShown) {
        effects.delete(op.container, position, count);
      }
      remember(op, done, count, item.id);
      done += count;
    }
  }

  private void remember(Op op, int done, int count, int id) {
    boolean backwards = op.kind == OpKind.DELETE_BACKWARDS;
    int event = backwards ? op.end() - done - count : op.event + done;
    hits.put(event, new Hit(event, count, id, backwards));
  }

  /** The value of an element changes if it is still there and nobody set it later. */
  void set(Op op, Effects effects) {
    InsertRun item = readableAt(op.position);
    int offset = op.position - item.readableBefore();
    int id = item.id + offset;
    Integer setter = setters.get(id);
    if (setter != null && overwrites.isFirst(setter, op.event)) {
      return;
    }
    setters.put(id, op.event);
    if (!item.gone) {
      effects.set(op, item.shownBefore() + offset);
    }
  }

  /** Adds operations of one run to the version that is read, or takes them from it. */
  void show(Op op, boolean known) {
    if (op.kind == OpKind.INSERT) {
      showItems(op.event, op.length, true, known);
    } else if (op.kind.isDelete()) {
      showHits(op.event, op.end(), known);
    }
  }

  private void showHits(int from, int to, boolean known) {
    Map.Entry<Integer, Hit> entry = hits.floorEntry(from);
    while (entry != null && entry.getValue().firstEvent() < to) {
      Hit hit = entry.getValue();
      int low = Math.max(from, hit.firstEvent());
      int high = Math.min(to, hit.firstEvent() + hit.count());
      int skipped =
          hit.backwards() ? hit.firstEvent() + hit.count() - high : low - hit.firstEvent();
      showItems(hit.firstId() + skipped, high - low, false, known);
      entry = hits.higherEntry(hit.firstEvent());
    }
  }

  private void showItems(int firstId, int count, boolean insertion, boolean known) {
    int done = 0;
    while (done < count) {
      InsertRun item = itemAt(firstId + done);
      int offset = firstId + done - item.id;
      if (offset > 0) {
        item = splitItem(item, offset);
      }
      if (item.length > count - done) {
        splitItem(item, count - done);
      }
      tree.splay(item);
      if (insertion) {
        item.inserted = known;
      } else {
        item.deletions += known ? 1 : -1;
      }
      item.pull();
      done += item.length;
    }
  }

  private InsertRun splitItem(InsertRun item, int offset) {
    tree.splay(item);
    InsertRun rest = item.split(offset);
    item.pull();
    items.put(rest.id, rest);
    tree.insertAfter(item, rest);
    return rest;
  }

  private InsertRun itemAt(int id) {
    Map.Entry<Integer, InsertRun> entry = items.floorEntry(id);
    if (entry == null) {
      throw new IllegalStateException("no item has id " + id);
    }
    return entry.getValue();
  }

  /** The item with a character that the read version shows at a position; becomes the root. */
  private InsertRun readableAt(int position) {
    InsertRun node = root();
    int rest = position;
    while (node != null) {
      int before = node.readableBefore();
      if (rest < before) {
        node = node.left;
        continue;
      }
      rest -= before;
      int own = node.isReadable() ? node.length : 0;
      if (rest < own) {
        tree.splay(node);
        return node;
      }
      rest -= own;
      node = node.right;
    }
    throw CrdtException.corrupt(
        "an operation acts on position " + position + ", beyond the end of what its author saw");
  }

  private int leftIndex(int id) {
    return id == InsertRun.NOWHERE ? -1 : index(id);
  }

  private int rightIndex(int id) {
    return id == InsertRun.NOWHERE ? Integer.MAX_VALUE : index(id);
  }

  private int index(int id) {
    InsertRun item = itemAt(id);
    tree.splay(item);
    return item.widthBefore() + id - item.id;
  }

  private InsertRun root() {
    InsertRun root = tree.root();
    if (root == null) {
      throw new IllegalStateException("a tracker is never empty");
    }
    return root;
  }
}
