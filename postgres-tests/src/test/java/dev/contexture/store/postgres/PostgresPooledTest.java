package dev.contexture.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.Contexture;
import dev.contexture.Turn;
import dev.contexture.block.Scope;
import dev.contexture.store.Store;
import dev.contexture.store.StoredBlock;
import dev.contexture.testkit.StoreContract;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract by way of a pooler in transaction mode. */
class PostgresPooledTest extends StoreContract {
  @TempDir static Path folder;
  private static Pooler pooler;

  @BeforeAll
  static void startPooler() {
    pooler = Pooler.start(folder, PostgresServer.newest());
  }

  @AfterAll
  static void stopPooler() {
    pooler.close();
  }

  @Override
  protected Store open() {
    PostgresServer.newest().empty("pooled");
    return PostgresStore.open(pooler.through("pooled"));
  }

  /** More writers than the pooler has connections, of two tenants. */
  @Test
  void noTransactionTakesWhatAnotherOneSaid() throws Exception {
    PostgresServer.newest().empty("mixed");
    try (Contexture engine =
            Contexture.builder(PostgresStore.open(pooler.through("mixed"))).build();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < 16; i++) {
        Scope.OfConversation chat = chat(i);
        running.add(
            threads.submit(
                () -> {
                  for (int n = 0; n < 4; n++) {
                    try (Turn turn = engine.browser(chat).startTurn(chat.tenant() + " says " + n)) {
                      turn.finish("heard " + n);
                    }
                  }
                }));
      }
      for (Future<?> each : running) {
        each.get();
      }
      for (int i = 0; i < 16; i++) {
        List<StoredBlock> blocks = engine.browser(chat(i)).readRange(1, 99, 99);
        String tenant = chat(i).tenant();
        assertThat(blocks.stream().flatMap(block -> block.block().text().stream()))
            .filteredOn(text -> text.contains("says"))
            .containsExactly(
                tenant + " says 0", tenant + " says 1", tenant + " says 2", tenant + " says 3");
      }
    }
    String rows = "SELECT count(DISTINCT tenant)::text FROM blocks";
    assertThat(PostgresServer.newest().query("mixed", "postgres", rows)).containsExactly("2");
  }

  private static Scope.OfConversation chat(int number) {
    return Scope.of("tenant-" + number % 2, "shop").user("ann").conversation("c" + number);
  }
}
