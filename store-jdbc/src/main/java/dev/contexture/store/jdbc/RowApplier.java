package dev.contexture.store.jdbc;

import dev.contexture.block.Scope;
import dev.contexture.store.Commit;
import dev.contexture.store.MemoryRow;
import dev.contexture.store.Precondition;
import dev.contexture.store.Reason;
import dev.contexture.store.Row;
import dev.contexture.store.WriteSet;
import java.sql.SQLException;

/**
 * Applies one write set inside a transaction. After a conflict or a failure the caller undoes what
 * was written so far. Confined to the writing thread.
 */
final class RowApplier {
  private RowApplier() {}

  static Commit apply(Db db, EncodedSet encoded) throws SQLException {
    Scope.OfConversation scope = encoded.set().conversation();
    ConversationState state = scope == null ? new ConversationState() : db.take(scope);
    Commit commit = apply(db, encoded, state);
    if (scope != null && commit instanceof Commit.Committed) { // else it may know what is undone
      db.keep(scope, state);
    }
    return commit;
  }

  private static Commit apply(Db db, EncodedSet encoded, ConversationState state)
      throws SQLException {
    WriteSet set = encoded.set();
    if (isOfMemory(set)) {
      Outbox.lock(db, set.scope());
    }
    PreconditionChecker checker = new PreconditionChecker(db, set, state);
    Reason broken = checker.broken();
    if (broken != null) {
      return new Commit.Conflict(state.version, broken);
    }
    ConversationRowApplier conversation = new ConversationRowApplier(db, encoded, state, checker);
    MemoryRowApplier memory = new MemoryRowApplier(db, set, checker);
    for (Row row : set.rows()) {
      Reason refused =
          switch (row) {
            case Row.OfConversation of -> conversation.apply(of);
            case MemoryRow of -> memory.apply(of);
          };
      if (refused != null) {
        return new Commit.Conflict(state.version, refused);
      }
    }
    return conversation.finish(memory.lastEvent());
  }

  private static boolean isOfMemory(WriteSet set) {
    return set.rows().stream().anyMatch(MemoryRow.class::isInstance)
        || set.preconditions().stream().anyMatch(Precondition.OfMemory.class::isInstance);
  }

  /**
   * Whether the set is there, although its commit was reported to have failed. Sets that may be
   * done twice need not be found.
   */
  static boolean landed(Db db, WriteSet set, Commit commit) throws SQLException {
    if (!(commit instanceof Commit.Committed done)) {
      return false;
    }
    if (set.conversation() != null && set.raisesVersion()) {
      return raised(db, set.conversation(), done);
    }
    MemoryReads reads = new MemoryReads(db, set.scope());
    if (done.lastEvent() > 0) {
      return reads.lastEvent() >= done.lastEvent();
    }
    for (Row row : set.rows()) {
      boolean there =
          switch (row) {
            case MemoryRow.AppendUpdate append ->
                reads
                    .block(append.block())
                    .filter(b -> b.seq() >= append.update().seq())
                    .isPresent();
            case MemoryRow.Consolidate fold ->
                reads
                    .block(fold.block())
                    .filter(b -> b.checkpointSeq() == fold.checkpoint().seq())
                    .isPresent();
            case MemoryRow.AddConsent add -> reads.consent(add.consent().id()).isPresent();
            case MemoryRow.AnswerConsent answer ->
                reads
                    .consent(answer.id())
                    .filter(c -> answer.answer().equals(c.answer()))
                    .isPresent();
            case MemoryRow.AddArchival add -> reads.archivalEntry(add.entry().id()).isPresent();
            case MemoryRow.AddBlock add -> reads.block(add.block()).isPresent();
            default -> false;
          };
      if (there) {
        return true;
      }
    }
    return false;
  }

  /** Whether the conversation has the version that a commit led to. */
  static boolean raised(Db db, Scope.OfConversation scope, Commit commit) throws SQLException {
    long version = commit instanceof Commit.Committed done ? done.version() : Long.MAX_VALUE;
    return ConversationState.find(db, scope).map(state -> state.version >= version).orElse(false);
  }
}
