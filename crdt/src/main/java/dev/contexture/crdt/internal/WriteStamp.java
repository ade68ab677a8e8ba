package dev.contexture.crdt.internal;

import dev.contexture.crdt.ReplicaId;

/** The time at which a value was written: the later one wins. Immutable. */
record WriteStamp(int lamport, ReplicaId replica) implements Comparable<WriteStamp> {
  private static final ReplicaId NOBODY = ReplicaId.of(0);

  /** A time before every operation; greater indices are later. */
  static WriteStamp ofOld(int index) {
    return new WriteStamp(Integer.MIN_VALUE + index, NOBODY);
  }

  @Override
  public int compareTo(WriteStamp other) {
    int order = Integer.compare(lamport, other.lamport);
    return order != 0 ? order : replica.compareTo(other.replica);
  }
}
