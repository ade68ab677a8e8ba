package dev.contexture.crdt.internal;

import dev.contexture.crdt.CrdtException;
import dev.contexture.crdt.internal.data.IntList;
import java.util.Arrays;

/*
 * Which operation knew which. Every operation has a local number: its place in the order in which
 * it arrived here, which is an order in which causes precede effects.
 *  1. A span is a run of operations of one replica, each the only parent of the next; only its
 *     first operation has parents of its own. One writer alone makes one span.
 *  2. Heads are the operations that nobody follows yet.
 *  3. A number c is critical if everything up to c happened before c, and everything after c knows
 *     c. Two states on both sides of c never need to be compared. Criticals are kept as intervals:
 *     an operation that follows all heads adds one; an operation that follows an older one destroys
 *     all above its newest parent.
 * Bounds: append O(1) amortised, lookups O(log spans), memory O(spans).
 */
/** The causal order of all operations after the root. Confined to one thread. */
final class EventGraph {
  static final int[] NO_PARENTS = {};
  private static final int MAX_EVENTS = (1 << 30) - 1;

  private final ReplicaTable replicas;
  private final int first;
  private final int rootLamport;
  private final IntList starts;
  private final IntList owners;
  private final IntList counters;
  private final IntList lamports;
  private int[][] parents;
  private final IntList criticalFrom;
  private final IntList criticalTo;
  private int[] heads;
  private int next;

  /**
   * @param first number of the first operation that will be appended
   * @param heads the newest operations below {@code first}, of which only the numbers are known
   * @param rootLamport the greatest Lamport time below {@code first}
   */
  EventGraph(ReplicaTable replicas, int first, int[] heads, int rootLamport) {
    this.replicas = replicas;
    this.first = first;
    this.heads = heads;
    this.rootLamport = rootLamport;
    this.next = first;
    this.starts = new IntList();
    this.owners = new IntList();
    this.counters = new IntList();
    this.lamports = new IntList();
    this.parents = new int[8][];
    this.criticalFrom = new IntList();
    this.criticalTo = new IntList();
  }

  private EventGraph(EventGraph other, ReplicaTable replicas) {
    this.replicas = replicas;
    this.first = other.first;
    this.heads = other.heads; // replaced as a whole, like the parents of a span
    this.rootLamport = other.rootLamport;
    this.next = other.next;
    this.starts = other.starts.copy();
    this.owners = other.owners.copy();
    this.counters = other.counters.copy();
    this.lamports = other.lamports.copy();
    this.parents = other.parents.clone();
    this.criticalFrom = other.criticalFrom.copy();
    this.criticalTo = other.criticalTo.copy();
  }

  /** The same operations, over a copy of their replicas. */
  EventGraph copy(ReplicaTable copiedReplicas) {
    return new EventGraph(this, copiedReplicas);
  }

  int first() {
    return first;
  }

  int next() {
    return next;
  }

  int[] heads() {
    return heads;
  }

  int spans() {
    return starts.size();
  }

  int start(int span) {
    return starts.get(span);
  }

  int end(int span) {
    return span + 1 < starts.size() ? starts.get(span + 1) : next;
  }

  int owner(int span) {
    return owners.get(span);
  }

  int counter(int span) {
    return counters.get(span);
  }

  int[] parents(int span) {
    return parents[span];
  }

  int spanOf(int event) {
    return starts.floor(event);
  }

  /** The parents of any operation at or after {@code first}. */
  int[] parentsOf(int event) {
    int span = spanOf(event);
    return starts.get(span) == event ? parents[span] : new int[] {event - 1};
  }

  int lamport(int event) {
    int span = event < first ? -1 : spanOf(event);
    return span < 0 ? rootLamport : lamports.get(span) + event - starts.get(span);
  }

  int counterOf(int event) {
    int span = spanOf(event);
    return counters.get(span) + event - starts.get(span);
  }

  int ownerOf(int event) {
    return owners.get(spanOf(event));
  }

  /** The greatest Lamport time of all heads. */
  int maxLamport() {
    int max = rootLamport;
    for (int head : heads) {
      max = Math.max(max, lamport(head));
    }
    return max;
  }

  /** Number of an operation, or -1 if it lies below {@code first} or is unknown. */
  int eventOf(int replica, int counter) {
    IntList spans = replicas.spans(replica);
    int low = 0;
    int high = spans.size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int span = spans.get(middle);
      int offset = counter - counters.get(span);
      if (offset < 0) {
        high = middle - 1;
      } else if (offset >= end(span) - starts.get(span)) {
        low = middle + 1;
      } else {
        return starts.get(span) + offset;
      }
    }
    return -1;
  }

  boolean followsAllHeads(int[] knownParents) {
    for (int head : heads) {
      if (Arrays.binarySearch(knownParents, head) < 0) {
        return false;
      }
    }
    return true;
  }

  /** Appends operations of one replica; returns whether they follow everything before them. */
  boolean append(int replica, int count, int[] knownParents) {
    if (count > MAX_EVENTS - next) {
      throw CrdtException.limit("number of operations", (long) next + count, MAX_EVENTS);
    }
    boolean follows = followsAllHeads(knownParents);
    if (!extendsLast(replica, knownParents)) {
      addSpan(replica, knownParents);
    }
    int start = next;
    next += count;
    replicas.advance(replica, count);
    heads = follows ? new int[] {next - 1} : replaceHeads(knownParents, next - 1);
    if (follows) {
      addCritical(start, next - 1);
    } else {
      keepCriticalUpTo(knownParents.length == 0 ? -1 : knownParents[knownParents.length - 1]);
    }
    return follows;
  }

  /** The newest critical operation; {@code first - 1} stands for the root. */
  int lastCritical() {
    return criticalTo.size() == 0 ? first - 1 : criticalTo.last();
  }

  int criticalIntervals() {
    return criticalFrom.size();
  }

  int criticalFrom(int interval) {
    return criticalFrom.get(interval);
  }

  int criticalTo(int interval) {
    return criticalTo.get(interval);
  }

  private boolean extendsLast(int replica, int[] knownParents) {
    return next > first
        && knownParents.length == 1
        && knownParents[0] == next - 1
        && owners.last() == replica;
  }

  private void addSpan(int replica, int[] knownParents) {
    int lamport = rootLamport;
    for (int parent : knownParents) {
      lamport = Math.max(lamport, lamport(parent));
    }
    int span = starts.size();
    if (span == parents.length) {
      parents = Arrays.copyOf(parents, span * 2);
    }
    parents[span] = knownParents;
    starts.add(next);
    owners.add(replica);
    counters.add(replicas.count(replica));
    lamports.add(lamport + 1);
    replicas.spans(replica).add(span);
  }

  private int[] replaceHeads(int[] followed, int added) {
    IntList kept = new IntList();
    for (int head : heads) {
      if (Arrays.binarySearch(followed, head) < 0) {
        kept.add(head);
      }
    }
    kept.add(added);
    return kept.toArray();
  }

  private void addCritical(int from, int to) {
    int last = criticalTo.size() - 1;
    if (last >= 0 && criticalTo.get(last) == from - 1) {
      criticalTo.set(last, to);
    } else {
      criticalFrom.add(from);
      criticalTo.add(to);
    }
  }

  private void keepCriticalUpTo(int event) {
    int size = criticalFrom.floor(event) + 1;
    criticalFrom.truncate(size);
    criticalTo.truncate(size);
    if (size > 0 && criticalTo.last() > event) {
      criticalTo.set(size - 1, event);
    }
  }
}
