package dev.contexture.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.Contexture;
import dev.contexture.Turn;
import dev.contexture.block.Block;
import dev.contexture.block.BlockType;
import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.store.Commit;
import dev.contexture.store.NewBlock;
import dev.contexture.store.Row;
import dev.contexture.store.StoredBlock;
import dev.contexture.store.TurnRow;
import dev.contexture.store.WriteSet;
import dev.contexture.store.jdbc.Db;
import dev.contexture.timeline.TurnStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** How the tables come to be, and what all of them have in common. */
class PostgresSchemaTest {
  private static final Scope SHOP = Scope.of("acme", "shop");
  private static final Scope.OfConversation CHAT = SHOP.user("ann").conversation("c1");
  private static final String TENANTS =
      "SELECT c.relname FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace"
          + " AND c.relkind IN ('r', 'p') AND EXISTS (SELECT 1 FROM pg_attribute a"
          + " WHERE a.attrelid = c.oid AND a.attname = 'tenant')";

  private final PostgresServer server = PostgresServer.newest();

  private PostgresStore open(String database) {
    return PostgresStore.open(server.settings(database));
  }

  private List<String> asRole(String database, String query) {
    return server.query(database, PostgresServer.ROLE, query);
  }

  private static <T> List<T> together(List<Callable<T>> tasks) throws Exception {
    CyclicBarrier start = new CyclicBarrier(tasks.size());
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<T>> running = new ArrayList<>();
      for (Callable<T> task : tasks) {
        running.add(
            threads.submit(
                () -> {
                  start.await();
                  return task.call();
                }));
      }
      List<T> done = new ArrayList<>();
      for (Future<T> each : running) {
        done.add(each.get());
      }
      return done;
    }
  }

  @Test
  void processesThatStartAtOnceMakeTheTablesOnce() throws Exception {
    server.empty("fresh");
    Callable<PostgresStore> opening = () -> open("fresh");
    for (PostgresStore store : together(List.of(opening, opening, opening))) {
      store.close();
    }
    assertThat(asRole("fresh", "SELECT number FROM migrations ORDER BY number"))
        .containsExactly("1", "2", "3", "4", "5");
  }

  /** One that has rows; those of two processes that open it at once stay as they are. */
  @Test
  void anOlderSchemaIsBroughtUpByWhoeverComesFirst() throws Exception {
    PostgresSettings settings = server.empty("older");
    int turns = 30;
    try (PostgresStore old =
        PostgresStore.open(settings, Db.FaultPoint.NONE, new PostgresSchema("older", 2))) {
      for (int i = 0; i < turns; i++) {
        assertThat(old.commit(turn("t" + i))).isInstanceOf(Commit.Committed.class);
      }
    }
    assertThat(asRole("older", "SELECT max(number) FROM migrations")).containsExactly("2");
    Callable<PostgresStore> opening = () -> open("older");
    for (PostgresStore store : together(List.of(opening, opening))) {
      try (store) {
        List<StoredBlock> blocks = store.readRange(CHAT, 1, 999, 999);
        assertThat(blocks.stream().flatMap(b -> b.block().text().stream()))
            .hasSize(turns)
            .startsWith("text of t0")
            .endsWith("text of t" + (turns - 1));
        assertThat(store.outbox(SHOP, 0, 99)).hasSize(turns);
      }
    }
    assertThat(asRole("older", "SELECT max(number) FROM migrations")).containsExactly("5");
    assertThat(asRole("older", "SELECT count(*) FROM blocks")).containsExactly("0"); // no tenant
  }

  private static WriteSet turn(String id) {
    TurnId turn = TurnId.of(id);
    Instant at = Instant.EPOCH;
    Block block =
        Block.builder(BlockType.of("react.note")).turn(turn).text("text of " + id).build();
    return WriteSet.of(CHAT, at)
        .add(new Row.PutTurn(TurnRow.open(turn, at).closed(TurnStatus.COMPLETE, at)))
        .append(List.of(NewBlock.of(block)))
        .add(new Row.IndexTurn(turn))
        .build();
  }

  @Test
  void aNewerSchemaAndOneOfOthersAreRefused() {
    PostgresSettings newer = server.empty("newer");
    open("newer").close();
    server.admin("newer", "INSERT INTO migrations VALUES (99, 'later', '')");
    assertRefused(newer, ErrorCode.STORE_NEWER);
    PostgresSettings foreign = server.empty("others");
    server.admin("others", "CREATE TABLE conversations (id INTEGER)");
    assertRefused(foreign, ErrorCode.STORE_FOREIGN);
  }

  private static void assertRefused(PostgresSettings database, ErrorCode code) {
    assertThatThrownBy(() -> PostgresStore.open(database))
        .isInstanceOfSatisfying(
            ContextureException.class, refused -> assertThat(refused.code()).isEqualTo(code));
  }

  /** So that each can be divided by it, by partitions or by an engine that does. */
  @Test
  void everyUniqueKeyOfATableWithATenantBeginsWithIt() {
    server.empty("keys");
    open("keys").close();
    String keys =
        " FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid"
            + " JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]"
            + " WHERE i.indisunique AND c.relname IN ("
            + TENANTS
            + ")";
    assertThat(server.query("keys", "postgres", "SELECT count(*)" + keys).getFirst())
        .satisfies(count -> assertThat(Integer.parseInt(count)).isGreaterThan(60));
    String others = "SELECT i.indexrelid::regclass::text" + keys + " AND a.attname <> 'tenant'";
    assertThat(server.query("keys", "postgres", others)).isEmpty();
    String without =
        TENANTS
            + " AND NOT EXISTS (SELECT 1 FROM pg_index i WHERE i.indrelid = c.oid AND"
            + " i.indisprimary)";
    assertThat(server.query("keys", "postgres", without)).isEmpty();
  }

  @Test
  void whatGrowsMostIsPartitionedByAHashOfTheTenant() {
    server.empty("parts");
    open("parts").close();
    String partitions =
        "SELECT p.partrelid::regclass::text || ' ' || p.partstrat::text || ' ' || a.attname || ' '"
            + " || (SELECT count(*) FROM pg_inherits i WHERE i.inhparent = p.partrelid) FROM"
            + " pg_partitioned_table p JOIN pg_attribute a ON a.attrelid = p.partrelid AND a.attnum"
            + " = p.partattrs[0] ORDER BY 1";
    assertThat(server.query("parts", "postgres", partitions))
        .containsExactly(
            "blocks h tenant 8",
            "outbox h tenant 8",
            "requests h tenant 8",
            "search_entries h tenant 8",
            "search_passages h tenant 8",
            "search_terms h tenant 8",
            "search_vectors h tenant 8");
  }

  @Test
  void everyTableWithATenantForcesRowLevelSecurityOnItsOwnerToo() {
    server.empty("forced");
    open("forced").close();
    assertThat(server.query("forced", "postgres", TENANTS))
        .hasSizeGreaterThan(40)
        .contains("blocks", "blocks_0", "turns", "outbox_7");
    String open =
        TENANTS
            + " AND NOT (c.relrowsecurity AND c.relforcerowsecurity AND EXISTS"
            + " (SELECT 1 FROM pg_policy p WHERE p.polrelid = c.oid))";
    assertThat(server.query("forced", "postgres", open)).isEmpty();
  }

  @Test
  void aRoleThatRowLevelSecurityDoesNotBindIsRefused() {
    server.empty("bound");
    open("bound").close();
    PostgresSettings superuser = server.settings("bound").login("postgres", null);
    assertRefused(superuser, ErrorCode.INVALID_CONFIG);
    server.role("contexture_bypass", "BYPASSRLS");
    server.admin("bound", "GRANT ALL ON ALL TABLES IN SCHEMA public TO contexture_bypass");
    assertThatThrownBy(
            () -> PostgresStore.open(server.settings("bound").login("contexture_bypass", null)))
        .hasMessageContaining("the role contexture_bypass is a superuser or has BYPASSRLS");
  }

  /** The statements of the documentation, which the compiler does not see. */
  @Test
  void aRoleThatOwnsNothingServesWithWhatTheDocumentationGrants() throws Exception {
    server.empty("granted");
    open("granted").close(); // by the owner
    server.role("contexture_server", "");
    for (String grant : Documentation.grants()) {
      server.admin("granted", grant);
    }
    PostgresSettings role = server.settings("granted").login("contexture_server", null);
    try (Contexture engine = Contexture.builder(PostgresStore.open(role)).build()) {
      try (Turn turn = engine.browser(CHAT).startTurn("hello")) {
        turn.finish("answer");
      }
      assertThat(engine.browser(CHAT).timeline().entries()).isNotEmpty();
      assertThat(engine.browser(CHAT).erase()).isTrue();
    }
    assertThatThrownBy(() -> server.query("granted", "contexture_server", "DROP TABLE turns"))
        .hasRootCauseMessage("ERROR: must be owner of table turns");
  }
}
