package dev.contexture.timeline;

import dev.contexture.block.Author;
import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.block.TurnId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A path whose text stays in context verbatim, whatever is compacted: it stands behind the summary
 * once its block does not stand in the window any more. It is the text that the path had when it
 * was pinned; a newer version is pinned again.
 *
 * @param path what was pinned
 * @param at when
 * @param asOf the sequence number that the next block had then
 * @param seq the block that holds the text
 * @param shown the block that stands for it behind a summary
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.2")
public record Pin(BlockPath path, Instant at, long asOf, long seq, TimelineEntry shown) {
  /**
   * The pin of a path.
   *
   * @param entries blocks, oldest first; those of excluded turns must not be among them
   * @return empty if none of them, before the number, holds a text of the path
   */
  public static Optional<Pin> of(
      BlockPath path, Instant at, long asOf, List<TimelineEntry> entries) {
    return entries.reversed().stream()
        .filter(entry -> entry.seq().isPresent() && entry.seq().getAsLong() < asOf)
        .filter(entry -> entry.block().path().filter(path::equals).isPresent())
        .filter(entry -> !Artifact.isCopy(entry.block()))
        .filter(entry -> entry.block().text().filter(text -> !text.isBlank()).isPresent())
        .findFirst()
        .map(entry -> new Pin(path, at, asOf, entry.seq().getAsLong(), shown(path, entry)));
  }

  private static TimelineEntry shown(BlockPath path, TimelineEntry entry) {
    return TimelineEntry.notPersisted(
        Block.builder(BlockType.CONTEXT_PIN)
            .author(Author.SYSTEM)
            .turn(entry.turn())
            .path(path)
            .text(entry.block().text().orElseThrow())
            .build());
  }

  /** The turn of the block that holds the text. */
  public TurnId turn() {
    return shown.turn();
  }
}
