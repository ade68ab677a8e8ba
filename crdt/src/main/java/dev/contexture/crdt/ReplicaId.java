package dev.contexture.crdt;

import org.apiguardian.api.API;

/**
 * The identity of a source of edits: 64 bits, compared as an unsigned number. Immutable.
 *
 * <p>Two documents that edit at the same time must never share an id; whoever forks or loads a
 * document to edit it brings a fresh one.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ReplicaId(long bits) implements Comparable<ReplicaId> {
  public static ReplicaId of(long bits) {
    return new ReplicaId(bits);
  }

  @Override
  public int compareTo(ReplicaId other) {
    return Long.compareUnsigned(bits, other.bits);
  }

  @Override
  public String toString() {
    return Long.toUnsignedString(bits);
  }
}
