package dev.contexture.crdt.internal;

import dev.contexture.crdt.VersionVector;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/*
 * Computes a state from the trim point on.
 *  1. Between critical operations nothing is concurrent: positions are used as they are.
 *  2. Every other stretch is walked, starting at the critical operation in front of it, one author
 *     after the other as far as causes allow: changing between branches is what costs.
 * An old version has of the critical operations a first part, so the same cut serves it.
 */
/** Replays history into a fresh state. Confined to one thread. */
final class HistoryReplay {
  private final EventHistory history;
  private final VersionVector limit;
  private final State state;

  private HistoryReplay(EventHistory history, VersionVector limit) {
    this.history = history;
    this.limit = limit;
    this.state = StateFormat.read(history.base().state(), history.containers());
  }

  /** The state at a version that, with each operation, has everything the operation knew. */
  static State at(EventHistory history, VersionVector version) {
    HistoryReplay replay = new HistoryReplay(history, version);
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
    Map<Integer, Deque<Part>> authors = new LinkedHashMap<>();
    forEachPart(from, to, (a, b) -> queueOf(authors, a).add(new Part(a, b)));
    Walker walker = new Walker(history, from - 1);
    Map<Integer, Integer> walked = new HashMap<>();
    boolean more = true;
    while (more) {
      more = false;
      for (Map.Entry<Integer, Deque<Part>> own : authors.entrySet()) {
        while (!own.getValue().isEmpty() && isReady(own.getValue().getFirst(), from, walked)) {
          Part part = own.getValue().removeFirst();
          walker.walk(part.from(), part.to(), state);
          history.ops().forEach(part.from(), part.to(), op -> state.applyUnordered(op, history));
          walked.put(own.getKey(), part.to() - 1);
          more = true;
        }
      }
    }
  }

  /** Operations of one span. */
  private record Part(int from, int to) {}

  private Deque<Part> queueOf(Map<Integer, Deque<Part>> authors, int event) {
    return authors.computeIfAbsent(history.graph().ownerOf(event), a -> new ArrayDeque<>());
  }

  /** Whether everything was walked that a part follows. */
  private boolean isReady(Part part, int from, Map<Integer, Integer> walked) {
    for (int parent : history.graph().parentsOf(part.from())) {
      int author = history.graph().ownerOf(parent);
      if (parent >= from && parent > walked.getOrDefault(author, -1)) {
        return false;
      }
    }
    return true;
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
