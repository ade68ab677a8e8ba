package dev.contexture.crdt.internal;

import dev.contexture.crdt.VersionVector;
import dev.contexture.crdt.internal.data.PackedBytes;
import java.util.List;

/**
 * History that was loaded but not looked at. Immutable.
 *
 * @param heads its newest operations
 * @param lamport its greatest Lamport time
 * @param events how many operations it has
 * @param block the packed bytes
 */
record PackedHistory(
    VersionVector version, List<Head> heads, int lamport, int events, PackedBytes block) {
  /** One of the newest operations, with its local number. */
  record Head(Base.Id id, int event) {}

  PackedHistory {
    heads = List.copyOf(heads);
  }
}
