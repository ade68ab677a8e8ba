package dev.contexture.memory;

import dev.contexture.crdt.ReplicaId;
import dev.contexture.memory.schema.DocumentSettings;
import java.time.Instant;
import org.apiguardian.api.API;

/**
 * The services that a {@link StructuredDocument} needs from its owner. The handle calls it on its
 * own thread only; a host that serves several handles is thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface DocumentHost {
  /** What rules the document now. */
  DocumentSettings settings();

  /**
   * Makes pending edits durable: decides again with the level in force, asks for consent where that
   * is needed, merges what is newer, validates, stores. If it throws, the handle keeps its edits.
   *
   * @return the version of the commit; one above {@link PendingCommit#base()} if nothing was newer
   */
  long publish(PendingCommit commit);

  /** The committed state now, as a copy that the caller may keep and edit. */
  DocumentState current();

  /** Where listeners of this document are kept. */
  DocumentSubscriptions subscriptions();

  /** An id that no replica of the document ever had. */
  ReplicaId freshReplica();

  Instant now();
}
