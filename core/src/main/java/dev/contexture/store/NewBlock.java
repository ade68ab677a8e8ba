package dev.contexture.store;

import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A block to append.
 *
 * @param block its content; binary data must have been put with {@link Store#putBinary}
 * @param artifactPath the path that its JSON text names as {@code artifact_path}, if it is such a
 *     tool result: {@link Store#blocksOn} finds it there, too
 * @param memory ids of the memory blocks whose content it repeats: it is erased with each of them
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record NewBlock(Block block, @Nullable BlockPath artifactPath, Set<String> memory) {
  public NewBlock {
    memory = Set.copyOf(memory);
  }

  /** A block that repeats no memory. */
  public NewBlock(Block block, @Nullable BlockPath artifactPath) {
    this(block, artifactPath, Set.of());
  }

  public static NewBlock of(Block block) {
    return new NewBlock(block, null);
  }
}
