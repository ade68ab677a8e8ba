package dev.contexture.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.Contexture;
import dev.contexture.Turn;
import dev.contexture.block.Scope;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.store.OutboxRow;
import dev.contexture.store.StoredBlock;
import dev.contexture.store.jdbc.Db;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of writes that must wait, collide, or meet a database that was taken over. */
@Timeout(300)
class PostgresLimitsTest {
  private static final Scope SHOP = Scope.of("acme", "shop");
  private static final Scope.OfConversation CHAT = SHOP.user("ann").conversation("c1");
  private static final int TABLES = 4; // scripts

  private final PostgresServer server = PostgresServer.newest();

  private static void say(Contexture engine, String prompt) {
    try (Turn turn = engine.browser(CHAT).startTurn(prompt)) {
      turn.finish("answer to " + prompt);
    }
  }

  private static List<String> prompts(Contexture engine) {
    List<StoredBlock> blocks = engine.browser(CHAT).readRange(1, 999, 999);
    return blocks.stream()
        .flatMap(b -> b.block().text().stream())
        .filter(text -> text.startsWith("prompt"))
        .toList();
  }

  @Test
  void whoWaitsTooLongForALockIsToldAndGoesOnLater() throws SQLException {
    PostgresSettings settings = server.empty("locked");
    Duration minute = Duration.ofMinutes(1);
    PostgresSettings hasty = settings.timeouts(minute, Duration.ofMillis(200), minute);
    assertToldWhileLocked(hasty, "locked", "lock timeout");
  }

  @Test
  void aStatementThatTakesTooLongIsEnded() throws SQLException {
    PostgresSettings settings = server.empty("slow");
    Duration minute = Duration.ofMinutes(1);
    PostgresSettings hasty = settings.timeouts(Duration.ofMillis(500), minute, minute);
    assertToldWhileLocked(hasty, "slow", "statement timeout");
  }

  private void assertToldWhileLocked(PostgresSettings hasty, String database, String why)
      throws SQLException {
    try (Contexture engine = Contexture.builder(PostgresStore.open(hasty)).build();
        Connection other = server.connect(database, "postgres");
        Statement lock = other.createStatement()) {
      say(engine, "prompt 0");
      other.setAutoCommit(false);
      lock.execute("SELECT 1 FROM conversations FOR UPDATE");
      assertThatThrownBy(() -> say(engine, "prompt 1"))
          .isInstanceOfSatisfying(
              ContextureException.class,
              refused -> assertThat(refused.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE))
          .hasMessageContaining("is busy")
          .hasMessageContaining(why);
      assertThat(prompts(engine)).containsExactly("prompt 0"); // reads wait for nobody
      other.rollback();
      say(engine, "prompt 2");
      assertThat(prompts(engine)).containsExactly("prompt 0", "prompt 2");
    }
  }

  /** Serialisation failure, deadlock, a unique key that another one was first with. */
  @ParameterizedTest
  @ValueSource(strings = {"40001", "40P01", "23505"})
  void whatMetAnotherTransactionIsDoneAgainAndOnce(String state) {
    PostgresSettings settings = server.empty("met");
    AtomicInteger left = new AtomicInteger();
    Db.FaultPoint fault =
        point -> {
          if (point.equals("COMMIT") && left.getAndDecrement() > 0) {
            throw new SQLException("met another transaction", state);
          }
        };
    try (PostgresStore store =
            PostgresStore.open(settings, fault, new PostgresSchema("met", TABLES));
        Contexture engine = Contexture.builder(store).build()) {
      for (int i = 0; i < 3; i++) {
        left.set(5);
        say(engine, "prompt " + i);
        assertThat(left.get()).isNegative();
      }
      assertThat(prompts(engine)).containsExactly("prompt 0", "prompt 1", "prompt 2");
      left.set(Integer.MAX_VALUE);
      assertThatThrownBy(() -> say(engine, "prompt 3"))
          .isInstanceOfSatisfying(
              ContextureException.class,
              refused -> assertThat(refused.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE))
          .hasMessageContaining("is busy");
      left.set(0);
      assertThat(prompts(engine)).containsExactly("prompt 0", "prompt 1", "prompt 2");
    }
  }

  /** The statement stands for a replica that took over, and lacked the last transactions. */
  @Test
  void afterATakeoverNumbersGoOnAndNothingLoadedIsTrusted() throws InterruptedException {
    server.empty("taken");
    try (PostgresStore store = PostgresStore.open(server.settings("taken"));
        Contexture engine = Contexture.builder(store).build()) {
      say(engine, "prompt 0");
      String before = store.identity();
      long last = store.outbox(SHOP, 0, 9).getLast().number();
      int loaded = engine.browser(CHAT).timeline().entries().size();
      // What the replica has under the same version.
      server.admin("taken", "DELETE FROM blocks WHERE id = (SELECT max(id) FROM blocks)");
      assertThat(engine.browser(CHAT).timeline().entries()).hasSize(loaded); // versions are trusted
      server.admin("taken", "UPDATE clock SET timeline = '000000FF'");
      store.forgotErased(0);
      assertThat(store.identity()).isNotEqualTo(before);
      awaitEntries(engine, loaded - 1); // forgotten by whichever thread noticed it first
      say(engine, "prompt 1");
      List<OutboxRow> rows = store.outbox(SHOP, last, 9);
      assertThat(rows).hasSize(1);
      assertThat(rows.getFirst().number()).isGreaterThan(last + (1L << 50));
    }
  }

  private static void awaitEntries(Contexture engine, int count) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (engine.browser(CHAT).timeline().entries().size() != count) {
      assertThat(System.nanoTime()).as("read again within a minute").isLessThan(end);
      Thread.sleep(10);
    }
  }

  /** The number of the transaction may be that of another one there. */
  @Test
  void aLostAnswerIsNotLookedUpInADatabaseThatWasTakenOver() {
    PostgresSettings settings = server.empty("unsure");
    AtomicInteger left = new AtomicInteger();
    Db.FaultPoint fault =
        point -> {
          if (point.equals("COMMITTED") && left.getAndDecrement() == 1) {
            server.admin("unsure", "UPDATE clock SET timeline = '000000FF'");
            throw new SQLException("the network went away", "08006");
          }
        };
    try (PostgresStore store =
        PostgresStore.open(settings, fault, new PostgresSchema("unsure", TABLES))) {
      left.set(1);
      assertThatThrownBy(() -> store.secret("name", new byte[] {1}))
          .isInstanceOfSatisfying(
              ContextureException.class,
              refused -> assertThat(refused.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE))
          .hasMessageContaining("does not say what became of it");
    }
  }
}
