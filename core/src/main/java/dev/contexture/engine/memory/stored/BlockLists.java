package dev.contexture.engine.memory.stored;

import dev.contexture.block.Scope;
import dev.contexture.engine.memory.BlockMetadata;
import dev.contexture.engine.memory.row.MemoryRecords;
import dev.contexture.memory.permission.Actor;
import dev.contexture.store.memory.BlockRow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Lists live blocks. Thread-safe. */
final class BlockLists {
  private static final int PAGE = 500;

  private final MemoryServices services;
  private final ShareEditor sharing;

  BlockLists(MemoryServices services, ShareEditor sharing) {
    this.services = services;
    this.sharing = sharing;
  }

  /**
   * The blocks of an agent, by label, without those whose label the user has too, then those of the
   * user; for everybody all of them, user by user. None in a namespace that is another's.
   */
  List<BlockMetadata> of(Viewer viewer, String agent) {
    Scope.OfAgent owner = services.scope().agent(agent);
    if (!viewer.mayActFor(agent)) {
      return List.of();
    }
    List<BlockMetadata> all = new ArrayList<>(blocks(owner));
    if (viewer.user() != null) {
      List<BlockMetadata> own = blocks(owner.forUser(viewer.user()));
      Set<String> labels = own.stream().map(BlockMetadata::label).collect(Collectors.toSet());
      all.removeIf(block -> labels.contains(block.label()));
      all.addAll(own);
    } else if (viewer.everybody()) {
      users(agent).forEach(user -> all.addAll(blocks(owner.forUser(user))));
    }
    return all;
  }

  private List<BlockMetadata> blocks(Scope.OfAgent owner) {
    List<BlockMetadata> all = new ArrayList<>();
    String after = null;
    List<BlockRow> page;
    do {
      page = services.rows().blocks(owner, after, PAGE);
      page.forEach(row -> all.add(MemoryRecords.metadata(row)));
      after = page.isEmpty() ? null : page.getLast().label();
    } while (page.size() == PAGE);
    return all;
  }

  /** Users of an agent who have memory of their own there. */
  List<String> users(String agent) {
    List<String> all = new ArrayList<>();
    List<String> page;
    do {
      String after = all.isEmpty() ? null : all.getLast();
      page = services.rows().users(services.scope().agent(agent), after, PAGE);
      all.addAll(page);
    } while (page.size() == PAGE);
    return all;
  }

  /** Everything that the actor may read and whose label begins so. */
  List<BlockMetadata> withPrefix(Viewer viewer, String prefix) {
    if (viewer.actor() instanceof Actor.Agent agent) {
      List<BlockMetadata> readable = new ArrayList<>(of(viewer, agent.id()));
      sharing
          .sharedWith(viewer, agent.id())
          .forEach(shared -> readable.add(MemoryRecords.metadata(shared.block())));
      return readable.stream()
          .filter(block -> block.label().startsWith(prefix))
          .sorted(Comparator.comparing(BlockMetadata::label).thenComparing(BlockMetadata::owner))
          .toList();
    }
    List<BlockMetadata> all = new ArrayList<>();
    BlockRow.Cursor after = null;
    while (true) {
      List<BlockRow> page = services.rows().blocksWithPrefix(services.scope(), prefix, after, PAGE);
      page.stream()
          .filter(row -> viewer.sees(row.user()))
          .forEach(row -> all.add(MemoryRecords.metadata(row)));
      if (page.size() < PAGE) {
        return all;
      }
      after = page.getLast().cursor();
    }
  }
}
