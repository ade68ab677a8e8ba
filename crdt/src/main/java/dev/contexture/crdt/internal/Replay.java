package dev.contexture.crdt.internal;

import dev.contexture.crdt.Version;

/*
 * Computes a state from the trim point on.
 *  1. Between critical operations nothing is concurrent: positions are used as they are.
 *  2. Every other stretch is walked, starting at the critical operation in front of it.
 * An old version has of the critical operations a first part, so the same cut serves it.
 */
/** Replays history into a fresh state. Confined to one thread. */
final class Replay {
  private final History history;
  private final Version limit;
  private final State state;

  private Replay(History history, Version limit) {
    this.history = history;
    this.limit = limit;
    this.state = StateFormat.read(history.base().state(), history.containers());
  }

  /** The state at a version that, with each operation, has everything the operation knew. */
  static State at(History history, Version version) {
    Replay replay = new Replay(history, version);
    replay.run();
    return replay.state;
  }

  private void run() {
    EventGraph graph = history.graph();
    int next = graph.first();
    for (int i = 0; i < graph.criticalIntervals(); i++) {
      walk(next, graph.criticalFrom(i));
      apply(graph.criticalFrom(i), graph.criticalTo(i) + 1);
      next = graph.criticalTo(i) + 1;
    }
    walk(next, graph.next());
  }

  private void apply(int from, int to) {
    forEachPart(from, to, (a, b) -> history.ops().forEach(a, b, op -> state.apply(op, history)));
  }

  private void walk(int from, int to) {
    if (from == to) {
      return;
    }
    Walker walker = new Walker(history, from - 1);
    forEachPart(
        from,
        to,
        (a, b) -> {
          walker.walk(a, b, state);
          history.ops().forEach(a, b, op -> state.applyUnordered(op, history));
        });
  }

  private void forEachPart(int from, int to, GraphDiff.Range range) {
    EventGraph graph = history.graph();
    for (int span = graph.spanOf(from); span < graph.spans() && graph.start(span) < to; span++) {
      int start = Math.max(from, graph.start(span));
      int end = Math.min(to, history.includedEnd(span, limit));
      if (start < end) {
        range.accept(start, end);
      }
    }
  }
}
