package dev.contexture.testkit;

import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.store.OutboxRow;
import dev.contexture.store.OutboxTail;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The outbox: one row for each entry, that of its newest change. Guarded by its store's lock. */
final class InMemoryOutbox {
  private final NavigableMap<Long, OutboxRow.Entry> rows = new TreeMap<>();
  private long last;

  void changed(Scope.OfConversation conversation, TurnId turn) {
    put(new OutboxRow.TurnChanged(conversation, turn), entry -> names(entry, conversation, turn));
  }

  void erased(Scope.OfConversation conversation, TurnId turn) {
    put(new OutboxRow.TurnErased(conversation, turn), entry -> names(entry, conversation, turn));
  }

  void erased(Scope.OfConversation conversation) {
    put(
        new OutboxRow.ConversationErased(conversation),
        entry -> conversation.equals(conversation(entry)));
  }

  void blockChanged(Scope scope, String block) {
    replace(
        new OutboxRow.MemoryBlockChanged(scope, block),
        new OutboxRow.MemoryBlockErased(scope, block),
        false);
  }

  void blockErased(Scope scope, String block) {
    replace(
        new OutboxRow.MemoryBlockChanged(scope, block),
        new OutboxRow.MemoryBlockErased(scope, block),
        true);
  }

  void archivalAdded(Scope scope, String id) {
    replace(new OutboxRow.ArchivalAdded(scope, id), new OutboxRow.ArchivalErased(scope, id), false);
  }

  void archivalErased(Scope scope, String id) {
    replace(new OutboxRow.ArchivalAdded(scope, id), new OutboxRow.ArchivalErased(scope, id), true);
  }

  private void replace(OutboxRow.Entry changed, OutboxRow.Entry erased, boolean isErased) {
    put(isErased ? erased : changed, entry -> entry.equals(changed) || entry.equals(erased));
  }

  void erased(String tenant, List<Scope> gone) {
    List<Scope> scopes =
        Stream.concat(gone.stream(), rows.values().stream().map(InMemoryOutbox::scope))
            .filter(scope -> scope.tenant().equals(tenant))
            .distinct()
            .toList();
    for (Scope scope : scopes) {
      put(new OutboxRow.ScopeErased(scope), entry -> scope.equals(scope(entry)));
    }
  }

  void erased(Scope scope) {
    put(new OutboxRow.ScopeErased(scope), entry -> scope.equals(scope(entry)));
  }

  boolean forgetErased(Scope scope, long upTo) {
    return rows.headMap(upTo, true)
        .values()
        .removeIf(entry -> scope.equals(scope(entry)) && isErased(entry));
  }

  private static boolean isErased(OutboxRow.Entry entry) {
    return switch (entry) {
      case OutboxRow.TurnErased _unused -> true;
      case OutboxRow.ConversationErased _unused -> true;
      case OutboxRow.MemoryBlockErased _unused -> true;
      case OutboxRow.ArchivalErased _unused -> true;
      case OutboxRow.ScopeErased _unused -> true;
      case OutboxRow.TurnChanged _unused -> false;
      case OutboxRow.MemoryBlockChanged _unused -> false;
      case OutboxRow.ArchivalAdded _unused -> false;
    };
  }

  List<OutboxRow> read(Scope scope, long after, int limit) {
    return rows.tailMap(after, false).entrySet().stream()
        .filter(row -> scope(row.getValue()).equals(scope))
        .map(row -> new OutboxRow(row.getKey(), row.getValue()))
        .limit(limit)
        .toList();
  }

  OutboxTail tail(Scope scope, long after) {
    List<OutboxRow> behind = read(scope, after, Integer.MAX_VALUE);
    return new OutboxTail(behind.isEmpty() ? after : behind.getLast().number(), behind.size());
  }

  List<Scope> scopes(@Nullable Scope after, int limit) {
    Comparator<Scope> order = Comparator.comparing(Scope::tenant).thenComparing(Scope::project);
    return rows.values().stream()
        .map(InMemoryOutbox::scope)
        .distinct()
        .filter(scope -> after == null || order.compare(scope, after) > 0)
        .sorted(order)
        .limit(limit)
        .toList();
  }

  private void put(OutboxRow.Entry entry, Predicate<OutboxRow.Entry> older) {
    rows.values().removeIf(older);
    rows.put(++last, entry);
  }

  private static boolean names(
      OutboxRow.Entry entry, Scope.OfConversation conversation, TurnId turn) {
    return switch (entry) {
      case OutboxRow.TurnChanged row ->
          row.conversation().equals(conversation) && row.turn().equals(turn);
      case OutboxRow.TurnErased row ->
          row.conversation().equals(conversation) && row.turn().equals(turn);
      default -> false; // names no turn
    };
  }

  private static Scope.@Nullable OfConversation conversation(OutboxRow.Entry entry) {
    return switch (entry) {
      case OutboxRow.TurnChanged row -> row.conversation();
      case OutboxRow.TurnErased row -> row.conversation();
      case OutboxRow.ConversationErased row -> row.conversation();
      default -> null; // names no conversation
    };
  }

  private static Scope scope(OutboxRow.Entry entry) {
    return switch (entry) {
      case OutboxRow.TurnChanged row -> row.conversation().owner().scope();
      case OutboxRow.TurnErased row -> row.conversation().owner().scope();
      case OutboxRow.ConversationErased row -> row.conversation().owner().scope();
      case OutboxRow.MemoryBlockChanged row -> row.scope();
      case OutboxRow.MemoryBlockErased row -> row.scope();
      case OutboxRow.ArchivalAdded row -> row.scope();
      case OutboxRow.ArchivalErased row -> row.scope();
      case OutboxRow.ScopeErased row -> row.scope();
    };
  }
}
