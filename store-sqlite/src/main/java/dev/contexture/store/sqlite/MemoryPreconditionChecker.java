package dev.contexture.store.sqlite;

import dev.contexture.store.memory.BlockRow;
import dev.contexture.store.memory.ConsentRow;
import dev.contexture.store.memory.MemoryPrecondition;
import dev.contexture.store.memory.MemoryReason;
import dev.contexture.store.memory.MemoryRow;
import dev.contexture.store.memory.MemoryWriteSet;
import dev.contexture.store.memory.ShareRow;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Finds what keeps a memory write set from being applied. Reads only. */
final class MemoryPreconditionChecker {
  private final Db db;
  private final MemoryReads reads;
  private final MemoryWriteSet set;

  MemoryPreconditionChecker(Db db, MemoryReads reads, MemoryWriteSet set) {
    this.db = db;
    this.reads = reads;
    this.set = set;
  }

  @Nullable MemoryReason judge(MemoryPrecondition condition) throws SQLException {
    return switch (condition) {
      case MemoryPrecondition.SeqIs is -> seqIs(is.block(), is.seq());
      case MemoryPrecondition.SettingsAre are -> {
        long actual = reads.block(are.block()).map(BlockRow::settingsVersion).orElse(0L);
        yield actual == are.version()
            ? null
            : new MemoryReason.SettingsDiffer(are.block(), are.version(), actual);
      }
      case MemoryPrecondition.ShareIs is -> {
        long actual = reads.share(is.block(), is.agent()).map(ShareRow::version).orElse(0L);
        yield actual == is.version()
            ? null
            : new MemoryReason.ShareDiffers(is.block(), is.agent(), is.version(), actual);
      }
      case MemoryPrecondition.CheckpointIs is -> {
        long actual = reads.block(is.block()).map(BlockRow::checkpointSeq).orElse(0L);
        yield actual == is.seq()
            ? null
            : new MemoryReason.CheckpointDiffers(is.block(), is.seq(), actual);
      }
      case MemoryPrecondition.BlocksBelow below -> {
        long actual =
            count(
                "SELECT count(*) FROM memory_blocks WHERE tenant = ? AND project = ?"
                    + " AND owner = ? AND deleted = 0",
                below.owner());
        yield actual < below.limit()
            ? null
            : new MemoryReason.TooManyBlocks(below.owner(), below.limit(), actual);
      }
      case MemoryPrecondition.ConsentsBelow below -> {
        long actual =
            count(
                "SELECT count(*) FROM consents WHERE tenant = ? AND project = ?"
                    + " AND answer IS NULL AND expires_at > ?",
                ConversationState.micros(set.at()));
        yield actual < below.limit()
            ? null
            : new MemoryReason.TooManyConsents(below.limit(), actual);
      }
    };
  }

  private @Nullable MemoryReason seqIs(String block, long expected) throws SQLException {
    BlockRow found = reads.block(block).orElse(null);
    if (found == null) {
      return new MemoryReason.BlockGone(block);
    }
    return found.seq() == expected
        ? null
        : new MemoryReason.SeqDiffers(block, expected, found.seq());
  }

  private long count(String sql, Object last) throws SQLException {
    return db.one(sql, row -> row.getLong(1), set.scope().tenant(), set.scope().project(), last)
        .orElse(0L);
  }

  /** What keeps a row from being written, after those before it. */
  @Nullable MemoryReason judge(MemoryRow row) throws SQLException {
    return switch (row) {
      case MemoryRow.AddBlock add ->
          reads.block(add.block()).isPresent()
              ? new MemoryReason.IdUsed(add.block())
              : labelFree(add.owner(), add.label());
      case MemoryRow.PutSettings put -> live(put.block());
      case MemoryRow.AppendUpdate append -> {
        MemoryReason gone = live(append.block());
        yield gone == null ? seqIs(append.block(), append.update().seq() - 1) : gone;
      }
      case MemoryRow.PutPreview put -> known(put.block());
      case MemoryRow.DeleteBlock delete -> live(delete.block());
      case MemoryRow.RestoreBlock restore -> restorable(restore.block());
      case MemoryRow.Consolidate fold -> foldable(fold);
      case MemoryRow.PutShare put -> live(put.block());
      case MemoryRow.RemoveShare remove -> known(remove.block());
      case MemoryRow.AddArchival add ->
          reads.archivalEntry(add.entry().id()).isPresent()
              ? new MemoryReason.IdUsed(add.entry().id())
              : null;
      case MemoryRow.AddConsent add ->
          reads.consent(add.consent().id()).isPresent()
              ? new MemoryReason.IdUsed(add.consent().id())
              : null;
      case MemoryRow.AnswerConsent answer -> open(answer.id());
      case MemoryRow.IndexBlock index -> known(index.block());
      case MemoryRow.PutAgent _unused -> null;
      case MemoryRow.EnsureAgent _unused -> null;
      case MemoryRow.DropConsent _unused -> null;
      case MemoryRow.AddEvent _unused -> null;
      case MemoryRow.IndexArchival _unused -> null;
    };
  }

  private @Nullable MemoryReason labelFree(String owner, String label) throws SQLException {
    return reads
        .labelled(owner, label)
        .map(taken -> new MemoryReason.LabelTaken(owner, label, taken.id()))
        .orElse(null);
  }

  private @Nullable MemoryReason known(String block) throws SQLException {
    return reads.key(block).isPresent() ? null : new MemoryReason.BlockGone(block);
  }

  private @Nullable MemoryReason live(String block) throws SQLException {
    boolean live = reads.block(block).filter(found -> !found.deleted()).isPresent();
    return live ? null : new MemoryReason.BlockGone(block);
  }

  private @Nullable MemoryReason restorable(String block) throws SQLException {
    BlockRow found = reads.block(block).filter(BlockRow::deleted).orElse(null);
    return found == null
        ? new MemoryReason.BlockGone(block)
        : labelFree(found.owner(), found.label());
  }

  private @Nullable MemoryReason foldable(MemoryRow.Consolidate fold) throws SQLException {
    BlockRow found = reads.block(fold.block()).orElse(null);
    if (found == null) {
      return new MemoryReason.BlockGone(fold.block());
    }
    long seq = fold.checkpoint().seq();
    if (seq > found.seq()) {
      return new MemoryReason.SeqDiffers(fold.block(), seq, found.seq());
    }
    return seq > found.checkpointSeq()
        ? null
        : new MemoryReason.CheckpointDiffers(fold.block(), seq, found.checkpointSeq());
  }

  private @Nullable MemoryReason open(String id) throws SQLException {
    ConsentRow found = reads.consent(id).orElse(null);
    boolean open = found != null && found.answer() == null && found.expiresAt().isAfter(set.at());
    return open ? null : new MemoryReason.ConsentClosed(id);
  }
}
