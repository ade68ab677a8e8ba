package dev.contexture.engine.session;

import dev.contexture.block.Binary;
import dev.contexture.block.Block;
import dev.contexture.block.TurnId;
import dev.contexture.store.NewBlock;
import dev.contexture.store.Row;
import dev.contexture.store.WriteSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Measures the content of a write set and marks it for indexing: its blocks, how large they are,
 * and which turns an index has to look at.
 */
final class SetContent {
  private static final long BLOCK_BYTES = 512; // beside its content, about

  private SetContent() {}

  /** The set, with an outbox row for each turn that gets blocks: what is written can be found. */
  static WriteSet indexed(WriteSet set) {
    Set<TurnId> grown = new LinkedHashSet<>();
    for (Row row : set.rows()) {
      if (row instanceof Row.AppendBlocks append) {
        append.blocks().forEach(added -> grown.add(added.block().turn()));
      }
    }
    for (Row row : set.rows()) {
      if (row instanceof Row.IndexTurn index) {
        grown.remove(index.turn());
      }
    }
    if (grown.isEmpty()) {
      return set;
    }
    List<Row> rows = new ArrayList<>(set.rows());
    grown.forEach(turn -> rows.add(new Row.IndexTurn(turn)));
    return set.withRows(rows);
  }

  /** About what the blocks of a set hold. */
  static long bytes(WriteSet set) {
    long bytes = 0;
    for (Row row : set.rows()) {
      for (Block block : blocks(row)) {
        bytes += bytes(block);
      }
    }
    return bytes;
  }

  /** About what a block holds. */
  static long bytes(Block block) {
    return BLOCK_BYTES
        + block.text().map(String::length).orElse(0)
        + block.data().map(Binary::sizeBytes).orElse(0);
  }

  /** The binary content of a set, each once. */
  static Map<String, Binary> binaries(WriteSet set) {
    Map<String, Binary> binaries = new HashMap<>();
    for (Row row : set.rows()) {
      for (Block block : blocks(row)) {
        block.data().ifPresent(data -> binaries.put(data.sha256(), data));
      }
    }
    return binaries;
  }

  private static List<Block> blocks(Row row) {
    return switch (row) {
      case Row.AppendBlocks append -> append.blocks().stream().map(NewBlock::block).toList();
      case Row.AddTransient added -> added.blocks();
      case Row.SetAnnounce announce -> announce.blocks();
      default -> List.of();
    };
  }
}
