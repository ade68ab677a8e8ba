package dev.contexture.crdt.internal;

import java.util.Arrays;

/*
 * The operations that one of two versions has and the other has not.
 *  1. Start with the heads of both, marked with the side they come from.
 *  2. Take the greatest number. What lies below it in its span, down to the next marked operation
 *     or to the parents of the span, belongs to the same sides.
 *  3. Stop when every remaining mark belongs to both.
 * Bound: O(spans between the versions and their newest common part).
 */
/** Compares two versions of a graph. Confined to one thread. */
final class GraphDiff {
  private static final int FROM = 1;
  private static final int TO = 2;
  private static final int BOTH = FROM | TO;

  /** Hears of a range of operations. */
  interface Range {
    void accept(int from, int to);
  }

  private final EventGraph graph;
  private int[] events = new int[8];
  private int[] sides = new int[8];
  private int size;

  GraphDiff(EventGraph graph) {
    this.graph = graph;
  }

  void compare(int[] from, int[] to, Range onlyFrom, Range onlyTo) {
    if (Arrays.equals(from, to)) {
      return;
    }
    size = 0;
    for (int event : from) {
      mark(event, FROM);
    }
    for (int event : to) {
      mark(event, TO);
    }
    while (undecided()) {
      size--;
      int event = events[size];
      int side = sides[size];
      int span = graph.spanOf(event);
      int start = graph.start(span);
      boolean stops = size > 0 && events[size - 1] >= start;
      int low = stops ? events[size - 1] + 1 : start;
      if (side == FROM) {
        onlyFrom.accept(low, event + 1);
      } else if (side == TO) {
        onlyTo.accept(low, event + 1);
      }
      if (stops) {
        sides[size - 1] |= side;
      } else {
        for (int parent : graph.parents(span)) {
          mark(parent, side);
        }
      }
    }
  }

  private boolean undecided() {
    for (int i = 0; i < size; i++) {
      if (sides[i] != BOTH) {
        return true;
      }
    }
    return false;
  }

  private void mark(int event, int side) {
    int at = size;
    while (at > 0 && events[at - 1] > event) {
      at--;
    }
    if (at > 0 && events[at - 1] == event) {
      sides[at - 1] |= side;
      return;
    }
    if (size == events.length) {
      events = Arrays.copyOf(events, size * 2);
      sides = Arrays.copyOf(sides, size * 2);
    }
    System.arraycopy(events, at, events, at + 1, size - at);
    System.arraycopy(sides, at, sides, at + 1, size - at);
    events[at] = event;
    sides[at] = side;
    size++;
  }
}
