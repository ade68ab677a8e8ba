package dev.contexture.store;

import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import org.apiguardian.api.API;

/**
 * A row of the outbox: an entry that a search index has to look at.
 *
 * @param number rises with every row of the store
 * @param entry what changed
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record OutboxRow(long number, Entry entry) {

  /** The entry that changed. */
  public sealed interface Entry {}

  /** A turn's searchable content changed: read it and index it again. */
  public record TurnChanged(Scope.OfConversation conversation, TurnId turn) implements Entry {}

  /** A turn was erased: nothing of it may stay. */
  public record TurnErased(Scope.OfConversation conversation, TurnId turn) implements Entry {}

  /** A conversation was erased: nothing of it may stay that is older than this row. */
  public record ConversationErased(Scope.OfConversation conversation) implements Entry {}

  /** A memory block's searchable content changed, or it was deleted or restored: read it again. */
  public record MemoryBlockChanged(Scope scope, String block) implements Entry {}

  /** A memory block was erased: nothing of it may stay. */
  public record MemoryBlockErased(Scope scope, String block) implements Entry {}

  /** An archival entry was added: read it and index it. */
  public record ArchivalAdded(Scope scope, String id) implements Entry {}

  /** An archival entry was erased: nothing of it may stay. */
  public record ArchivalErased(Scope scope, String id) implements Entry {}

  /** Everything of the scope was erased: nothing of it may stay that is older than this row. */
  public record ScopeErased(Scope scope) implements Entry {}
}
