package dev.contexture.store.jdbc;

import dev.contexture.block.Binary;
import dev.contexture.block.Block;
import dev.contexture.block.BlockCodec;
import dev.contexture.block.BlockPath;
import dev.contexture.store.NewBlock;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A block as its columns: made in the caller's thread, so that the one that writes only writes.
 *
 * @param wire the canonical JSON without binary data
 * @param crc over everything but the position, which is not known yet
 */
record EncodedBlock(
    Block block,
    @Nullable String path,
    @Nullable String artifact,
    @Nullable String callerId,
    @Nullable String sha,
    String wire,
    int crc,
    Set<String> memory) {

  static EncodedBlock of(NewBlock added) {
    BlockPath artifact = added.artifactPath();
    return of(added.block(), artifact == null ? null : artifact.text(), added.memory());
  }

  static EncodedBlock of(Block block) {
    return of(block, null, Set.of());
  }

  private static EncodedBlock of(Block block, @Nullable String artifact, Set<String> memory) {
    String sha = block.data().map(Binary::sha256).orElse(null);
    String wire = BlockCodec.writeWithoutData(block).toJson();
    return new EncodedBlock(
        block,
        block.path().map(BlockPath::text).orElse(null),
        artifact,
        block.id().orElse(null),
        sha,
        wire,
        RowChecksum.crc(wire, artifact, sha),
        memory);
  }
}
