package dev.contexture.engine.search;

import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.Scope;
import dev.contexture.search.IndexFilter;
import dev.contexture.search.IndexHit;
import dev.contexture.search.SearchContentType;
import dev.contexture.store.MessagePlace;
import dev.contexture.store.Store;
import dev.contexture.store.StoredMessage;
import dev.contexture.store.TurnRow;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Reads hits from the store: what was erased, or belongs to somebody else, is no hit, however far
 * the index lags. Confined to one search.
 */
final class StoredHits {
  private final Store store;
  private final Scope scope;
  private final IndexFilter filter;
  private final MemoryEntries memories;

  StoredHits(Store store, Scope scope, IndexFilter filter) {
    this.store = store;
    this.scope = scope;
    this.filter = filter;
    this.memories = new MemoryEntries(store, scope);
  }

  /** What the store holds of some hits, by their ids; what may not be found any more is absent. */
  Map<String, StoredHit> read(List<IndexHit> hits) {
    Map<SearchContentType, List<String>> ids = new EnumMap<>(SearchContentType.class);
    for (IndexHit hit : hits) {
      ids.computeIfAbsent(hit.type(), type -> new ArrayList<>()).add(hit.id());
    }
    Map<String, StoredHit> found = new HashMap<>();
    ids.forEach(
        (type, some) ->
            found.putAll(
                switch (type) {
                  case MESSAGES -> messages(some);
                  case BLOCKS -> memories.foundBlocks(some, filter);
                  case ARCHIVAL -> memories.foundArchival(some, filter);
                }));
    return found;
  }

  private Map<String, StoredHit> messages(List<String> ids) {
    Map<MessagePlace, String> places = new HashMap<>();
    ids.forEach(id -> places.put(place(id), id));
    Map<String, StoredHit> found = new HashMap<>();
    store
        .messages(scope, places.keySet())
        .forEach(
            (place, message) -> {
              String id = places.get(place);
              if (id != null && mayFind(place, message)) {
                found.put(id, found(place, message));
              }
            });
    return found;
  }

  private static MessagePlace place(String id) {
    int last = id.lastIndexOf('/');
    int first = id.indexOf('/');
    return new MessagePlace(
        id.substring(0, first),
        id.substring(first + 1, last),
        Long.parseLong(id.substring(last + 1)));
  }

  private boolean mayFind(MessagePlace place, StoredMessage message) {
    TurnRow turn = message.turn();
    return MessageEntries.isSearchable(message.block().block())
        && MessageEntries.isSearchable(turn.status())
        && (filter.agent() == null || Objects.equals(filter.agent(), turn.agent()))
        && (filter.user() == null || filter.user().equals(place.user()))
        && (filter.conversation() == null || filter.conversation().equals(place.conversation()));
  }

  private static StoredHit found(MessagePlace place, StoredMessage message) {
    Block block = message.block().block();
    String text = block.text().orElse("");
    return new StoredHit(
        message.turn().agent(),
        place.user(),
        place.conversation(),
        MessageEntries.role(block),
        null,
        block.path().map(BlockPath::text).orElse(null),
        text,
        "",
        block.ts().orElse(message.turn().startedAt()),
        MessageEntries.hash(text));
  }
}
