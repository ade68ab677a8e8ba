package dev.contexture.store.sqlite;

import dev.contexture.block.Scope;
import dev.contexture.store.StoredTurn;
import dev.contexture.store.memory.AgentRow;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;

/** Reads everything, so that any damage is found. Confined to one thread and one transaction. */
final class IntegrityCheck {
  private static final int PAGE = 1_000;

  private final Db db;
  private final Path file;

  IntegrityCheck(Db db, Path file) {
    this.db = db;
    this.file = file;
  }

  void run() throws SQLException {
    structure();
    rows();
  }

  /** Checks the file as a database, not what its rows say. */
  void structure() throws SQLException {
    String verdict = db.one("PRAGMA integrity_check(1)", row -> row.getString(1)).orElse("");
    if (!verdict.equals("ok")) {
      throw RowChecksum.damaged("database", file.toString(), "is malformed: " + verdict, null);
    }
  }

  private void rows() throws SQLException {
    List<Scope.OfConversation> conversations =
        db.list(
            "SELECT tenant, project, owner, conversation FROM conversations",
            row ->
                Scope.of(row.getString(1), row.getString(2))
                    .user(row.getString(3))
                    .conversation(row.getString(4)));
    for (Scope.OfConversation conversation : conversations) {
      check(conversation);
    }
    List<Scope> scopes =
        db.list(
            "SELECT tenant, project FROM memory_blocks UNION SELECT tenant, project FROM agents"
                + " UNION SELECT tenant, project FROM archival",
            row -> Scope.of(row.getString(1), row.getString(2)));
    for (Scope scope : scopes) {
      checkMemory(scope);
    }
  }

  private void checkMemory(Scope scope) throws SQLException {
    MemoryReads reads = new MemoryReads(db, scope);
    List<String> blocks =
        db.list(
            "SELECT block FROM memory_blocks WHERE tenant = ? AND project = ?",
            row -> row.getString(1),
            scope.tenant(),
            scope.project());
    for (String block : blocks) {
      reads.document(block, 0);
      reads.history(block, 0, Integer.MAX_VALUE);
      reads.preview(block);
    }
    for (AgentRow agent : reads.agents(null, Integer.MAX_VALUE)) {
      reads.archival(agent.agent(), null, Integer.MAX_VALUE);
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
    reads.summaries();
    reads.window();
    reads.changes(0, Integer.MAX_VALUE);
    reads.requests(null, Integer.MAX_VALUE);
  }
}
