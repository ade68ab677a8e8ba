package dev.contexture.engine.memory;

import dev.contexture.block.Scope;
import dev.contexture.memory.permission.Actor;
import dev.contexture.store.memory.BlockRow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Lists live blocks. Thread-safe. */
final class BlockLists {
  private static final int PAGE = 500;

  private final MemoryServices services;
  private final ShareEditor sharing;

  BlockLists(MemoryServices services, ShareEditor sharing) {
    this.services = services;
    this.sharing = sharing;
  }

  /** The blocks of an agent, by label; none in a namespace that is another's. */
  List<BlockMetadata> of(Actor actor, String agent) {
    Scope.OfAgent owner = services.scope().agent(agent);
    List<BlockMetadata> all = new ArrayList<>();
    String after = null;
    while (BlockLookup.mayActFor(actor, agent)) {
      List<BlockRow> page = services.rows().blocks(owner, after, PAGE);
      page.forEach(row -> all.add(BlockMetadata.of(row)));
      if (page.size() < PAGE) {
        break;
      }
      after = page.getLast().label();
    }
    return all;
  }

  /** Everything that the actor may read and whose label begins so. */
  List<BlockMetadata> withPrefix(Actor actor, String prefix) {
    if (actor instanceof Actor.Agent agent) {
      List<BlockMetadata> readable = new ArrayList<>(of(agent, agent.id()));
      sharing
          .sharedWith(agent, agent.id())
          .forEach(shared -> readable.add(BlockMetadata.of(shared.block())));
      return readable.stream()
          .filter(block -> block.label().startsWith(prefix))
          .sorted(Comparator.comparing(BlockMetadata::label).thenComparing(BlockMetadata::owner))
          .toList();
    }
    List<BlockMetadata> all = new ArrayList<>();
    BlockRow.Cursor after = null;
    while (true) {
      List<BlockRow> page = services.rows().blocksWithPrefix(services.scope(), prefix, after, PAGE);
      page.forEach(row -> all.add(BlockMetadata.of(row)));
      if (page.size() < PAGE) {
        return all;
      }
      after = page.getLast().cursor();
    }
  }
}
