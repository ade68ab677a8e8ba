package dev.contexture.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.Contexture;
import dev.contexture.Turn;
import dev.contexture.block.Block;
import dev.contexture.block.BlockType;
import dev.contexture.block.Scope;
import dev.contexture.engine.memory.BlockSpec;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.memory.schema.MemoryBlockType;
import dev.contexture.render.RenderOptions;
import dev.contexture.store.OutboxRow;
import dev.contexture.store.Store;
import dev.contexture.store.StoredBlock;
import dev.contexture.store.jdbc.copy.CopiedTable;
import dev.contexture.store.jdbc.copy.CopySide;
import dev.contexture.store.jdbc.copy.RowSum;
import dev.contexture.store.jdbc.copy.StoreCopy;
import dev.contexture.store.sqlite.SqliteCopySide;
import dev.contexture.store.sqlite.SqliteStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stores that go from SQLite to PostgreSQL and back. */
class StoreCopyTest {
  private static final List<Scope> TENANTS = List.of(Scope.of("acme", "shop"), Scope.of("b", "p"));
  private static final int CONVERSATIONS = 12;
  private static final int TURNS = 25; // several pages of blocks

  @TempDir Path folder;

  private final PostgresServer server = PostgresServer.newest();

  private static Scope.OfConversation chat(int number) {
    return TENANTS.get(number % 2).user("ann").conversation("c" + number);
  }

  private static Contexture engine(Store store) {
    return Contexture.builder(store).build();
  }

  /** Conversations and memory of two tenants, in turn, so that their rows are mixed. */
  private Path fill() {
    Path directory = folder.resolve("first");
    try (Contexture engine = engine(SqliteStore.open(directory))) {
      for (int t = 0; t < TURNS; t++) {
        for (int c = 0; c < CONVERSATIONS; c++) {
          try (Turn turn = engine.browser(chat(c)).startTurn("prompt \u0000 " + t)) {
            turn.contribute(Block.builder(BlockType.of("react.note")).text("n" + t));
            turn.finish("answer " + t + " \ud83d\ude00");
          }
        }
      }
      for (Scope scope : TENANTS) {
        engine
            .memory(scope)
            .createBlock(
                "atlas",
                BlockSpec.of("notes", MemoryBlockType.WORKING)
                    .content("walrus of " + scope.tenant()));
      }
    }
    return directory;
  }

  private PostgresSettings database(String name) {
    server.empty(name);
    return server.settings(name);
  }

  private PostgresSettings admin(String name) {
    return server.settings(name).login("postgres", null);
  }

  private static Map<CopiedTable, RowSum> copy(CopySide source, CopySide target) {
    try (source;
        target) {
      return StoreCopy.run(source, target, (done, total) -> {});
    }
  }

  private static List<List<StoredBlock>> blocks(Contexture engine) {
    return IntStream.range(0, CONVERSATIONS)
        .mapToObj(c -> engine.browser(chat(c)).readRange(1, 9_999, 1_000))
        .toList();
  }

  @Test
  void thereAndBackNothingChangesAndBothGoOn() {
    Path first = fill();
    PostgresSettings database = database("copied");
    Map<CopiedTable, RowSum> there =
        copy(SqliteCopySide.source(first), PostgresCopySide.target(database));
    assertThat(Objects.requireNonNull(there.get(CopiedTable.BLOCKS)).rows())
        .isGreaterThan(CONVERSATIONS * TURNS * 3L);
    List<List<StoredBlock>> before;
    List<String> rendered;
    List<OutboxRow> outbox;
    try (SqliteStore store = SqliteStore.open(first);
        Contexture engine = engine(store)) {
      before = blocks(engine);
      rendered = rendered(engine);
      outbox = store.outbox(TENANTS.getFirst(), 0, 999);
    }
    try (PostgresStore store = PostgresStore.open(database);
        Contexture engine = engine(store)) {
      assertThat(blocks(engine)).isEqualTo(before);
      assertThat(rendered(engine)).isEqualTo(rendered);
      assertThat(store.outbox(TENANTS.getFirst(), 0, 999)).isEqualTo(outbox);
      say(engine, "said on PostgreSQL");
      List<OutboxRow> later = store.outbox(TENANTS.getFirst(), outbox.getLast().number(), 9);
      assertThat(later).hasSize(1);
      before = blocks(engine);
      rendered = rendered(engine);
    }
    Path second = folder.resolve("second");
    copy(PostgresCopySide.source(admin("copied")), SqliteCopySide.target(second));
    try (SqliteStore store = SqliteStore.open(second);
        Contexture engine = engine(store)) {
      assertThat(blocks(engine)).isEqualTo(before);
      assertThat(rendered(engine)).isEqualTo(rendered);
      long last = store.outbox(TENANTS.getFirst(), 0, 999).getLast().number();
      say(engine, "said on SQLite again");
      assertThat(store.outbox(TENANTS.getFirst(), last, 9)).hasSize(1);
    }
  }

  private static List<String> rendered(Contexture engine) {
    return IntStream.range(0, CONVERSATIONS)
        .mapToObj(
            c -> engine.browser(chat(c)).render(RenderOptions.defaults()).transcript().toString())
        .toList();
  }

  private static void say(Contexture engine, String prompt) {
    try (Turn turn = engine.browser(chat(0)).startTurn(prompt)) {
      turn.finish("done");
    }
  }

  @Test
  void aCopyThatEndedEarlyGoesOnAndIsNoStoreUntilThen() {
    Path first = fill();
    PostgresSettings database = database("early");
    StoreCopy.Progress ends =
        (done, total) -> {
          if (done > total / 9) { // a third of it is to be copied
            throw new IllegalStateException("the power went");
          }
        };
    try (CopySide source = SqliteCopySide.source(first);
        CopySide target = PostgresCopySide.target(database)) {
      assertThatThrownBy(() -> StoreCopy.run(source, target, ends)).hasMessage("the power went");
    }
    assertRefused(ErrorCode.STORE_UNAVAILABLE, () -> PostgresStore.open(database));
    long part = Long.parseLong(rows("early"));
    assertThat(part).isPositive();
    Path other = folder.resolve("other");
    SqliteStore.open(other).close();
    assertRefused(
        ErrorCode.INVALID_ARGUMENT,
        () -> copy(SqliteCopySide.source(other), PostgresCopySide.target(database)));
    try (CopySide source = SqliteCopySide.source(first);
        CopySide target = PostgresCopySide.target(database)) {
      Map<CopiedTable, RowSum> whole = StoreCopy.run(source, target, (done, total) -> {});
      long blocks = Objects.requireNonNull(whole.get(CopiedTable.BLOCKS)).rows();
      assertThat(blocks).isEqualTo(Long.parseLong(rows("early"))).isGreaterThan(part);
    }
    PostgresStore.open(database).close();
    assertRefused(
        ErrorCode.INVALID_ARGUMENT,
        () -> copy(SqliteCopySide.source(first), PostgresCopySide.target(database)));
  }

  /** By the command, of a database whose copy ended early in this process. */
  @Test
  void aCopyToADirectoryThatEndedEarlyIsFinishedByTheCommand() throws Exception {
    Path first = fill();
    PostgresSettings database = database("command");
    String address = "postgres:" + database.url();
    String there =
        CommandLine.ok(
            "copy",
            "--from",
            "sqlite:" + first,
            "--to",
            address,
            "--jdbc-user",
            PostgresServer.ROLE);
    assertThat(there).contains("the same on both sides");
    Path second = folder.resolve("second");
    StoreCopy.Progress ends =
        (done, total) -> {
          if (done > total / 9) {
            throw new IllegalStateException("the power went");
          }
        };
    try (CopySide source = PostgresCopySide.source(admin("command"));
        CopySide target = SqliteCopySide.target(second)) {
      assertThatThrownBy(() -> StoreCopy.run(source, target, ends)).hasMessage("the power went");
    }
    assertRefused(ErrorCode.STORE_UNAVAILABLE, () -> SqliteStore.open(second));
    String[] back = {
      "copy", "--from", address, "--to", "sqlite:" + second, "--jdbc-user", "postgres", "--json"
    };
    assertThat(CommandLine.ok(back)).contains("\"conversations\":" + CONVERSATIONS);
    try (Contexture before = engine(SqliteStore.open(first));
        Contexture after = engine(SqliteStore.open(second))) {
      assertThat(blocks(after)).isEqualTo(blocks(before));
      assertThat(rendered(after)).isEqualTo(rendered(before));
    }
    CommandLine.Answer again = CommandLine.run(back);
    assertThat(again.code()).isEqualTo(2);
    assertThat(again.text()).contains("a store that holds nothing");
  }

  private String rows(String database) {
    return server.query(database, "postgres", "SELECT count(*)::text FROM blocks").getFirst();
  }

  @Test
  void whatChangedOnTheWayIsNoticed() throws SQLException {
    Path first = fill();
    PostgresSettings database = database("changed");
    try (CopySide source = SqliteCopySide.source(first);
        CopySide target = PostgresCopySide.target(database);
        Connection other = server.connect("changed", "postgres");
        Statement change = other.createStatement()) {
      boolean[] changed = new boolean[1];
      StoreCopy.Progress falsifies =
          (done, total) -> {
            if (!changed[0] && done > total / 3) { // all rows are there
              changed[0] = true;
              try {
                change.execute(
                    "UPDATE blocks SET wire = '{}' WHERE id = (SELECT max(id) FROM blocks)");
              } catch (SQLException failed) {
                throw new IllegalStateException(failed);
              }
            }
          };
      assertThatThrownBy(() -> StoreCopy.run(source, target, falsifies))
          .hasMessageContaining("the copy differs: blocks has");
    }
  }

  @Test
  void storesInUseAndRolesThatSeeTooLittleAreRefused() {
    Path first = fill();
    PostgresSettings database = database("busy");
    try (Contexture served = engine(SqliteStore.open(first))) {
      assertThat(served).isNotNull();
      assertRefused(ErrorCode.STORE_IN_USE, () -> SqliteCopySide.source(first));
    }
    try (Contexture node = engine(PostgresStore.open(database))) {
      assertThat(node).isNotNull();
      assertRefused(ErrorCode.STORE_IN_USE, () -> PostgresCopySide.source(admin("busy")));
      assertRefused(ErrorCode.STORE_IN_USE, () -> PostgresCopySide.target(database));
    }
    assertRefused(ErrorCode.INVALID_ARGUMENT, () -> PostgresCopySide.source(database));
  }

  private static void assertRefused(ErrorCode code, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            ContextureException.class, refused -> assertThat(refused.code()).isEqualTo(code));
  }
}
