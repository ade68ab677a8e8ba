package dev.contexture.store.sqlite;

import static dev.contexture.testkit.StoreFixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.block.Scope;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.store.Commit;
import dev.contexture.store.MemoryRow;
import dev.contexture.store.Store;
import dev.contexture.store.WriteSet;
import dev.contexture.store.memory.MemoryEvent;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Events of memory do not become more for ever, though nobody erases them. */
@Timeout(300)
class EventGrowthTest {
  private static final Scope BUSY = Scope.of("acme", "busy");
  private static final Scope QUIET = Scope.of("acme", "quiet");
  private static final int AT_ONCE = 5_000;
  private static final int SLACK = 4_096; // between two looks for old ones

  @Test
  void theOldestGoWhenThereAreTooMany() {
    try (Store store = new InMemoryStore()) {
      write(store, QUIET, 0, 10);
      int all = Store.MAX_EVENTS + 4 * AT_ONCE;
      for (int from = 0; from < all; from += AT_ONCE) {
        write(store, BUSY, from, AT_ONCE);
      }
      long last = store.memory().lastEvent(BUSY);
      List<MemoryEvent> newest = store.memory().events(BUSY, last - 2, 9);
      assertThat(newest)
          .extracting(event -> event.details().toJson())
          .containsExactly("{\"n\":" + (all - 2) + "}", "{\"n\":" + (all - 1) + "}");
      long kept = store.memory().outlivedEvents(BUSY, NOW.plusSeconds(1), Long.MAX_VALUE);
      assertThat(kept).isBetween((long) Store.MAX_EVENTS, (long) Store.MAX_EVENTS + SLACK);
      assertThat(store.memory().events(QUIET, 0, 99)).hasSize(10);
    }
  }

  private static void write(Store store, Scope scope, int from, int count) {
    WriteSet.Builder set = WriteSet.of(scope, NOW);
    for (int i = from; i < from + count; i++) {
      JsonObject details = JsonObject.of("n", JsonValue.of(i));
      set.add(
          new MemoryRow.AddEvent(new MemoryEvent(0, NOW, null, null, null, "x", null, details)));
    }
    assertThat(store.commit(set.build())).isInstanceOf(Commit.Committed.class);
  }
}
