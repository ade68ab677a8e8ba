package dev.contexture.store.memory;

import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The rows that a reader who knows a block up to some number still needs: newer updates, or, if
 * some of them are part of a checkpoint, that checkpoint and everything behind it.
 *
 * @param block as it stands in the same state
 * @param checkpoint null: the updates follow what is known
 * @param updates by number, without a gap, up to the block's newest
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record DocumentRows(
    BlockRow block, @Nullable CheckpointRow checkpoint, List<UpdateRow> updates) {
  public DocumentRows {
    updates = List.copyOf(updates);
  }
}
