package dev.contexture.crdt.internal;

import dev.contexture.crdt.ReplicaId;
import dev.contexture.crdt.VersionVector;
import dev.contexture.crdt.internal.data.PackedBytes;
import org.jspecify.annotations.Nullable;

/**
 * The remainder of trimmed history: the state at the trim point. Immutable.
 *
 * @param head the operation that everything kept knows; null if nothing was trimmed
 * @param lamport its Lamport time
 * @param state the packed state
 */
record Base(VersionVector version, @Nullable Id head, int lamport, PackedBytes state) {
  static final Base EMPTY = new Base(VersionVector.EMPTY, null, 0, PackedBytes.EMPTY);

  /** An operation by its author and number. */
  record Id(ReplicaId replica, int counter) {}
}
