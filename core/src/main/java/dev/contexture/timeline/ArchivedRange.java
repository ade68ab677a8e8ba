package dev.contexture.timeline;

import dev.contexture.block.TurnId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Whole turns that are left out of every render; their blocks stay stored and readable.
 *
 * @param id its key
 * @param fromSeq the first block
 * @param toSeq the last block
 * @param turns the turns, oldest first
 * @param strategy what made it, for example {@code truncate}
 * @param summaryId the summary that stands for it, if any
 * @param createdAt when it was made
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ArchivedRange(
    String id,
    long fromSeq,
    long toSeq,
    List<TurnId> turns,
    String strategy,
    @Nullable String summaryId,
    Instant createdAt) {
  public ArchivedRange {
    turns = List.copyOf(turns);
  }

  public boolean contains(long seq) {
    return fromSeq <= seq && seq <= toSeq;
  }

  public Optional<String> summary() {
    return Optional.ofNullable(summaryId);
  }
}
