package dev.contexture.crdt.internal;

import dev.contexture.crdt.ReplicaId;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/*
 * Walks the event graph and turns operations, whose positions are those their authors saw, into
 * effects on the state that contains everything walked so far.
 *  1. Start at a critical operation: what came before can stay one opaque item per sequence.
 *  2. For each span, move the trackers to the version that its author knew: hide what it did not
 *     know, show what it did (the difference of two versions of the graph).
 *  3. Apply its operations; the version read is then that of the span's last operation.
 * A walker stays usable: new operations continue where it stopped.
 */
/** One walk over concurrent operations. Confined to one thread. */
final class Walker {
  private final EventGraph graph;
  private final OpLog ops;
  private final ReplicaTable replicas;
  private final GraphDiff diff;
  private final Map<Integer, Tracker> trackers = new HashMap<>();
  private final int base;
  private int next;
  private int[] version;
  private @Nullable IntUnaryOperator trueLengths;

  /**
   * @param base a critical operation, or one below the first for the root
   */
  Walker(EventHistory history, int base) {
    this.graph = history.graph();
    this.ops = history.ops();
    this.replicas = history.replicas();
    this.diff = new GraphDiff(graph);
    this.base = base;
    this.next = base + 1;
    this.version = base < graph.first() ? EventGraph.NO_PARENTS : new int[] {base};
  }

  int base() {
    return base;
  }

  /** The first operation that was not walked. */
  int next() {
    return next;
  }

  /** Walks on to the operation before {@code end}. */
  void walkTo(int end, Effects effects) {
    while (next < end) {
      int to = Math.min(end, graph.end(graph.spanOf(next)));
      walk(next, to, effects);
    }
  }

  /** Walks a part of one span; skipped operations must not be parents of later ones. */
  void walk(int from, int to, Effects effects) {
    int[] parents = graph.parentsOf(from);
    diff.compare(version, parents, (a, b) -> show(a, b, false), (a, b) -> show(a, b, true));
    ops.forEach(from, to, op -> apply(op, effects));
    version = new int[] {to - 1};
    next = to;
  }

  /**
   * Ends the walk over what the state shows already: from now on operations are checked against the
   * true lengths.
   */
  void finishKnown(IntUnaryOperator lengths) {
    trackers.forEach((container, tracker) -> tracker.finish(lengths.applyAsInt(container)));
    trueLengths = lengths;
  }

  /** Begins to walk over what the state shows already. */
  void startKnown() {
    trueLengths = null;
  }

  private void show(int from, int to, boolean known) {
    ops.forEach(
        from,
        to,
        op -> {
          Tracker tracker = trackers.get(op.container);
          if (tracker != null) {
            tracker.show(op, known);
          }
        });
  }

  private void apply(Op op, Effects effects) {
    switch (op.kind) {
      case INSERT -> tracker(op.container).insert(op, effects);
      case DELETE, DELETE_BACKWARDS -> tracker(op.container).delete(op, effects);
      case SET_ITEM -> tracker(op.container).set(op, effects);
      case SET_KEY, REMOVE_KEY, ADD -> {}
    }
  }

  private Tracker tracker(int container) {
    Tracker known = trackers.get(container);
    if (known != null) {
      return known;
    }
    Tracker created = new Tracker(this::standsFirst, this::overwrites);
    if (trueLengths != null) {
      created.finish(trueLengths.applyAsInt(container));
    }
    trackers.put(container, created);
    return created;
  }

  private boolean standsFirst(int event, int other) {
    int order = owner(event).compareTo(owner(other));
    return order < 0 || (order == 0 && graph.counterOf(event) < graph.counterOf(other));
  }

  private boolean overwrites(int event, int other) {
    int order = Integer.compare(graph.lamport(event), graph.lamport(other));
    return order > 0 || (order == 0 && owner(event).compareTo(owner(other)) > 0);
  }

  private ReplicaId owner(int event) {
    return replicas.id(graph.ownerOf(event));
  }
}
