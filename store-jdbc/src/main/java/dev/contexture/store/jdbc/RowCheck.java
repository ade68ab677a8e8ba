package dev.contexture.store.jdbc;

import dev.contexture.block.Scope;
import dev.contexture.store.StoredTurn;
import dev.contexture.store.memory.AgentRow;
import java.sql.SQLException;
import java.util.List;
import org.apiguardian.api.API;

/** Reads every row, so that any damage is found. Confined to one thread and one transaction. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class RowCheck {
  private static final int PAGE = 1_000;

  private final Db db;

  private RowCheck(Db db) {
    this.db = db;
  }

  /**
   * Checks all rows of a database.
   *
   * @throws dev.contexture.error.ContextureException {@code store_damaged} that names the first one
   */
  public static void run(Db db) throws SQLException {
    new RowCheck(db).rows();
  }

  private void rows() throws SQLException {
    SecretReads.check(db);
    List<Scope.OfConversation> conversations =
        db.sql("SELECT tenant, project, owner, conversation FROM conversations")
            .list(
                row ->
                    Scope.of(row.getString(1), row.getString(2))
                        .user(row.getString(3))
                        .conversation(row.getString(4)));
    for (Scope.OfConversation conversation : conversations) {
      check(conversation);
    }
    List<Scope> scopes =
        db.sql(
                "SELECT tenant, project FROM memory_blocks UNION SELECT tenant, project FROM agents"
                    + " UNION SELECT tenant, project FROM archival")
            .list(row -> Scope.of(row.getString(1), row.getString(2)));
    for (Scope scope : scopes) {
      checkMemory(scope);
    }
  }

  private void checkMemory(Scope scope) throws SQLException {
    MemoryReads reads = new MemoryReads(db, scope);
    List<String> blocks =
        db.sql("SELECT block FROM memory_blocks WHERE tenant = ? AND project = ?")
            .with(scope)
            .list(row -> row.getString(1));
    for (String block : blocks) {
      reads.document(block, 0);
      reads.history(block, 0, Integer.MAX_VALUE);
      reads.preview(block);
    }
    for (AgentRow agent : reads.agents(null, Integer.MAX_VALUE)) {
      reads.archival(scope.agent(agent.agent()), true, null, Integer.MAX_VALUE);
    }
    reads.consents(Integer.MAX_VALUE);
    reads.events(0, Integer.MAX_VALUE);
  }

  private void check(Scope.OfConversation conversation) throws SQLException {
    ConversationState state = ConversationState.find(db, conversation).orElseThrow();
    ConversationReads reads = new ConversationReads(db, state, conversation);
    for (long from = 1; from < state.nextSeq; from += PAGE) {
      reads.blocks().range(from, from + PAGE - 1, PAGE);
    }
    List<StoredTurn> turns = reads.turns(null, PAGE);
    while (turns.size() == PAGE) {
      turns = reads.turns(turns.getLast().turn(), PAGE);
    }
    reads.summaries().all();
    reads.window();
    reads.changes(0, Integer.MAX_VALUE);
    reads.requests(null, Integer.MAX_VALUE);
  }
}
