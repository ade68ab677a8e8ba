package dev.contexture.engine.memory.stored;

import dev.contexture.crdt.ReplicaId;
import dev.contexture.memory.DocumentChange;
import dev.contexture.memory.DocumentHost;
import dev.contexture.memory.DocumentState;
import dev.contexture.memory.DocumentSubscriptions;
import dev.contexture.memory.PendingCommit;
import dev.contexture.memory.StructuredDocument;
import dev.contexture.memory.schema.DocumentSettings;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The host of one handle on a memory block: gives it settings and state, and publishes its commits.
 * Confined to the thread of its handle.
 *
 * <p>Settings are those of the last access; every commit and refresh reads them again, so that an
 * outdated level is never written with.
 */
final class BlockHost implements DocumentHost {
  private final MemoryServices services;
  private final DocumentCache cache;
  private final BlockLookup access;
  private final DocumentCommitter committing;
  private final List<ReplicaId> replicas = new ArrayList<>();
  private BlockAccess target;
  private DocumentSettings settings;
  private boolean failed;

  BlockHost(
      MemoryServices services,
      DocumentCache cache,
      BlockLookup access,
      DocumentCommitter committing,
      BlockAccess target) {
    this.services = services;
    this.cache = cache;
    this.access = access;
    this.committing = committing;
    this.target = target;
    this.settings = target.settings(services);
  }

  StructuredDocument open() {
    return StructuredDocument.open(state(), this, target.actor());
  }

  BlockAccess target() {
    return target;
  }

  @Override
  public DocumentSettings settings() {
    return settings;
  }

  @Override
  public long publish(PendingCommit commit) {
    failed = true;
    adopt(access.again(target));
    long seq = committing.publish(target, commit).seq();
    failed = false;
    return seq;
  }

  @Override
  public DocumentState current() {
    adopt(access.again(target));
    return state();
  }

  private void adopt(BlockAccess now) {
    target = now;
    settings = now.settings(services);
  }

  private DocumentState state() {
    List<DocumentChange> told;
    DocumentState copy;
    try (DocumentCache.Lease lease = cache.open(services, target.row().id())) {
      told = committing.sync(lease.block(), target.row());
      copy = lease.block().state().fork(freshReplica(lease.block()));
    }
    committing.tell(target.row().id(), told);
    return copy;
  }

  private ReplicaId freshReplica(CachedBlock block) {
    ReplicaId replica = block.takeReplica();
    replicas.add(replica);
    return replica;
  }

  @Override
  public ReplicaId freshReplica() {
    return services.freshReplica();
  }

  /** Lets others edit under this handle's ids, if all its edits are committed. */
  void giveBackReplicas(StructuredDocument handle) {
    if (!failed && !handle.hasUncommittedEdits()) {
      try (DocumentCache.Lease lease = cache.open(services, target.row().id())) {
        lease.block().giveBack(replicas);
      }
    }
    replicas.clear();
  }

  @Override
  public DocumentSubscriptions subscriptions() {
    return committing.listeners(target.row().id());
  }

  @Override
  public Instant now() {
    return services.now();
  }
}
