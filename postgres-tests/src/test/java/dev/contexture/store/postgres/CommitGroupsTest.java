package dev.contexture.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.block.Block;
import dev.contexture.block.BlockType;
import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.store.Commit;
import dev.contexture.store.NewBlock;
import dev.contexture.store.Precondition;
import dev.contexture.store.Row;
import dev.contexture.store.StoredBlock;
import dev.contexture.store.TurnRow;
import dev.contexture.store.WriteSet;
import dev.contexture.store.jdbc.Db;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Writers that share transactions: each has the answer that it would have had alone. */
class CommitGroupsTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final TurnId TURN = TurnId.of("t1");
  private static final int WRITERS = 48;
  private static final int SETS = 12;
  private static final int REFUSED_EVERY = 41;

  private final AtomicInteger inserts = new AtomicInteger();
  private final AtomicInteger commits = new AtomicInteger();

  private static Scope.OfConversation chat(int number) {
    return Scope.of("acme", "shop").user("ann").conversation("c" + number);
  }

  private static NewBlock block(TurnId turn, String text) {
    return NewBlock.of(
        Block.builder(BlockType.of("react.note")).turn(turn).ts(NOW).text(text).build());
  }

  private void reach(String point) throws SQLException {
    if (point.equals("COMMIT")) {
      commits.incrementAndGet();
    }
    if (point.startsWith("INSERT INTO blocks ") && inserts.incrementAndGet() % REFUSED_EVERY == 0) {
      throw new SQLException("this row is refused", "22023");
    }
  }

  @Test
  void oneThatFailsFailsAloneAndTheOthersAreWrittenOnce() throws Exception {
    PostgresServer server = PostgresServer.newest();
    Db.FaultPoint refuses = this::reach;
    try (PostgresStore store =
            PostgresStore.open(
                server.empty("groups").connections(2), refuses, new PostgresSchema("groups"));
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<List<String>>> writers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        Scope.OfConversation chat = chat(i);
        writers.add(threads.submit(() -> write(store, chat)));
      }
      int acknowledged = 0;
      for (int i = 0; i < WRITERS; i++) {
        List<String> kept = writers.get(i).get();
        List<StoredBlock> blocks = store.readRange(chat(i), 1, 999, 999);
        assertThat(blocks.stream().flatMap(stored -> stored.block().text().stream()))
            .containsExactlyElementsOf(kept);
        assertThat(blocks.stream().map(StoredBlock::seq))
            .containsExactlyElementsOf(LongStream.rangeClosed(1, kept.size()).boxed().toList());
        assertThat(store.version(chat(i))).isEqualTo(1 + kept.size());
        acknowledged += kept.size();
      }
      assertThat(acknowledged).isBetween(WRITERS * SETS / 2, WRITERS * SETS - 1);
      assertThat(commits.get()).as("they share transactions").isLessThan(acknowledged);
    }
  }

  /** Returns the texts of sets that were acknowledged. */
  private static List<String> write(PostgresStore store, Scope.OfConversation chat) {
    Row.PutTurn open = new Row.PutTurn(TurnRow.open(TURN, NOW));
    assertThat(store.commit(WriteSet.of(chat, NOW).add(open).build()))
        .isInstanceOf(Commit.Committed.class);
    List<String> kept = new ArrayList<>();
    for (int i = 0; i < SETS; i++) {
      String text = "note " + i;
      WriteSet set = WriteSet.of(chat, NOW).append(List.of(block(TURN, text))).build();
      try {
        assertThat(store.commit(set)).isInstanceOf(Commit.Committed.class);
        kept.add(text);
      } catch (ContextureException refused) {
        assertThat(refused.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
        assertThat(refused).hasMessageContaining("this row is refused");
      }
      assertRefused(store, chat);
    }
    return kept;
  }

  /** One that is refused before it wrote something, and one that is refused after that. */
  private static void assertRefused(PostgresStore store, Scope.OfConversation chat) {
    WriteSet.Builder stale =
        WriteSet.of(chat, NOW)
            .expect(new Precondition.VersionIs(999))
            .append(List.of(block(TURN, "stale")));
    assertThat(store.commit(stale.build())).isInstanceOf(Commit.Conflict.class);
    WriteSet.Builder half =
        WriteSet.of(chat, NOW)
            .add(new Row.SetTitle("half"))
            .append(List.of(block(TurnId.of("unknown"), "half")));
    assertThat(store.commit(half.build())).isInstanceOf(Commit.Conflict.class);
    assertThat(store.head(chat).orElseThrow().title()).as("of a set that was undone").isNull();
  }
}
