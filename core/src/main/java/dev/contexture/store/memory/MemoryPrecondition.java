package dev.contexture.store.memory;

import org.apiguardian.api.API;

/**
 * What must hold for a memory write set to be applied. Closed: every store judges all of them.
 *
 * <p>Some things are checked without being asked for, row by row: see {@link MemoryRow}. They too
 * lead to a {@link MemoryCommit.Conflict}.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public sealed interface MemoryPrecondition {

  /** The newest update of the block has this number. */
  record SeqIs(String block, long seq) implements MemoryPrecondition {}

  /** The settings of the block have this version; 0: there is no such block. */
  record SettingsAre(String block, long version) implements MemoryPrecondition {}

  /** The share of the block with the agent has this version; 0: there never was one. */
  record ShareIs(String block, String agent, long version) implements MemoryPrecondition {}

  /** The checkpoint of the block ends with this update; 0: it has none. */
  record CheckpointIs(String block, long seq) implements MemoryPrecondition {}

  /** The agent owns fewer live blocks than this. */
  record BlocksBelow(String owner, long limit) implements MemoryPrecondition {}

  /** Fewer questions than this are open, and not expired when the set was made. */
  record ConsentsBelow(long limit) implements MemoryPrecondition {}
}
