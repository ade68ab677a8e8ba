package dev.contexture.store.memory;

import java.time.Instant;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A memory block as it stands, without its content.
 *
 * @param id unique in its scope, never used again
 * @param owner the agent it belongs to
 * @param user of the agent, to whom it belongs; null: it is the agent's, for all of its users
 * @param label unique among the live blocks of agent and user
 * @param settings what is set about it
 * @param settingsVersion 1 when it is made; rises by 1 whenever settings are put and when the block
 *     is deleted or restored
 * @param seq the number of its newest update; 0: none
 * @param checkpointSeq the last update that its checkpoint contains; 0: it has none
 * @param size as put with its preview
 * @param createdAt when it was made
 * @param updatedAt when it last got an update or other settings
 * @param deleted whether it is deleted: it can be restored, and its label is free
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record BlockRow(
    String id,
    String owner,
    @Nullable String user,
    String label,
    BlockSettings settings,
    long settingsVersion,
    long seq,
    long checkpointSeq,
    long size,
    Instant createdAt,
    Instant updatedAt,
    boolean deleted) {

  /** The end of a page of blocks that are ordered by label, then owner, then user. */
  public record Cursor(String label, String owner, String user) {}

  /** The block after {@link dev.contexture.store.MemoryRow.PutSettings}. */
  public BlockRow with(BlockSettings changed, Instant at) {
    return new BlockRow(
        id,
        owner,
        user,
        label,
        changed,
        settingsVersion + 1,
        seq,
        checkpointSeq,
        size,
        createdAt,
        at,
        deleted);
  }

  /** The block after {@link dev.contexture.store.MemoryRow.MoveBlock}. */
  public BlockRow forUser(@Nullable String other) {
    return new BlockRow(
        id,
        owner,
        other,
        label,
        settings,
        settingsVersion + 1,
        seq,
        checkpointSeq,
        size,
        createdAt,
        updatedAt,
        deleted);
  }

  public Cursor cursor() {
    return new Cursor(label, owner, user == null ? "" : user);
  }
}
