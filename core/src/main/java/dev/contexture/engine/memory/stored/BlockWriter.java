package dev.contexture.engine.memory.stored;

import dev.contexture.engine.memory.MemoryStore;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.memory.StructuredDocument;
import java.util.OptionalLong;
import java.util.function.Function;

/** Edits blocks, each time as one commit. Thread-safe. */
final class BlockWriter {
  private final MemoryServices services;
  private final DocumentCache cache;
  private final BlockLookup access;
  private final DocumentCommitter committing;

  BlockWriter(
      MemoryServices services,
      DocumentCache cache,
      BlockLookup access,
      DocumentCommitter committing) {
    this.services = services;
    this.cache = cache;
    this.access = access;
    this.committing = committing;
  }

  /** What the handles of a block work on. */
  BlockHost host(BlockAccess target) {
    return new BlockHost(services, cache, access, committing, target);
  }

  /**
   * Opens a handle, edits, commits. If others wrote so much meanwhile that the version it was
   * opened at is folded away, all of it is done again.
   */
  <T> MemoryStore.Edited<T> write(
      Viewer viewer,
      String agent,
      String label,
      String message,
      Function<StructuredDocument, T> edits) {
    int attempts = services.limits().writeAttempts();
    for (int overtaken = 0; ; overtaken++) {
      BlockHost host = host(access.require(viewer, agent, label));
      try (StructuredDocument document = host.open()) {
        T result = edits.apply(document);
        OptionalLong version = commit(document, message, overtaken < attempts);
        if (version.isPresent()) {
          host.giveBackReplicas(document);
          return new MemoryStore.Edited<>(result, version.getAsLong());
        }
      }
    }
  }

  /** Empty: the history that it needs is gone, and it may be tried again. */
  private static OptionalLong commit(StructuredDocument document, String message, boolean again) {
    try {
      return OptionalLong.of(document.commit(message));
    } catch (ContextureException refused) {
      if (refused.code() == ErrorCode.HISTORY_TRIMMED && again) {
        return OptionalLong.empty();
      }
      throw refused;
    }
  }
}
