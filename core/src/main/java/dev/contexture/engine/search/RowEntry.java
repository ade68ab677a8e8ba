package dev.contexture.engine.search;

import dev.contexture.block.Scope;
import dev.contexture.search.IndexEntry;
import dev.contexture.search.SearchContentType;
import dev.contexture.store.OutboxRow;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Entries that stand for rows of the outbox whose content cannot be read. */
final class RowEntry {
  private RowEntry() {}

  /** Stands for all that a row is about. */
  static IndexEntry of(OutboxRow row) {
    return switch (row.entry()) {
      case OutboxRow.TurnChanged changed -> entry(changed.conversation(), changed.turn().value());
      case OutboxRow.TurnErased erased -> entry(erased.conversation(), erased.turn().value());
      case OutboxRow.ConversationErased erased -> entry(erased.conversation(), "");
      case OutboxRow.MemoryBlockChanged changed ->
          entry(changed.block(), SearchContentType.BLOCKS, null);
      case OutboxRow.MemoryBlockErased erased ->
          entry(erased.block(), SearchContentType.BLOCKS, null);
      case OutboxRow.ArchivalAdded added -> entry(added.id(), SearchContentType.ARCHIVAL, null);
      case OutboxRow.ArchivalErased erased -> entry(erased.id(), SearchContentType.ARCHIVAL, null);
      case OutboxRow.ScopeErased unused -> entry("", SearchContentType.MESSAGES, null);
    };
  }

  private static IndexEntry entry(Scope.OfConversation conversation, String turn) {
    return entry(
        MessageEntries.group(conversation, turn), SearchContentType.MESSAGES, conversation);
  }

  private static IndexEntry entry(
      String id, SearchContentType type, Scope.@Nullable OfConversation of) {
    String user = of == null ? null : of.user();
    String conversation = of == null ? null : of.conversation();
    return new IndexEntry(
        id, id, type, null, user, conversation, null, Instant.EPOCH, 0, "unreadable");
  }
}
