package dev.contexture.store.jdbc;

import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.store.Commit;
import dev.contexture.store.MemoryRow;
import dev.contexture.store.Precondition;
import dev.contexture.store.Row;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Sets of different conversations of one tenant, applied in one transaction: what each of them
 * would read first is read at once, and rows of one kind are written together. Confined to the
 * writing thread.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class SetGroup {
  private SetGroup() {}

  /** Whether a set may share its transaction: it locks nothing beside its conversation. */
  public static boolean takes(EncodedSet encoded) {
    return encoded.set().conversation() != null
        && encoded.set().rows().stream().noneMatch(MemoryRow.class::isInstance)
        && encoded.set().preconditions().stream()
            .noneMatch(Precondition.OfMemory.class::isInstance);
  }

  /**
   * Applies them.
   *
   * @return what came of each; empty: one of them must be undone, and so all
   */
  public static Optional<List<Commit>> apply(Db db, List<EncodedSet> sets) throws SQLException {
    prepare(db, sets);
    List<Commit> commits = new ArrayList<>();
    for (EncodedSet set : sets) {
      long before = db.writes();
      Commit commit = RowApplier.apply(db, set);
      if (commit instanceof Commit.Conflict && db.writes() > before) {
        return Optional.empty();
      }
      commits.add(commit);
    }
    db.writeWaiting(); // what the database refuses is known before the commit
    return Optional.of(commits);
  }

  /** Applies one that needs a transaction of its own. */
  public static Commit alone(Db db, EncodedSet set) throws SQLException {
    return RowApplier.apply(db, set);
  }

  private static void prepare(Db db, List<EncodedSet> sets) throws SQLException {
    List<Scope.OfConversation> scopes = new ArrayList<>();
    Map<Scope.OfConversation, TurnId> turns = new LinkedHashMap<>();
    for (EncodedSet set : sets) {
      Scope.OfConversation scope = set.set().conversation();
      if (scope != null) {
        scopes.add(scope);
        turn(set).ifPresent(turn -> turns.put(scope, turn));
      }
    }
    ConversationState.lock(db, scopes);
    Map<ConversationState, TurnId> wanted = new LinkedHashMap<>();
    turns.forEach((scope, turn) -> db.known(scope).ifPresent(state -> wanted.put(state, turn)));
    if (!wanted.isEmpty()) {
      ConversationState.readTurns(db, wanted);
    }
  }

  /** The turn that a set adds to, if it adds something. */
  private static Optional<TurnId> turn(EncodedSet set) {
    for (Row row : set.set().rows()) {
      if (row instanceof Row.AppendBlocks append && !append.blocks().isEmpty()) {
        return Optional.of(append.blocks().getFirst().block().turn());
      }
    }
    return Optional.empty();
  }
}
