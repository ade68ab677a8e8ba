package dev.contexture.bench.peer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** What each agent of a concurrent trace has to merge before its next transaction. One thread. */
final class TraceMerge {
  private final EditingTrace trace;
  private final Map<Integer, boolean[]> seen = new HashMap<>();
  private int next;

  TraceMerge(EditingTrace trace) {
    this.trace = trace;
  }

  /** Transactions that the next transaction follows and its agent lacks, causes first. */
  List<Integer> missing(EditingTrace.Transaction txn) {
    boolean[] has = seenBy(txn.agent());
    List<Integer> missing = new ArrayList<>();
    List<Integer> open = new ArrayList<>(txn.parents());
    while (!open.isEmpty()) {
      int index = open.removeLast();
      if (!has[index]) {
        has[index] = true;
        missing.add(index);
        open.addAll(trace.transactions().get(index).parents());
      }
    }
    has[next++] = true;
    missing.sort(null);
    return missing;
  }

  /** Everything that an agent lacks at the end. */
  List<Integer> missing(int agent) {
    boolean[] has = seenBy(agent);
    return IntStream.range(0, has.length).filter(index -> !has[index]).boxed().toList();
  }

  private boolean[] seenBy(int agent) {
    return seen.computeIfAbsent(agent, a -> new boolean[trace.transactions().size()]);
  }
}
