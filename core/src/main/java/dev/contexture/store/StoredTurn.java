package dev.contexture.store;

import dev.contexture.block.TurnId;
import dev.contexture.timeline.TurnStatus;
import java.util.List;
import org.apiguardian.api.API;

/**
 * A turn as it is read.
 *
 * @param row its newest values
 * @param openedVersion of the conversation with the commit that first put it
 * @param statusVersion of the conversation with the commit that gave it its present status
 * @param firstSeq its first block; 0 if it has none
 * @param lastSeq its last block; 0 if it has none
 * @param blocks how many stored blocks it has
 * @param feedback on it, in the order in which it was put
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record StoredTurn(
    TurnRow row,
    long openedVersion,
    long statusVersion,
    long firstSeq,
    long lastSeq,
    long blocks,
    List<Feedback> feedback) {
  public StoredTurn {
    feedback = List.copyOf(feedback);
  }

  public TurnId turn() {
    return row.turn();
  }

  public TurnStatus status() {
    return row.status();
  }
}
