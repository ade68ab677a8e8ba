package dev.contexture.store.jdbc;

import dev.contexture.block.Block;
import dev.contexture.store.Row;
import dev.contexture.store.WriteSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import org.apiguardian.api.API;

/** A write set whose blocks are ready to be written. Immutable. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class EncodedSet {
  private final WriteSet set;
  private final IdentityHashMap<Row, List<EncodedBlock>> blocks = new IdentityHashMap<>();

  private EncodedSet(WriteSet set) {
    this.set = set;
    for (Row row : set.rows()) {
      switch (row) {
        case Row.AppendBlocks append ->
            blocks.put(row, append.blocks().stream().map(EncodedBlock::of).toList());
        case Row.AddTransient add -> blocks.put(row, encoded(add.blocks()));
        case Row.SetAnnounce announce -> blocks.put(row, encoded(announce.blocks()));
        default -> {} // has no blocks
      }
    }
  }

  static EncodedSet of(WriteSet set) {
    return new EncodedSet(set);
  }

  private static List<EncodedBlock> encoded(List<Block> blocks) {
    return blocks.stream().map(EncodedBlock::of).toList();
  }

  public WriteSet set() {
    return set;
  }

  List<EncodedBlock> blocks(Row row) {
    return Objects.requireNonNull(blocks.get(row), "the row has no blocks");
  }
}
