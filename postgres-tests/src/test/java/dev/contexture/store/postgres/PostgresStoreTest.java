package dev.contexture.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.ContextBrowser;
import dev.contexture.Contexture;
import dev.contexture.Turn;
import dev.contexture.block.Block;
import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.store.OutboxRow;
import dev.contexture.store.StoredBlock;
import dev.contexture.store.jdbc.Db;
import dev.contexture.timeline.TimelineEntry;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * What PostgreSQL does that SQLite need not: many processes at once, and connections that break.
 */
class PostgresStoreTest {
  private static final Scope SHOP = Scope.of("acme", "shop");
  private static final Scope.OfConversation CHAT = SHOP.user("ann").conversation("c1");
  private static final int TABLES = 5; // scripts

  private final PostgresServer server = PostgresServer.newest();

  private static Contexture engine(PostgresStore store) {
    return Contexture.builder(store).build();
  }

  private PostgresStore open(String database) {
    return PostgresStore.open(server.settings(database));
  }

  private static void say(Contexture engine, Scope.OfConversation chat, String prompt) {
    try (Turn turn = engine.browser(chat).startTurn(prompt)) {
      turn.finish("answer to " + prompt);
    }
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
  void aDatabaseThatCannotBeReachedIsNamedWithoutItsPassword() {
    PostgresSettings nowhere =
        PostgresSettings.of("jdbc:postgresql://127.0.0.1:1/none?password=secret")
            .timeouts(Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofSeconds(1));
    assertThatThrownBy(() -> PostgresStore.open(nowhere))
        .isInstanceOfSatisfying(
            ContextureException.class,
            refused -> assertThat(refused.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE))
        .hasMessageContaining("127.0.0.1:1/none cannot be reached")
        .hasMessageNotContaining("secret");
    assertThat(nowhere.toString()).doesNotContain("secret");
  }

  @Test
  void whatCommitsLateIsNotPassedOver() throws SQLException {
    server.empty("late");
    try (PostgresStore store = open("late");
        Contexture engine = engine(store);
        Connection late = server.connect("late", PostgresServer.ROLE);
        Statement statement = late.createStatement()) {
      late.setAutoCommit(false);
      statement.execute("SELECT set_config('contexture.tenant', 'acme', false)");
      statement.execute(
          "INSERT INTO outbox (number, tenant, project, entry, erased) SELECT (base +"
              + " pg_current_xact_id()::text::bigint) << 20, 'acme', 'shop', 'ann/c0/t0', 0"
              + " FROM clock");
      say(engine, CHAT, "hello"); // does not wait for the other
      assertThat(store.outbox(SHOP, 0, 9)).isEmpty();
      assertThat(store.outboxTail(SHOP, 0).rows()).isEqualTo(1); // it is known to come
      late.commit();
      List<OutboxRow> rows = store.outbox(SHOP, 0, 9);
      assertThat(rows).hasSize(2);
      assertThat(rows.getFirst().entry())
          .isEqualTo(
              new OutboxRow.TurnChanged(SHOP.user("ann").conversation("c0"), TurnId.of("t0")));
    }
  }

  @Test
  void aCommitWhoseAnswerIsLostIsLookedUp() {
    for (String lostAt : List.of("COMMIT", "COMMITTED")) {
      server.empty("lost");
      AtomicInteger left = new AtomicInteger();
      Db.FaultPoint fault =
          point -> {
            if (point.equals(lostAt) && left.getAndDecrement() == 1) {
              throw new SQLException("the network went away", "08006");
            }
          };
      try (PostgresStore store =
              PostgresStore.open(
                  server.settings("lost"), fault, new PostgresSchema("lost", TABLES));
          Contexture engine = engine(store)) {
        ContextBrowser chat = engine.browser(CHAT);
        for (int i = 0; i < 3; i++) {
          left.set(1);
          say(engine, CHAT, "prompt " + i);
        }
        List<StoredBlock> blocks = chat.readRange(1, 99, 99);
        assertThat(blocks.stream().map(StoredBlock::seq))
            .containsExactlyElementsOf(LongStream.rangeClosed(1, blocks.size()).boxed().toList());
        assertThat(blocks.stream().flatMap(b -> b.block().text().stream()))
            .containsOnlyOnce("prompt 0", "prompt 1", "prompt 2");
      }
    }
  }

  /** What a process shows, which has the conversation loaded since its first turn. */
  private static List<Block> blocks(Contexture engine) {
    return engine.browser(CHAT).timeline().entries().stream().map(TimelineEntry::block).toList();
  }

  @Test
  void twoProcessesTakeTurnsOnOneConversation() throws Exception {
    server.empty("pair");
    try (PostgresStore one = open("pair");
        PostgresStore other = open("pair");
        Contexture first = engine(one);
        Contexture second = engine(other)) {
      for (int i = 0; i < 6; i++) {
        say(i % 2 == 0 ? first : second, CHAT, "prompt " + i);
        assertThat(blocks(second)).isEqualTo(blocks(first)).hasSizeGreaterThan(2 * i);
      }
      List<Callable<Boolean>> tasks = new ArrayList<>();
      for (int i = 0; i < 16; i++) {
        Contexture engine = i % 2 == 0 ? first : second;
        Scope.OfConversation chat = SHOP.user("u" + i % 4).conversation("of" + i);
        tasks.add(
            () -> {
              for (int n = 0; n < 5; n++) {
                say(engine, chat, "n" + n);
              }
              return true;
            });
      }
      together(tasks);
      for (int i = 0; i < 16; i++) {
        Scope.OfConversation chat = SHOP.user("u" + i % 4).conversation("of" + i);
        List<StoredBlock> seen = (i % 2 == 0 ? second : first).browser(chat).readRange(1, 99, 99);
        assertThat(
                seen.stream()
                    .flatMap(b -> b.block().text().stream())
                    .filter(t -> t.startsWith("n")))
            .containsExactly("n0", "n1", "n2", "n3", "n4");
      }
    }
  }

  @Test
  void whatOneProcessErasesTheOthersForget() {
    server.empty("erase");
    try (PostgresStore one = open("erase");
        PostgresStore other = open("erase");
        Contexture first = engine(one);
        Contexture second = engine(other)) {
      say(first, CHAT, "to be erased");
      assertThat(second.browser(CHAT).timeline().entries()).isNotEmpty();
      assertThat(first.browser(CHAT).erase()).isTrue();
      assertThat(first.isErasing(SHOP)).isFalse(); // both have said so
      assertThat(second.browser(CHAT).size().loadedBytes()).isZero();
      assertThat(second.browser(CHAT).timeline().entries()).isEmpty();
    }
  }

  @Test
  void aProcessThatHoldsWhatWasErasedIsWaitedFor() {
    server.empty("waits");
    try (PostgresStore one = open("waits");
        PostgresStore other = open("waits");
        Contexture engine = engine(one)) {
      other.forgotErased(0);
      say(engine, CHAT, "to be erased");
      engine.browser(CHAT).erase();
      assertThat(engine.isErasing(SHOP)).isTrue();
      other.forgotErased(other.erasures(0, 9).getLast().number());
      assertThat(engine.isErasing(SHOP)).isFalse();
    }
  }

  @Test
  void numbersGoOnAfterADumpWasRestored() {
    server.empty("dump");
    String before;
    long last;
    try (PostgresStore store = open("dump");
        Contexture engine = engine(store)) {
      say(engine, CHAT, "before");
      before = store.identity();
      last = store.outbox(SHOP, 0, 9).getLast().number();
    }
    server.admin("dump", "UPDATE clock SET database = 'where it was dumped', seen = 1000000");
    try (PostgresStore store = open("dump");
        Contexture engine = engine(store)) {
      assertThat(store.identity()).isNotEqualTo(before);
      say(engine, CHAT, "after");
      List<OutboxRow> rows = store.outbox(SHOP, last, 9);
      assertThat(rows).hasSize(1);
      assertThat(rows.getFirst().number()).isGreaterThan(1_000_000L << 20);
    }
  }
}
