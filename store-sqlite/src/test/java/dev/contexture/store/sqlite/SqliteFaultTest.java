package dev.contexture.store.sqlite;

import static dev.contexture.testkit.StoreFixture.CHAT;
import static dev.contexture.testkit.StoreFixture.NOW;
import static dev.contexture.testkit.StoreFixture.appending;
import static dev.contexture.testkit.StoreFixture.applied;
import static dev.contexture.testkit.StoreFixture.binary;
import static dev.contexture.testkit.StoreFixture.block;
import static dev.contexture.testkit.StoreFixture.closing;
import static dev.contexture.testkit.StoreFixture.image;
import static dev.contexture.testkit.StoreFixture.news;
import static dev.contexture.testkit.StoreFixture.opening;
import static dev.contexture.testkit.StoreFixture.set;
import static dev.contexture.testkit.StoreFixture.summary;
import static dev.contexture.testkit.StoreFixture.turn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.contexture.block.BlockPath;
import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.store.MemoryRow;
import dev.contexture.store.Outcome;
import dev.contexture.store.PinRow;
import dev.contexture.store.RequestRow;
import dev.contexture.store.Row;
import dev.contexture.store.SourceRow;
import dev.contexture.store.StoredBlock;
import dev.contexture.store.TurnRow;
import dev.contexture.store.WriteSet;
import dev.contexture.store.jdbc.Db;
import dev.contexture.testkit.MemoryFixture;
import dev.contexture.timeline.TurnStatus;
import dev.contexture.timeline.Visibility;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A failure at any write leaves the state before or after the whole call (T-99). */
class SqliteFaultTest {
  private static final TurnId T1 = turn("t1");
  private static final JsonObject NOTE = JsonObject.builder().put("type", "x").build();

  @TempDir Path directory;

  /** Fails at the n-th write from now on, and when it is tried again; a commit fails once. */
  private static final class NthWrite implements Db.FaultPoint {
    private int left;
    private int again;
    private @Nullable String broken;

    /** Lets the n-th write fail, as often as it is tried; 0: none. */
    void failAt(int nth) {
      failAt(nth, Integer.MAX_VALUE);
    }

    synchronized void failAt(int nth, int times) {
      left = nth;
      again = times;
      broken = null;
    }

    /** Whether it came so far; from here on nothing fails. */
    synchronized boolean reached() {
      boolean reached = left == 0;
      failAt(0);
      return reached;
    }

    @Override
    public synchronized void reach(String point) throws SQLException {
      boolean now = left > 0 && --left == 0;
      if (now && !point.startsWith("COMMIT")) {
        broken = point;
      }
      if (now || (point.equals(broken) && --again > 0)) {
        throw new SQLException("made to fail at " + point);
      }
    }
  }

  private final NthWrite faults = new NthWrite();

  private SqliteStore open(Path where) {
    return SqliteStore.open(where, new SqliteStore.Tuning(0, 2, faults));
  }

  private static WriteSet everything(int round) {
    TurnId turn = turn("turn" + round);
    return set()
        .add(new Row.PutTurn(TurnRow.open(turn, NOW).withAgent("a" + round)))
        .append(news(block(turn, "k" + round, "x"), image(turn, binary("png"))))
        .add(new Row.PutSummary(summary("s" + round, 2, turn, turn)))
        .add(new Row.PutVisibility(List.of(new Visibility(1, "r", Visibility.Reason.API, NOW))))
        .add(new Row.PutSources(List.of(new SourceRow(round, "k" + round, true, NOTE))))
        .add(new Row.SetAnnounce(turn, List.of(block(turn, "a"), image(turn, binary("png")))))
        .add(new Row.AddTransient(turn, List.of(block(turn, "p"))))
        .add(new Row.SetPendingAnswer(turn, NOTE))
        .add(new Row.PutPin(new PinRow(BlockPath.userPrompt(turn), NOW, round)))
        .add(new Row.DropPin(BlockPath.userPrompt(turn("turn" + (round - 1)))))
        .add(new Row.SetTitle("title " + round))
        .add(new Row.PutOutcome(new Outcome("o" + round, turn, NOTE)))
        .add(new Row.PutRequest(new RequestRow("r" + round, turn, NOW, NOTE, Set.of())))
        .add(new Row.IndexTurn(turn))
        .add(new Row.ClearTurnScoped(turn("turn" + (round - 1))))
        .note(NOTE)
        .build();
  }

  private static List<Object> state(SqliteStore store) {
    Scope scope = CHAT.owner().scope();
    return List.of(
        store.load(CHAT),
        store.summaries(CHAT, null, 999),
        store.turns(CHAT, null, 999),
        store.requests(CHAT, null, 999),
        store.changes(CHAT, 0, 999),
        store.outbox(scope, 0, 999),
        store.readRange(CHAT, 1, 999, 999));
  }

  /** Runs a call with a failure at its first write, its second and so on, until none is left. */
  private void failEverywhere(SqliteStore store, Runnable call) throws Exception {
    int failures = 0;
    for (int nth = 1; ; nth++) {
      List<Object> before = state(store);
      faults.failAt(nth);
      ContextureException failure = catchThrowableOfType(ContextureException.class, call::run);
      boolean reached = faults.reached();
      List<Object> after = state(store);
      if (failure != null) {
        failures++;
        assertThat(failure.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
        assertThat(after).isEqualTo(before);
      } else {
        assertThat(after).isNotEqualTo(before);
        if (!reached) {
          assertThat(failures).isGreaterThan(5);
          return;
        }
      }
    }
  }

  @Test
  void aCommitThatFailsAtAnyWriteChangesNothing() throws Exception {
    try (SqliteStore store = open(directory)) {
      store.putBinary(CHAT.owner().scope(), binary("png"));
      applied(store, everything(1));
      AtomicInteger round = new AtomicInteger(1);
      failEverywhere(store, () -> applied(store, everything(round.incrementAndGet())));
      store.check();
    }
    List<Object> closed;
    try (SqliteStore store = open(directory)) {
      store.check();
      closed = state(store);
      assertThat(closed).isNotEmpty();
    }
  }

  @Test
  void erasingThatFailsAtAnyWriteErasesNothing() throws Exception {
    try (SqliteStore store = open(directory)) {
      store.putBinary(CHAT.owner().scope(), binary("png"));
      for (int number = 1; number <= 20; number++) { // more than attempts succeed
        store.putBinary(CHAT.owner().scope(), binary("png"));
        applied(store, everything(number));
        applied(store, closing(CHAT, turn("turn" + number), TurnStatus.COMPLETE));
      }
      failEverywhere(
          store,
          () -> {
            var turns = store.turns(CHAT, null, 1);
            store.eraseTurn(CHAT, turns.getFirst().turn(), NOW, NOTE);
          });
      store.check();
    }
  }

  /** A failure while it commits, too: whether it landed is found out (M-59, M-6). */
  @Test
  void aMemoryCommitThatFailsAtAnyWriteChangesNothing() throws Exception {
    Scope scope = CHAT.owner().scope();
    try (SqliteStore store = open(directory)) {
      MemoryFixture.stored(
          store, MemoryFixture.writing(scope, MemoryFixture.adding("mem_1", "atlas", "notes")));
      int seq = 0;
      int failures = 0;
      for (int nth = 1; ; nth++) {
        List<Object> before = memoryState(store, scope);
        int next = seq + 1;
        faults.failAt(nth);
        ContextureException failure =
            catchThrowableOfType(
                ContextureException.class,
                () -> MemoryFixture.stored(store, memoryEverything(scope, next)));
        boolean reached = faults.reached();
        if (failure != null) {
          failures++;
          assertThat(failure.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
          assertThat(memoryState(store, scope)).isEqualTo(before);
        } else {
          seq = next;
          assertThat(store.memory().block(scope, "mem_1").orElseThrow().seq()).isEqualTo(next);
          if (!reached) {
            break;
          }
        }
      }
      assertThat(failures).isGreaterThan(5);
      store.check();
    }
  }

  private static WriteSet.Builder memoryEverything(Scope scope, int seq) {
    return MemoryFixture.writing(
        scope,
        new MemoryRow.EnsureAgent("a" + seq),
        MemoryFixture.adding("mem_x" + seq, "atlas", "label" + seq),
        MemoryFixture.appending("mem_1", seq, "text"),
        new MemoryRow.PutPreview("mem_1", "text" + seq, 1),
        new MemoryRow.PutShare("mem_1", "bert", "Append", true),
        new MemoryRow.AddArchival(MemoryFixture.archival("arc_" + seq, "atlas", "x")),
        new MemoryRow.AddConsent(MemoryFixture.consent("con_" + seq, "mem_1", "?")),
        MemoryFixture.event("mem_1", "x"),
        new MemoryRow.IndexBlock("mem_1"),
        new MemoryRow.DeleteBlock("mem_x" + seq));
  }

  private static List<Object> memoryState(SqliteStore store, Scope scope) {
    return List.of(
        store.memory().agents(scope, null, 999),
        store.memory().document(scope, "mem_1", 0),
        store.memory().preview(scope, "mem_1"),
        store.memory().shares(scope, "mem_1"),
        store.memory().archival(scope.agent("atlas"), true, null, 999),
        store.memory().consents(scope, 999),
        store.memory().events(scope, 0, 999),
        store.outbox(scope, 0, 999));
  }

  @Test
  void aFailureInAGroupStaysWithItsSet() throws Exception {
    try (SqliteStore store = open(directory)) {
      applied(store, opening(CHAT, T1));
      int expected = 0;
      for (int nth = 1; nth <= 40; nth++) {
        faults.failAt(nth, 2); // with its group, then alone
        expected += 16 - failuresOf(16, i -> () -> applied(store, appending(CHAT, block(T1, i))));
        faults.failAt(0);
      }
      assertThat(store.readRange(CHAT, 1, 999, 999))
          .extracting(StoredBlock::seq)
          .containsExactlyElementsOf(LongStream.rangeClosed(1, expected).boxed().toList());
      assertThat(store.head(CHAT).orElseThrow().version()).isEqualTo(1 + expected);
      assertThat(expected).isGreaterThanOrEqualTo(40 * 15); // one fault, one call at most
    }
  }

  private static int failuresOf(int threads, java.util.function.Function<String, Callable<?>> calls)
      throws Exception {
    int failed = 0;
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        running.add(executor.submit(calls.apply("t" + i)));
      }
      for (Future<?> each : running) {
        try {
          each.get();
        } catch (java.util.concurrent.ExecutionException failure) {
          assertThat(failure.getCause()).isInstanceOf(ContextureException.class);
          failed++;
        }
      }
    }
    return failed;
  }

  @Test
  void aFullDiskRefusesAndKeepsWhatIsThere() {
    int stored = 0;
    ContextureException full = null;
    SqliteStore.Tuning small = new SqliteStore.Tuning(120, 2, Db.FaultPoint.NONE);
    try (SqliteStore store = SqliteStore.open(directory, small)) {
      applied(store, opening(CHAT, T1));
      while (full == null) {
        try {
          applied(store, appending(CHAT, block(T1, "text ".repeat(500))));
          stored++;
        } catch (ContextureException refused) {
          full = refused;
        }
      }
      assertThat(full.code()).isEqualTo(ErrorCode.STORE_FULL);
      assertThat(full).hasMessageContaining("free disk space");
      assertThat(store.readRange(CHAT, 1, 999, 999)).hasSize(stored);
      assertThat(store.head(CHAT).orElseThrow().version()).isEqualTo(1 + stored);
    }
    try (SqliteStore store = SqliteStore.open(directory)) {
      store.check();
      assertThat(store.readRange(CHAT, 1, 999, 999)).hasSize(stored);
      applied(store, appending(CHAT, block(T1, "room again")));
    }
  }
}
