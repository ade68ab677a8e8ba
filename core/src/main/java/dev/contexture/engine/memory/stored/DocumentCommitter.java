package dev.contexture.engine.memory.stored;

import dev.contexture.block.Binary;
import dev.contexture.engine.document.BlockTexts;
import dev.contexture.engine.memory.BlockVersion;
import dev.contexture.engine.memory.MemoryNotice;
import dev.contexture.engine.memory.row.MemoryRecords;
import dev.contexture.event.EngineWork;
import dev.contexture.event.WorkResult;
import dev.contexture.memory.DocumentChange;
import dev.contexture.memory.DocumentState;
import dev.contexture.memory.DocumentSubscriptions;
import dev.contexture.memory.MemoryOperation;
import dev.contexture.memory.PendingCommit;
import dev.contexture.memory.permission.ConsentKind;
import dev.contexture.memory.permission.ConsentRequest;
import dev.contexture.memory.schema.DocumentSettings;
import dev.contexture.store.Commit;
import dev.contexture.store.MemoryRow;
import dev.contexture.store.Precondition;
import dev.contexture.store.WriteSet;
import dev.contexture.store.memory.BlockRow;
import dev.contexture.store.memory.CheckpointRow;
import dev.contexture.store.memory.UpdateRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Makes steps of documents durable. Thread-safe.
 *
 * <p>How one step is written:
 *
 * <ol>
 *   <li>Under the block's lock: read what is in force, let the gate decide, take in newer updates,
 *       validate, compute preview and rows.
 *   <li>If consent is needed and not yet given for the block as it stands: let go of the lock, ask
 *       with a preview of what would be stored, begin again. What was granted holds for that
 *       version of the block only; if others edited it meanwhile, the question is asked again, in
 *       what is left of the time.
 *   <li>Commit with what was read as preconditions. After a conflict begin again, a bounded number
 *       of times.
 *   <li>Without any lock: tell whoever listens, and consolidate in the background if it is time.
 * </ol>
 */
final class DocumentCommitter {
  private final MemoryServices services;
  private final DocumentCache cache;
  private final BlockLookup access;
  private final Consents consents;
  private final NoticeFeed feed;
  private final Map<String, DocumentSubscriptions> listeners = new ConcurrentHashMap<>();
  private final Set<String> consolidating = ConcurrentHashMap.newKeySet();

  DocumentCommitter(
      MemoryServices services,
      DocumentCache cache,
      BlockLookup access,
      Consents consents,
      NoticeFeed feed) {
    this.services = services;
    this.cache = cache;
    this.access = access;
    this.consents = consents;
    this.feed = feed;
  }

  /** Where listeners of a block are kept. */
  DocumentSubscriptions listeners(String block) {
    return listeners.computeIfAbsent(block, id -> new DocumentSubscriptions());
  }

  /** Brings a block up to date with its row, and says what its listeners are to hear. */
  List<DocumentChange> sync(CachedBlock block, BlockRow row) {
    return block.sync(row, listeners.get(row.id()));
  }

  /** Tells listeners of a block what came from other processes. Call it without locks. */
  void tell(String block, List<DocumentChange> changes) {
    DocumentSubscriptions heard = listeners.get(block);
    if (!changes.isEmpty()) {
      feed.committed();
    }
    if (heard != null) {
      changes.forEach(heard::publish);
    }
  }

  /** A step that is to be made durable, computed again for each attempt. */
  interface Step {
    /** Empty: there is nothing to do. */
    Optional<Work> on(BlockAccess target, CachedBlock block);
  }

  /**
   * A step that was computed.
   *
   * @param reverted the one that it takes back; null: none
   */
  record Work(PendingCommit commit, MemoryRecords.@Nullable Reverted reverted) {}

  /** The outcome of one attempt. */
  private sealed interface Outcome {
    record Done(Result result) implements Outcome {}

    record Ask(ConsentRequest request) implements Outcome {}

    record Again() implements Outcome {}
  }

  /** The state of the block, and whether there was a step to store. */
  record Result(long seq, boolean stored) {
    static Result of(CachedBlock block, boolean stored) {
      return new Result(block.state().version(), stored);
    }
  }

  /** Publishes the pending edits of a handle. */
  Result publish(BlockAccess target, PendingCommit commit) {
    return run(
        target, UpdateRow.Step.EDIT, null, (now, block) -> Optional.of(new Work(commit, null)));
  }

  /**
   * Runs a step until it is durable.
   *
   * @param first what the gate decides on before there is a step; null: the step alone
   */
  Result run(BlockAccess target, UpdateRow.Step kind, @Nullable MemoryOperation first, Step step) {
    return services.watched(
        EngineWork.MemoryWrite.Kind.UPDATE,
        target.row().owner(),
        target.row().id(),
        () -> untilDurable(target, kind, first, step),
        done -> new WorkResult.MemoryWritten(target.row().id(), done.stored()));
  }

  private Result untilDurable(
      BlockAccess target, UpdateRow.Step kind, @Nullable MemoryOperation first, Step step) {
    Map<ConsentKind, Given> grants = new EnumMap<>(ConsentKind.class);
    Consents.Patience patience = consents.patience();
    int conflicts = 0;
    while (true) {
      List<DocumentChange> told = new ArrayList<>();
      Outcome outcome;
      try (DocumentCache.Lease lease = cache.open(services, target.row().id())) {
        outcome = attempt(lease.block(), new Attempt(target, kind, first, step, grants), told);
      } finally {
        tell(target.row().id(), told);
      }
      switch (outcome) {
        case Outcome.Done done -> {
          if (done.result().stored()) {
            feed.committed();
          }
          return done.result();
        }
        case Outcome.Ask ask ->
            patience
                .ask(ask.request(), target.row().id())
                .ifPresent(
                    grant ->
                        grants.put(
                            ask.request().kind(),
                            new Given(grant, ask.request().subject().version())));
        case Outcome.Again _unused -> {
          conflicts++;
          if (conflicts > services.limits().writeAttempts()) {
            throw MemoryRefusals.tooManyConflicts(target.row().id(), conflicts);
          }
        }
      }
    }
  }

  /** An approval, and the version of the block for which it was given. */
  private record Given(BlockVersion.Grant grant, long version) {}

  private record Attempt(
      BlockAccess target,
      UpdateRow.Step kind,
      @Nullable MemoryOperation first,
      Step step,
      Map<ConsentKind, Given> grants) {}

  private Outcome attempt(CachedBlock block, Attempt attempt, List<DocumentChange> told) {
    BlockAccess now = access.again(attempt.target());
    DocumentSettings settings = now.settings(services);
    if (attempt.first() != null) {
      StorePermissions.require(now, attempt.first(), settings);
    }
    told.addAll(sync(block, now.row()));
    Work work = attempt.step().on(now, block).orElse(null);
    ConsentRequest needed =
        work == null
            ? attempt.first() == null
                ? null
                : StorePermissions.consent(now, attempt.first(), settings)
            : work.commit().requireAllowed(settings);
    DocumentState.Prepared prepared =
        work == null ? null : block.state().prepare(work.commit(), settings);
    Given given = needed == null ? null : attempt.grants().get(needed.kind());
    if (needed != null && (given == null || given.version() != block.state().version())) {
      return new Outcome.Ask(prepared == null ? needed : prepared.shownIn(needed));
    }
    if (work == null || prepared == null || prepared.changed().isEmpty()) {
      return new Outcome.Done(Result.of(block, false));
    }
    BlockVersion.Grant grant = given == null ? null : given.grant();
    return store(block, now, attempt.kind(), work, prepared, grant, told);
  }

  private Outcome store(
      CachedBlock block,
      BlockAccess now,
      UpdateRow.Step kind,
      Work work,
      DocumentState.Prepared prepared,
      BlockVersion.@Nullable Grant grant,
      List<DocumentChange> told) {
    PendingCommit commit = work.commit();
    Instant at = services.now();
    long seq = prepared.state().version();
    MemoryRecords.Told says =
        new MemoryRecords.Told(commit.actor(), commit.operation(), commit.message());
    UpdateRow update =
        UpdateRow.of(
            seq,
            kind,
            Binary.of(commit.delta()),
            at,
            MemoryRecords.note(says, grant, work.reverted()));
    WriteSet.Builder set = now.expect(WriteSet.of(services.scope(), at));
    set.add(new MemoryRow.AppendUpdate(block.id, update));
    addPreview(set, BlockTexts.kept(block.id, prepared.state(), prepared.schema()));
    set.add(new MemoryRow.AddEvent(MemoryRecords.event(notice(kind), now.row(), seq, says, at)));
    Commit done = services.commit(set.build());
    if (done instanceof Commit.Conflict) {
      return new Outcome.Again();
    }
    block.committed(prepared.state(), update);
    told.add(
        new DocumentChange(
            seq,
            DocumentChange.Origin.LOCAL,
            commit.actor(),
            commit.operation(),
            prepared.changed()));
    consolidateLater(now, block);
    return new Outcome.Done(Result.of(block, true));
  }

  static void addPreview(WriteSet.Builder set, MemoryRow.PutPreview preview) {
    set.add(preview);
    set.add(new MemoryRow.IndexBlock(preview.block()));
  }

  private static MemoryNotice.Kind notice(UpdateRow.Step kind) {
    return switch (kind) {
      case EDIT -> MemoryNotice.Kind.CHANGED;
      case UNDO -> MemoryNotice.Kind.UNDONE;
      case REDO -> MemoryNotice.Kind.REDONE;
    };
  }

  /** Folds old updates into a checkpoint, on a thread of its own. */
  private void consolidateLater(BlockAccess target, CachedBlock block) {
    if (block.isFoldable(block.state().oldest()) && consolidating.add(block.id)) {
      Thread.ofVirtual()
          .name("contexture-memory-consolidation")
          .start(
              () -> {
                try {
                  consolidate(target.row().id());
                } catch (RuntimeException failed) { // the next commit tries again
                  System.getLogger(DocumentCommitter.class.getName())
                      .log(
                          System.Logger.Level.WARNING,
                          "block " + target.row().id() + " was not consolidated",
                          failed);
                } finally {
                  consolidating.remove(target.row().id());
                }
              });
    }
  }

  /**
   * The checkpoint is computed from a copy, so that nobody waits for it. A conflict, that is
   * another process that did the same, leaves it at that.
   */
  private void consolidate(String id) {
    BlockRow row = services.rows().block(services.scope(), id).orElse(null);
    if (row == null) {
      return;
    }
    DocumentState copy;
    long cut;
    try (DocumentCache.Lease lease = cache.open(services, id)) {
      lease.block().sync(row, null);
      cut = lease.block().steps().foldable();
      if (!lease.block().isFoldable(row.checkpointSeq())) {
        return;
      }
      copy = lease.block().state().fork(services.freshReplica());
    }
    CheckpointRow checkpoint = new CheckpointRow(cut, Binary.of(copy.checkpoint(cut)));
    Commit done =
        services
            .store()
            .commit(
                WriteSet.of(services.scope(), services.now())
                    .expect(new Precondition.CheckpointIs(id, row.checkpointSeq()))
                    .add(new MemoryRow.Consolidate(id, checkpoint))
                    .build());
    if (done instanceof Commit.Committed) {
      copy.trim(cut); // here, where nobody waits for it
      try (DocumentCache.Lease lease = cache.open(services, id)) {
        if (lease.block().isLoaded() && lease.block().state().oldest() < cut) {
          lease.block().consolidated(copy, checkpoint);
        }
      }
    }
  }

  /** Whether a consolidation is under way, for whoever has to wait for it. */
  boolean consolidating() {
    return !consolidating.isEmpty();
  }
}
