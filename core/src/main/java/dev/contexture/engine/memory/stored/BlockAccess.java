package dev.contexture.engine.memory.stored;

import dev.contexture.engine.document.BlockSettingsReader;
import dev.contexture.engine.memory.BlockMetadata;
import dev.contexture.engine.memory.row.MemoryRecords;
import dev.contexture.error.ContextureException;
import dev.contexture.memory.permission.Actor;
import dev.contexture.memory.permission.MemoryPermission;
import dev.contexture.memory.schema.DocumentSettings;
import dev.contexture.store.Precondition;
import dev.contexture.store.WriteSet;
import dev.contexture.store.memory.BlockRow;
import dev.contexture.store.memory.ShareRow;
import org.jspecify.annotations.Nullable;

/**
 * A live block as one agent reaches it: its own, or through a share. Immutable; true when it was
 * read.
 *
 * @param viewer who acts, and for whom
 * @param agent through whose eyes
 * @param row the block
 * @param share how it is reached; null: the agent owns it
 */
record BlockAccess(Viewer viewer, String agent, BlockRow row, @Nullable ShareRow share) {
  Actor actor() {
    return viewer.actor();
  }

  boolean owned() {
    return share == null;
  }

  /** The level in force. */
  MemoryPermission level() {
    BlockSettingsReader settings = new BlockSettingsReader(row);
    String shared = share == null ? null : share.level();
    return shared == null ? settings.permission() : settings.level(shared);
  }

  /** The block as the agent has it, with level and pin of its share. */
  BlockMetadata metadata() {
    boolean pinned = share == null ? row.settings().pinned() : share.pinned();
    return MemoryRecords.metadata(row, level(), pinned);
  }

  DocumentSettings settings(MemoryServices services) {
    BlockSettingsReader settings = new BlockSettingsReader(row);
    return new DocumentSettings(
        row.owner(),
        row.label(),
        settings.schema(),
        settings.charLimit(),
        level(),
        level() == MemoryPermission.PARTNER ? services.partnerOf(row.owner()) : services.partner(),
        services.limits());
  }

  /** That nothing was decided on an outdated level or schema. */
  WriteSet.Builder expect(WriteSet.Builder set) {
    set.expect(new Precondition.SettingsAre(row.id(), row.settingsVersion()));
    if (share != null) {
      set.expect(new Precondition.ShareIs(row.id(), share.agent(), share.version()));
    }
    return set;
  }

  /** The refusal of something for which this level is not enough. */
  ContextureException denied(String operation, MemoryPermission needed) {
    return MemoryRefusals.denied(
        actor(), this, operation, needed.identifier(), "ask the owner to change the permission");
  }
}
