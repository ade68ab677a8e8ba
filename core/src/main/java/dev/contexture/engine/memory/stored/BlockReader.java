package dev.contexture.engine.memory.stored;

import dev.contexture.memory.DocumentChange;
import java.util.List;

/** Reads blocks that are up to date, under their locks. Thread-safe. */
final class BlockReader {
  private final MemoryServices services;
  private final DocumentCache cache;
  private final DocumentCommitter committing;

  BlockReader(MemoryServices services, DocumentCache cache, DocumentCommitter committing) {
    this.services = services;
    this.cache = cache;
    this.committing = committing;
  }

  /** A function that reads something of a block. */
  interface Reading<T> {
    T of(BlockAccess target, CachedBlock block);
  }

  <T> T read(BlockAccess target, Reading<T> reading) {
    List<DocumentChange> told;
    T result;
    try (DocumentCache.Lease lease = cache.open(services, target.row().id())) {
      told = committing.sync(lease.block(), target.row());
      result = reading.of(target, lease.block());
    }
    committing.tell(target.row().id(), told);
    return result;
  }
}
