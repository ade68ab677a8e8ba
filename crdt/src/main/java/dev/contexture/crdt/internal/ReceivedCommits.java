package dev.contexture.crdt.internal;

import dev.contexture.crdt.CommitNote;
import dev.contexture.crdt.ReplicaId;
import java.util.List;

/**
 * Commits as read from bytes, not yet part of a history. Immutable apart from the log it refers to,
 * which nobody changes any more.
 *
 * @param first number of the first operation, counted by the replica
 * @param segments where new parents begin: at the first operation, and only in a single commit also
 *     later
 * @param batch what they were read with
 * @param event where their operations begin in the log of the batch
 */
record ReceivedCommits(
    ReplicaId replica,
    int first,
    Shape shape,
    List<Segment> segments,
    CommitNote note,
    Batch batch,
    int event) {
  /** The number of operations of a commit, and how many such commits follow one another. */
  record Shape(int length, int repeat) {
    int operations() {
      return length * repeat;
    }
  }

  /** From an operation on (counted from the first of the commits), these are the parents. */
  record Segment(int offset, List<Base.Id> parents) {
    Segment {
      parents = List.copyOf(parents);
    }
  }

  /** The content of one delta. Nobody changes it. */
  static final class Batch {
    private final OpLog ops;
    private final int[] containers;
    private final int sizeBytes;

    /**
     * @param containers index in the document of each container of the log
     */
    Batch(OpLog ops, int[] containers, int sizeBytes) {
      this.ops = ops;
      this.containers = containers;
      this.sizeBytes = sizeBytes;
    }

    OpLog ops() {
      return ops;
    }

    int[] containers() {
      return containers;
    }

    int sizeBytes() {
      return sizeBytes;
    }
  }

  ReceivedCommits {
    segments = List.copyOf(segments);
  }

  int end() {
    return first + shape.operations();
  }

  /** One of the commits, or all from one on; {@code index} counts them from 0. */
  ReceivedCommits slice(int index, int count) {
    int skipped = index * shape.length();
    List<Segment> kept =
        index == 0
            ? segments
            : List.of(new Segment(0, List.of(new Base.Id(replica, first + skipped - 1))));
    Shape part = new Shape(shape.length(), count);
    return new ReceivedCommits(replica, first + skipped, part, kept, note, batch, event + skipped);
  }
}
