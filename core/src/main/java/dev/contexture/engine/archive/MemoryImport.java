package dev.contexture.engine.archive;

import dev.contexture.block.Binary;
import dev.contexture.block.Scope;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.store.MemoryRow;
import dev.contexture.store.Store;
import dev.contexture.store.WriteSet;
import dev.contexture.store.memory.BlockRow;
import dev.contexture.store.memory.CheckpointRow;
import dev.contexture.store.memory.ShareRow;
import dev.contexture.store.memory.UpdateRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One memory block of an archive, all of it read before anything is written. */
final class MemoryImport {
  private static final Binary FOLDED = Binary.of(new byte[0]); // in place of what a checkpoint has

  private static final int OWN_RECORDS = 6; // agent, block, checkpoint, preview, deleted, index

  private final Store store;
  private final Scope scope;
  private final BlockRow row;
  private final String preview;
  private final List<UpdateRow> updates = new ArrayList<>();
  private final List<ShareRow> shares = new ArrayList<>();
  private @Nullable CheckpointRow checkpoint;

  MemoryImport(Store store, Scope scope, ArchiveLine line) {
    this.store = store;
    this.scope = scope;
    this.row = line.read(BlockRow.class);
    this.preview = line.json().string("preview").orElse("");
  }

  void add(ArchiveLine line) {
    switch (line.type()) {
      case ArchiveLine.UPDATE -> updates.add(line.read(UpdateRow.class));
      case ArchiveLine.CHECKPOINT -> checkpoint = line.read(CheckpointRow.class);
      case ArchiveLine.SHARE -> shares.add(line.read(ShareRow.class));
      default ->
          throw ArchiveLine.malformed(
              line.number(), "'" + line.type() + "' has no place in a memory block", null);
    }
  }

  /**
   * Whether the store has this block already.
   *
   * @throws ContextureException {@code id_conflict} if it has another one of that id or label,
   *     {@code limit_exceeded} if it has too long a history to be written as a whole
   */
  boolean isThere() {
    checkSize();
    BlockRow known = store.memory().block(scope, row.id()).orElse(null);
    if (known != null) {
      if (known.seq() == row.seq()
          && known.owner().equals(row.owner())
          && known.label().equals(row.label())) {
        return true;
      }
      throw conflict("another version of block " + row.label());
    }
    if (!row.deleted()
        && store
            .memory()
            .blockLabelled(scope.agent(row.owner()).forUser(row.user()), row.label())
            .isPresent()) {
      throw conflict("another block " + row.label());
    }
    return false;
  }

  private ContextureException conflict(String what) {
    return new ContextureException(
        ErrorCode.ID_CONFLICT,
        "agent "
            + row.owner()
            + (row.user() == null ? "" : ", user " + row.user() + ",")
            + " has "
            + what
            + "; nothing was imported: erase it first, or import into another project",
        Map.of("label", row.label(), "agent", row.owner()),
        null);
  }

  /**
   * Writes it, all of it or nothing.
   *
   * @throws ContextureException {@code id_conflict} if somebody made another one meanwhile
   */
  void write() {
    Archives.done(store.commit(set()));
  }

  private WriteSet set() {
    WriteSet.Builder set =
        WriteSet.of(scope, row.updatedAt())
            .add(new MemoryRow.EnsureAgent(row.owner()))
            .add(
                new MemoryRow.AddBlock(
                    row.id(),
                    row.owner(),
                    row.user(),
                    row.label(),
                    row.settings(),
                    row.createdAt()));
    updates.forEach(update -> set.add(new MemoryRow.AppendUpdate(row.id(), whole(update))));
    if (checkpoint != null) {
      set.add(new MemoryRow.Consolidate(row.id(), checkpoint));
    }
    String kept = preview.isEmpty() && row.size() > 0 ? null : preview;
    set.add(new MemoryRow.PutPreview(row.id(), kept, row.size()));
    for (ShareRow share : shares) {
      if (share.level() != null) {
        set.add(new MemoryRow.EnsureAgent(share.agent()));
        set.add(new MemoryRow.PutShare(row.id(), share.agent(), share.level(), share.pinned()));
      }
    }
    if (row.deleted()) {
      set.add(new MemoryRow.DeleteBlock(row.id()));
    }
    return set.add(new MemoryRow.IndexBlock(row.id())).build();
  }

  private static UpdateRow whole(UpdateRow update) {
    return update.delta() != null
        ? update
        : new UpdateRow(
            update.seq(), update.step(), FOLDED, update.sizeBytes(), update.at(), update.note());
  }

  /** Refuses a block that is too large to be written at once. */
  private void checkSize() {
    long records = updates.size() + 2L * shares.size() + OWN_RECORDS;
    if (records > WriteSet.MAX_RECORDS) {
      throw ContextureException.limit(
          ErrorCode.LIMIT_EXCEEDED,
          "memory block " + row.label() + " of the archive",
          WriteSet.MAX_RECORDS,
          records,
          "updates and shares; nothing was imported");
    }
  }
}
