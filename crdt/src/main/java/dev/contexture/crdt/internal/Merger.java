package dev.contexture.crdt.internal;

import dev.contexture.crdt.CommitEvent;
import dev.contexture.crdt.CommitRecord;
import dev.contexture.crdt.CrdtErrorCode;
import dev.contexture.crdt.CrdtException;
import dev.contexture.crdt.CrdtLimits;
import dev.contexture.crdt.DocumentStep;
import dev.contexture.crdt.MergeResult;
import dev.contexture.crdt.ReplicaId;
import dev.contexture.crdt.VersionVector;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/*
 * Takes in commits, in whatever order and number they come.
 *  1. What is known is skipped: operations of a replica are numbered without gaps.
 *  2. What follows something unknown waits, by author and number, within a limit.
 *  3. Everything else is applied; then what waited is looked at again.
 * A call takes all or nothing: if anything in it is wrong, all of it is taken back.
 */
/** Merges commits of others into a content. Confined to one thread. */
final class Merger {
  private static final int BYTES_PER_COMMIT = 64;

  private final ReplicaId self;
  private final CrdtLimits limits;
  private final TreeMap<Base.Id, ReceivedCommits> waiting =
      new TreeMap<>(Comparator.comparing(Base.Id::replica).thenComparingInt(Base.Id::counter));

  Merger(ReplicaId self, CrdtLimits limits) {
    this.self = self;
    this.limits = limits;
  }

  int waiting() {
    return waiting.values().stream().mapToInt(commit -> commit.shape().repeat()).sum();
  }

  /** One call of merge. */
  private final class Call {
    private final DocumentContent content;
    private final int committed;
    private final @Nullable List<CommitEvent> events;
    private final VersionVector before;
    private final List<ReceivedCommits> early = new ArrayList<>();
    private final List<ReceivedCommits> released = new ArrayList<>();
    private boolean touched;
    private int applied;
    private int known;

    Call(DocumentContent content, int committed, @Nullable List<CommitEvent> events) {
      this.content = content;
      this.committed = committed;
      this.events = events;
      this.before = content.recent().replicas().version();
    }

    void take(ReceivedCommits commit) {
      int count = content.recent().replicas().count(commit.replica());
      if (commit.end() <= count) {
        requireNotPending(commit);
        known += commit.shape().repeat();
      } else if (commit.first() > count) {
        early.add(commit);
      } else {
        takeNew(commit, count);
      }
    }

    private void takeNew(ReceivedCommits commit, int count) {
      requireNotPending(commit);
      int skipped = count - commit.first();
      if (skipped % commit.shape().length() != 0) {
        throw CrdtException.corrupt(
            "a commit of replica " + commit.replica() + " overlaps one that is known");
      }
      int index = skipped / commit.shape().length();
      known += index;
      ReceivedCommits rest = commit.slice(index, commit.shape().repeat() - index);
      if (!content.isReady(rest)) {
        early.add(rest);
        return;
      }
      touched = true;
      apply(rest);
      applied += rest.shape().repeat();
    }

    private void requireNotPending(ReceivedCommits commit) {
      int all = content.recent().replicas().count(self);
      if (commit.replica().equals(self) && commit.end() > committed && all > committed) {
        throw new CrdtException(
            CrdtErrorCode.INVALID_ARGUMENT,
            "replica "
                + self
                + " made commits elsewhere while this document has uncommitted edits; give each"
                + " document a replica id of its own");
      }
    }

    private void apply(ReceivedCommits commits) {
      if (events == null) {
        content.appendReady(commits);
        return;
      }
      for (int i = 0; i < commits.shape().repeat(); i++) {
        ReceivedCommits commit = commits.slice(i, 1);
        List<DocumentStep> changes = new ArrayList<>();
        content.state().record(changes);
        content.appendReady(commit);
        CommitRecord made =
            new CommitRecord(
                commit.replica(), commit.first(), commit.shape().length(), commit.note());
        events.add(new CommitEvent(made, false, changes));
      }
    }
  }

  /**
   * Merges commits.
   *
   * @param committed how many operations of this replica are committed
   * @param events takes what listeners are to hear; null if there are none
   */
  MergeResult merge(
      DocumentContent content,
      List<ReceivedCommits> commits,
      int committed,
      @Nullable List<CommitEvent> events) {
    Call call = new Call(content, committed, events);
    TreeMap<Base.Id, ReceivedCommits> waitingBefore = new TreeMap<>(waiting);
    try {
      commits.forEach(call::take);
      boolean more = true;
      while (more) {
        more = releaseEarly(call);
      }
      keepEarly(call);
    } catch (RuntimeException e) {
      content.state().record(null);
      if (call.touched) {
        content.rollBackTo(call.before);
      }
      restoreWaiting(waitingBefore, call, e);
      throw e;
    }
    content.state().record(null);
    return new MergeResult(call.applied, call.known, waiting());
  }

  /** What waited waits again, unless it may be what made the merge fail. */
  private void restoreWaiting(
      TreeMap<Base.Id, ReceivedCommits> before, Call call, RuntimeException cause) {
    waiting.clear();
    waiting.putAll(before);
    boolean tooMuch =
        cause instanceof CrdtException refusal && refusal.code() == CrdtErrorCode.LIMIT_EXCEEDED;
    if (!tooMuch) {
      call.released.forEach(commit -> waiting.remove(key(commit)));
    }
  }

  private static Base.Id key(ReceivedCommits commit) {
    return new Base.Id(commit.replica(), commit.first());
  }

  /** Takes what waited and what came too early once more; true if something was applied. */
  private boolean releaseEarly(Call call) {
    int before = call.applied;
    List<ReceivedCommits> again = new ArrayList<>(call.early);
    call.early.clear();
    again.forEach(call::take);
    Iterator<ReceivedCommits> old = waiting.values().iterator();
    List<ReceivedCommits> released = new ArrayList<>();
    while (old.hasNext()) {
      ReceivedCommits commit = old.next();
      int count = call.content.recent().replicas().count(commit.replica());
      if (commit.first() <= count && (commit.end() <= count || call.content.isReady(commit))) {
        old.remove();
        released.add(commit);
      }
    }
    int known = call.known;
    call.released.addAll(released);
    released.forEach(call::take);
    call.known = known;
    return call.applied > before;
  }

  private void keepEarly(Call call) {
    for (ReceivedCommits commit : call.early) {
      waiting.merge(key(commit), commit, (a, b) -> a.end() >= b.end() ? a : b);
    }
    long bytes = 0;
    Set<ReceivedCommits.Batch> batches = Collections.newSetFromMap(new IdentityHashMap<>());
    for (ReceivedCommits commit : waiting.values()) {
      bytes += BYTES_PER_COMMIT;
      bytes += batches.add(commit.batch()) ? commit.batch().sizeBytes() : 0;
    }
    if (bytes > limits.maxEarlyBytes()) {
      throw CrdtException.limit(
          "size of commits that wait for their predecessors", bytes, limits.maxEarlyBytes());
    }
  }
}
