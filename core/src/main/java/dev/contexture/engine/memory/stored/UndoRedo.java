package dev.contexture.engine.memory.stored;

import dev.contexture.crdt.ReplicaId;
import dev.contexture.engine.document.BlockSettingsReader;
import dev.contexture.engine.memory.MemoryStore;
import dev.contexture.engine.memory.row.BlockSteps;
import dev.contexture.engine.memory.row.MemoryRecords;
import dev.contexture.memory.MemoryOperation;
import dev.contexture.memory.PendingCommit;
import dev.contexture.memory.permission.Actor;
import dev.contexture.memory.schema.BlockSchema;
import dev.contexture.store.memory.UpdateRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Takes back steps of blocks, and takes that back. Thread-safe.
 *
 * <p>Whose steps: those of the author that is named; else an agent's own, so that it takes back
 * nothing of a person or of another agent by accident; else, for people and the system, anybody's.
 */
final class UndoRedo {
  private final DocumentCommitter committing;
  private final BlockReader reader;

  UndoRedo(DocumentCommitter committing, BlockReader reader) {
    this.committing = committing;
    this.reader = reader;
  }

  MemoryStore.Undone undo(BlockAccess target, @Nullable Actor author) {
    return revert(target, UpdateRow.Step.UNDO, MemoryOperation.UNDO, author);
  }

  MemoryStore.Undone redo(BlockAccess target, @Nullable Actor author) {
    return revert(target, UpdateRow.Step.REDO, MemoryOperation.REDO, author);
  }

  private MemoryStore.Undone revert(
      BlockAccess target, UpdateRow.Step kind, MemoryOperation operation, @Nullable Actor author) {
    Actor whose = author == null ? defaultAuthor(target) : author;
    List<ReplicaId> replicas = new ArrayList<>();
    DocumentCommitter.Result result =
        committing.run(
            target,
            kind,
            operation,
            (now, block) -> {
              replicas.add(block.takeReplica());
              return newest(now, block, operation, whose, replicas.getLast());
            });
    boolean undoes = kind == UpdateRow.Step.UNDO;
    return reader.read(
        target,
        (now, block) -> {
          if (result.stored() && replicas.size() == 1) { // else one has edits that nobody stored
            block.giveBack(replicas);
          }
          return new MemoryStore.Undone(
              result.stored(),
              undoes && !result.stored() ? 0 : block.steps().undoDepth(whose),
              !undoes && !result.stored() ? 0 : block.steps().redoDepth(whose),
              result.seq());
        });
  }

  /** The newest step of which something is left to take back. */
  private Optional<DocumentCommitter.Work> newest(
      BlockAccess now,
      CachedBlock block,
      MemoryOperation operation,
      @Nullable Actor whose,
      ReplicaId replica) {
    UpdateRow.Step kind =
        operation == MemoryOperation.UNDO ? UpdateRow.Step.UNDO : UpdateRow.Step.REDO;
    BlockSchema schema = new BlockSettingsReader(now.row()).schema();
    List<Long> skipped = new ArrayList<>();
    for (BlockSteps.Step step : block.steps().newest(kind, whose)) {
      Optional<PendingCommit> commit =
          block.state().revert(step.update(), operation, now.actor(), schema, replica);
      if (commit.isPresent()) {
        MemoryRecords.Reverted reverted =
            new MemoryRecords.Reverted(step.id(), step.author(), step.sizeBytes(), skipped);
        return commit.map(done -> new DocumentCommitter.Work(done, reverted));
      }
      skipped.add(step.id());
    }
    return Optional.empty();
  }

  int undoDepth(BlockAccess target) {
    return reader.read(target, (now, block) -> block.steps().undoDepth(defaultAuthor(now)));
  }

  int redoDepth(BlockAccess target) {
    return reader.read(target, (now, block) -> block.steps().redoDepth(defaultAuthor(now)));
  }

  private static @Nullable Actor defaultAuthor(BlockAccess target) {
    return target.actor() instanceof Actor.Agent agent ? agent : null;
  }
}
