package dev.contexture.engine.search;

import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.search.IndexFilter;
import dev.contexture.search.IndexHit;
import dev.contexture.store.Store;
import dev.contexture.store.StoredBlock;
import dev.contexture.store.StoredTurn;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Reads hits from the store: what was erased, or belongs to somebody else, is no hit, however far
 * the index lags. Confined to one search.
 */
final class StoredHits {
  private final Store store;
  private final Scope scope;
  private final IndexFilter filter;
  private final MemoryEntries memories;
  private final Map<String, Optional<StoredTurn>> turns = new HashMap<>();

  StoredHits(Store store, Scope scope, IndexFilter filter) {
    this.store = store;
    this.scope = scope;
    this.filter = filter;
    this.memories = new MemoryEntries(store, scope);
  }

  Optional<StoredHit> read(IndexHit hit) {
    return switch (hit.type()) {
      case MESSAGES -> message(hit.id());
      case BLOCKS -> memories.foundBlock(hit.id(), filter.agent());
      case ARCHIVAL -> memories.foundArchival(hit.id(), filter.agent());
    };
  }

  private Optional<StoredHit> message(String id) {
    int last = id.lastIndexOf('/');
    int first = id.indexOf('/');
    Scope.OfConversation conversation =
        scope.user(id.substring(0, first)).conversation(id.substring(first + 1, last));
    long seq = Long.parseLong(id.substring(last + 1));
    List<StoredBlock> stored = store.readRange(conversation, seq, seq, 1);
    if (stored.isEmpty() || !MessageEntries.isSearchable(stored.getFirst().block())) {
      return Optional.empty();
    }
    Block block = stored.getFirst().block();
    return turn(conversation, block.turn())
        .filter(turn -> MessageEntries.isSearchable(turn.status()) && mayFind(conversation, turn))
        .map(turn -> found(conversation, turn, block));
  }

  private Optional<StoredTurn> turn(Scope.OfConversation conversation, TurnId turn) {
    return turns.computeIfAbsent(
        MessageEntries.group(conversation, turn.value()), key -> store.turn(conversation, turn));
  }

  private boolean mayFind(Scope.OfConversation conversation, StoredTurn turn) {
    return (filter.agent() == null || Objects.equals(filter.agent(), turn.row().agent()))
        && (filter.user() == null || filter.user().equals(conversation.user()))
        && (filter.conversation() == null
            || filter.conversation().equals(conversation.conversation()));
  }

  private static StoredHit found(Scope.OfConversation conversation, StoredTurn turn, Block block) {
    String text = block.text().orElse("");
    return new StoredHit(
        turn.row().agent(),
        conversation.user(),
        conversation.conversation(),
        MessageEntries.role(block),
        null,
        block.path().map(BlockPath::text).orElse(null),
        text,
        "",
        block.ts().orElse(turn.row().startedAt()),
        MessageEntries.hash(text));
  }
}
