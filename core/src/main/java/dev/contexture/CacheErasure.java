package dev.contexture;

import dev.contexture.block.Scope;
import dev.contexture.engine.memory.stored.MemoryRegistry;
import dev.contexture.engine.session.SessionRegistry;
import dev.contexture.store.OutboxRow;
import java.util.function.Consumer;

/**
 * Forgets, in the caches of this process, what any process erased.
 *
 * @param told who is told of conversations that are gone
 */
record CacheErasure(
    SessionRegistry conversations, MemoryRegistry memories, Consumer<Scope.OfConversation> told)
    implements Consumer<OutboxRow.Entry> {

  @Override
  public void accept(OutboxRow.Entry erased) {
    switch (erased) {
      case OutboxRow.TurnErased turn -> conversations.forget(turn.conversation()::equals);
      case OutboxRow.ConversationErased chat -> {
        conversations.erased(chat.conversation()::equals);
        told.accept(chat.conversation());
      }
      case OutboxRow.MemoryBlockErased block -> memories.forget(block.scope());
      case OutboxRow.ArchivalErased entry -> memories.forget(entry.scope());
      case OutboxRow.ScopeErased all -> {
        conversations.erased(chat -> chat.owner().scope().equals(all.scope()));
        memories.forget(all.scope());
      }
      case OutboxRow.TurnChanged unused -> {}
      case OutboxRow.MemoryBlockChanged unused -> {}
      case OutboxRow.ArchivalAdded unused -> {}
    }
  }
}
