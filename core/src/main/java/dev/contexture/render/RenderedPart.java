package dev.contexture.render;

import dev.contexture.block.BlockPath;
import dev.contexture.block.TurnId;
import dev.contexture.view.Part;
import java.util.Optional;
import java.util.OptionalLong;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A part of a transcript with the block it comes from.
 *
 * @param part what is sent
 * @param blockType the type of the block
 * @param blockPath its path
 * @param turn its turn; the tail's sources belong to none
 * @param blockSeq its sequence number, or 0
 * @param cache whether a cache point lies on it
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record RenderedPart(
    Part part,
    String blockType,
    @Nullable BlockPath blockPath,
    @Nullable TurnId turn,
    long blockSeq,
    boolean cache) {

  public Optional<BlockPath> path() {
    return Optional.ofNullable(blockPath);
  }

  public Optional<TurnId> turnId() {
    return Optional.ofNullable(turn);
  }

  public OptionalLong seq() {
    return blockSeq == 0 ? OptionalLong.empty() : OptionalLong.of(blockSeq);
  }
}
