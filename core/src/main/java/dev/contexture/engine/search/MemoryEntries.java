package dev.contexture.engine.search;

import dev.contexture.block.Scope;
import dev.contexture.engine.document.BlockTexts;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonBoolean;
import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.search.IndexChange;
import dev.contexture.search.IndexDocument;
import dev.contexture.search.IndexEntry;
import dev.contexture.search.IndexFilter;
import dev.contexture.search.MetadataFilter;
import dev.contexture.search.SearchContentType;
import dev.contexture.store.Store;
import dev.contexture.store.memory.ArchivalRow;
import dev.contexture.store.memory.BlockPreview;
import dev.contexture.store.memory.BlockRow;
import dev.contexture.store.memory.SharedBlock;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Turns memory of agents into entries of an index, and finds the stored form of hits. Thread-safe.
 */
final class MemoryEntries {
  private static final int MAX_SHARED = 10_000;

  private final Store store;
  private final Scope scope;
  private final BlockTexts texts;

  MemoryEntries(Store store, Scope scope) {
    this.store = store;
    this.scope = scope;
    this.texts = new BlockTexts(store, scope);
  }

  List<IndexChange> blockChanged(String id) {
    return document(block(id), id);
  }

  List<IndexChange> archivalAdded(String id) {
    return document(archival(id), id);
  }

  List<IndexChange> erased(String id) {
    return List.of(new IndexChange.RemoveGroup(id, true));
  }

  private static List<IndexChange> document(Optional<IndexDocument> document, String group) {
    return document
        .<IndexChange>map(IndexChange.Put::new)
        .map(List::of)
        .orElse(List.of(new IndexChange.RemoveGroup(group, false)));
  }

  /** A live block as it is indexed. */
  Optional<IndexDocument> block(String id) {
    return store
        .memory()
        .block(scope, id)
        .filter(row -> !row.deleted())
        .map(
            row -> {
              String text = texts.of(row);
              String description = row.settings().description();
              IndexEntry entry = entry(row, hash(row, text));
              String name = description.isEmpty() ? row.label() : row.label() + ", " + description;
              return new IndexDocument(entry, text, "", "", row.label(), description, name + ": ");
            });
  }

  private static IndexEntry entry(BlockRow row, String hash) {
    return new IndexEntry(
        row.id(),
        row.id(),
        SearchContentType.BLOCKS,
        row.owner(),
        row.user(),
        null,
        null,
        row.updatedAt(),
        0,
        hash);
  }

  /** Of what is found, and for whom: an entry that was moved is indexed again. */
  private static String hash(BlockRow row, String text) {
    String description = row.settings().description();
    return row.user() == null
        ? MessageEntries.hash(row.label(), description, text)
        : MessageEntries.hash(row.label(), description, text, row.user());
  }

  private static String hash(ArchivalRow row) {
    return row.user() == null
        ? MessageEntries.hash(row.content())
        : MessageEntries.hash(row.content(), row.user());
  }

  /** An archival entry as it is indexed. */
  Optional<IndexDocument> archival(String id) {
    return store.memory().archivalEntry(scope, id).map(MemoryEntries::document);
  }

  private static IndexDocument document(ArchivalRow row) {
    StringBuilder values = new StringBuilder();
    collect(row.metadata(), values);
    IndexEntry entry =
        new IndexEntry(
            row.id(),
            row.id(),
            SearchContentType.ARCHIVAL,
            row.agent(),
            row.user(),
            null,
            null,
            row.at(),
            0,
            hash(row),
            MetadataFilter.tags(row.metadata()));
    return new IndexDocument(entry, row.content(), values.toString().strip(), "", "", "");
  }

  /** The texts and numbers inside of a value. */
  private static void collect(@Nullable JsonValue value, StringBuilder to) {
    switch (value) {
      case JsonString text -> to.append(text.value()).append('\n');
      case JsonNumber number -> to.append(number.toJson()).append('\n');
      case JsonObject object -> object.members().values().forEach(inner -> collect(inner, to));
      case JsonArray array -> array.items().forEach(inner -> collect(inner, to));
      case JsonBoolean unused -> {}
      case JsonNull unused -> {}
      case null -> {}
    }
  }

  /** Ids of the blocks that are shared with an agent, for all and for its user, or all users. */
  Set<String> sharedWith(Scope.OfAgent agent, boolean everybody) {
    Set<String> ids = new HashSet<>();
    BlockRow.Cursor after = null;
    while (ids.size() < MAX_SHARED) {
      List<SharedBlock> page = store.memory().sharedWith(agent, everybody, after, Store.MAX_PAGE);
      page.forEach(shared -> ids.add(shared.block().id()));
      if (page.size() < Store.MAX_PAGE) {
        break;
      }
      after = page.getLast().block().cursor();
    }
    return ids;
  }

  /**
   * Live blocks as the store holds them now, by id.
   *
   * @param filter who must own them or have a share of them, and for which users
   */
  Map<String, StoredHit> foundBlocks(List<String> ids, IndexFilter filter) {
    String agent = filter.agent();
    Map<String, BlockPreview> blocks = new HashMap<>(store.memory().previews(scope, ids));
    blocks
        .values()
        .removeIf(found -> found.block().deleted() || !filter.sees(found.block().user()));
    if (agent != null) {
      List<String> foreign =
          blocks.values().stream()
              .map(BlockPreview::block)
              .filter(block -> !block.owner().equals(agent))
              .map(BlockRow::id)
              .toList();
      Set<String> shared = foreign.isEmpty() ? Set.of() : shared(agent, filter, foreign);
      foreign.stream().filter(id -> !shared.contains(id)).forEach(blocks::remove);
    }
    Map<String, StoredHit> found = new HashMap<>();
    blocks.forEach((id, block) -> found.put(id, hit(block.block(), texts.of(block))));
    return found;
  }

  private Set<String> shared(String agent, IndexFilter filter, List<String> foreign) {
    Scope.OfAgent reader = scope.agent(agent).forUser(filter.user());
    return store.memory().sharedAmong(reader, filter.everybody(), foreign);
  }

  private static StoredHit hit(BlockRow block, String text) {
    String description = block.settings().description();
    return new StoredHit(
        block.owner(),
        block.user(),
        null,
        null,
        block.label(),
        null,
        text,
        block.label() + "\n" + description,
        block.updatedAt(),
        hash(block, text));
  }

  /**
   * Archival entries as the store holds them now, by id.
   *
   * @param filter whose they must be, and what their metadata must hold
   */
  Map<String, StoredHit> foundArchival(List<String> ids, IndexFilter filter) {
    String agent = filter.agent();
    Map<String, StoredHit> found = new HashMap<>();
    for (ArchivalRow row : store.memory().archivalEntries(scope, ids).values()) {
      if ((agent == null || row.agent().equals(agent))
          && filter.sees(row.user())
          && filter.metadata().accepts(row.metadata())) {
        found.put(row.id(), hit(row));
      }
    }
    return found;
  }

  private static StoredHit hit(ArchivalRow row) {
    return new StoredHit(
        row.agent(), row.user(), null, null, null, null, row.content(), "", row.at(), hash(row));
  }
}
