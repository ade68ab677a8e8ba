package dev.contexture.crdt.internal;

import dev.contexture.crdt.CommitNote;
import dev.contexture.crdt.VersionVector;
import dev.contexture.crdt.internal.data.IntList;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The boundaries of commits, as runs of equal commits. Append-only, confined to one thread. */
final class CommitLog {
  /** {@code repeat} commits of {@code length} operations each; more than one only without note. */
  record Run(int replica, int first, int length, int repeat, CommitNote note) {
    int end() {
      return first + length * repeat;
    }

    /** The commits of this run that begin at or after {@code counter}, which lies between two. */
    Run from(int counter) {
      int skipped = (counter - first) / length;
      return new Run(replica, first + skipped * length, length, repeat - skipped, note);
    }
  }

  private final IntList replicas;
  private final IntList firsts;
  private final IntList lengths;
  private final IntList repeats;
  private final Map<Integer, CommitNote> notes = new HashMap<>();
  private final List<IntList> runsOf = new ArrayList<>();
  private boolean sealed;

  CommitLog() {
    this(new IntList(), new IntList(), new IntList(), new IntList());
  }

  private CommitLog(IntList replicas, IntList firsts, IntList lengths, IntList repeats) {
    this.replicas = replicas;
    this.firsts = firsts;
    this.lengths = lengths;
    this.repeats = repeats;
  }

  CommitLog copy() {
    CommitLog copy = new CommitLog(replicas.copy(), firsts.copy(), lengths.copy(), repeats.copy());
    copy.notes.putAll(notes);
    runsOf.forEach(runs -> copy.runsOf.add(runs.copy()));
    copy.sealed = sealed;
    return copy;
  }

  int runs() {
    return replicas.size();
  }

  Run run(int index) {
    CommitNote note = notes.getOrDefault(index, CommitNote.NONE);
    return new Run(
        replicas.get(index), firsts.get(index), lengths.get(index), repeats.get(index), note);
  }

  /**
   * @param continues whether nothing but the operation before the first one is its parent, and each
   *     operation the parent of the next: such commits of equal length become one run
   */
  void add(Run run, boolean continues) {
    int last = replicas.size() - 1;
    if (last >= 0
        && continues
        && !sealed
        && run.note().isEmpty()
        && !notes.containsKey(last)
        && replicas.get(last) == run.replica()
        && lengths.get(last) == run.length()
        && firsts.get(last) + lengths.get(last) * repeats.get(last) == run.first()) {
      repeats.set(last, repeats.get(last) + run.repeat());
      return;
    }
    if (!run.note().isEmpty()) {
      notes.put(last + 1, run.note());
    }
    runsOf(run.replica()).add(last + 1);
    replicas.add(run.replica());
    firsts.add(run.first());
    lengths.add(run.length());
    repeats.add(run.repeat());
    sealed = false;
  }

  /** Nothing joins the last run any more. */
  void seal() {
    sealed = true;
  }

  /** Whether a commit of the replica ends behind its operation {@code counter}. */
  boolean endsAfter(int replica, int counter) {
    int found = firstEndingAbove(replica, counter);
    if (found == runsOf(replica).size()) {
      return false;
    }
    Run run = run(runsOf(replica).get(found));
    int offset = counter - run.first();
    return offset >= 0 && (offset + 1) % run.length() == 0;
  }

  /** The commits that a version lacks, in the order in which they came. */
  List<Run> above(VersionVector known, ReplicaTable table) {
    IntList found = new IntList();
    for (int replica = 0; replica < table.size(); replica++) {
      IntList own = runsOf(replica);
      int seen = known.count(table.id(replica));
      for (int i = firstEndingAbove(replica, seen); i < own.size(); i++) {
        found.add(own.get(i));
      }
    }
    List<Run> runs = new ArrayList<>(found.size());
    for (int index : found.sorted()) {
      Run run = run(index);
      int seen = known.count(table.id(run.replica()));
      runs.add(seen > run.first() ? run.from(seen) : run);
    }
    return runs;
  }

  /** Which of the runs of a replica is the first with an operation at or after a counter. */
  private int firstEndingAbove(int replica, int counter) {
    IntList own = runsOf(replica);
    int low = 0;
    int high = own.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (run(own.get(middle)).end() > counter) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  private IntList runsOf(int replica) {
    while (runsOf.size() <= replica) {
      runsOf.add(new IntList());
    }
    return runsOf.get(replica);
  }
}
