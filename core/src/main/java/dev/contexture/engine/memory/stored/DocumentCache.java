package dev.contexture.engine.memory.stored;

import dev.contexture.block.Scope;
import dev.contexture.memory.schema.MemoryLimits;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;

/**
 * The documents in use and those used last, of all memories of an engine together, bounded by their
 * number and size. Thread-safe.
 *
 * <p>It holds committed content only, so that dropping a document loses nothing. One that a call is
 * working on is never dropped; one that is larger than everything may be together goes when its
 * last user is done.
 */
final class DocumentCache {
  private final MemoryLimits limits;
  private final LinkedHashMap<Key, CachedBlock> blocks = new LinkedHashMap<>(16, 0.75f, true);
  private long bytes;

  DocumentCache(MemoryLimits limits) {
    this.limits = limits;
  }

  /** The identity of a block: its memory and its id. */
  record Key(Scope scope, String block) {}

  /** A block that is being worked on, under its lock. */
  final class Lease implements AutoCloseable {
    private final CachedBlock block;

    private Lease(CachedBlock block) {
      this.block = block;
    }

    CachedBlock block() {
      return block;
    }

    @Override
    public void close() {
      long size = block.sizeBytes();
      block.lock.unlock();
      release(block, size);
    }
  }

  /** Waits until nobody else works on the block. */
  Lease open(MemoryServices services, String id) {
    CachedBlock block;
    synchronized (this) {
      block =
          blocks.computeIfAbsent(
              new Key(services.scope(), id), missing -> new CachedBlock(missing, services));
      block.users++;
    }
    block.lock.lock();
    return new Lease(block);
  }

  private synchronized void release(CachedBlock block, long size) {
    block.users--;
    if (blocks.get(block.key) != block) {
      return; // dropped meanwhile
    }
    bytes += size - block.bytes;
    block.bytes = size;
    if (size > limits.cacheBytes() && block.users == 0) {
      drop(block.key);
    }
    evict();
  }

  private void evict() {
    Iterator<CachedBlock> oldest = blocks.values().iterator();
    while (exceeded() && oldest.hasNext()) {
      CachedBlock block = oldest.next();
      if (block.users == 0) {
        oldest.remove();
        bytes -= block.bytes;
      }
    }
  }

  private boolean exceeded() {
    return blocks.size() > limits.cacheDocuments() || bytes > limits.cacheBytes();
  }

  /** Forgets a block that was erased, or whose content cannot be trusted. */
  synchronized void drop(Key key) {
    CachedBlock block = blocks.remove(key);
    if (block != null) {
      bytes -= block.bytes;
      block.bytes = 0;
    }
  }

  /** Forgets all blocks of a project. */
  synchronized void drop(Scope scope) {
    List<Key> gone = blocks.keySet().stream().filter(key -> key.scope().equals(scope)).toList();
    gone.forEach(this::drop);
  }

  synchronized int documents() {
    return blocks.size();
  }

  synchronized long sizeBytes() {
    return bytes;
  }
}
