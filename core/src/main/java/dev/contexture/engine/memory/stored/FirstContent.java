package dev.contexture.engine.memory.stored;

import dev.contexture.block.Binary;
import dev.contexture.crdt.ReplicaId;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.DocumentHost;
import dev.contexture.memory.DocumentState;
import dev.contexture.memory.DocumentSubscriptions;
import dev.contexture.memory.PendingCommit;
import dev.contexture.memory.StructuredDocument;
import dev.contexture.memory.permission.Actor;
import dev.contexture.memory.permission.MemoryPermission;
import dev.contexture.memory.schema.DocumentSettings;
import dev.contexture.store.memory.BlockRow;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The content with which a block is made, as its creator's first update. It is written at ReadWrite
 * whatever the block's level is, since it is part of the block's creation.
 *
 * @param delta null: the block is empty
 */
record FirstContent(@Nullable Binary delta, String operation, String preview) {

  static FirstContent of(
      MemoryServices services, BlockRow row, Actor actor, @Nullable JsonValue content) {
    Host host = new Host(services, row, actor);
    StructuredDocument document = StructuredDocument.open(host.state, host, actor);
    if (content instanceof JsonString text) {
      document.append(text.value());
    } else if (content != null) {
      document.importJson(content);
    }
    String preview = document.snapshot().renderWithoutViewport();
    document.commit();
    PendingCommit commit = host.commit;
    return commit == null
        ? new FirstContent(null, "", preview)
        : new FirstContent(Binary.of(commit.delta()), commit.operation(), preview);
  }

  /** Takes the one commit instead of storing it. */
  private static final class Host implements DocumentHost {
    private final MemoryServices services;
    private final DocumentSettings settings;
    private final DocumentState state;
    private @Nullable PendingCommit commit;

    Host(MemoryServices services, BlockRow row, Actor actor) {
      this.services = services;
      this.settings =
          new BlockAccess(Viewer.of(actor), row.owner(), row, null)
              .settings(services)
              .withPermission(MemoryPermission.READ_WRITE);
      this.state = DocumentState.empty(services.freshReplica(), services.limits());
    }

    @Override
    public DocumentSettings settings() {
      return settings;
    }

    @Override
    public long publish(PendingCommit pending) {
      commit = pending;
      return 1;
    }

    @Override
    public DocumentState current() {
      return state;
    }

    @Override
    public DocumentSubscriptions subscriptions() {
      return new DocumentSubscriptions();
    }

    @Override
    public ReplicaId freshReplica() {
      return services.freshReplica();
    }

    @Override
    public Instant now() {
      return services.now();
    }
  }
}
