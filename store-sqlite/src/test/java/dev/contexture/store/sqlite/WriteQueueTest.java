package dev.contexture.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class WriteQueueTest {
  private static final long LONG = TimeUnit.MINUTES.toNanos(1);

  private final WriteQueue<String> inbox = new WriteQueue<>(3);

  @Test
  void givesInTheOrderOfArrivalAndNoMoreThanAskedFor() throws Exception {
    inbox.put("a");
    inbox.put("b");
    inbox.put("c");

    assertThat(inbox.take(2)).containsExactly("a", "b");
    assertThat(inbox.poll(1, 0, 9)).containsExactly("c");
    assertThat(inbox.poll(1, 0, 9)).isEmpty();
    assertThat(inbox.isEmpty()).isTrue();
  }

  @Test
  void waitsUntilAsManyAsHopedForAreThere() throws Exception {
    CompletableFuture<List<String>> taken =
        CompletableFuture.supplyAsync(() -> unchecked(() -> inbox.poll(2, LONG, 9)));
    inbox.put("a");
    inbox.put("b");

    assertThat(taken.get()).containsExactly("a", "b");
  }

  @Test
  void givesWhatThereIsWhenPatienceEnds() throws Exception {
    inbox.put("a");

    assertThat(inbox.poll(2, 1_000, 9)).containsExactly("a");
  }

  @Test
  void oneMoreThanItHoldsWaitsForRoom() throws Exception {
    inbox.put("a");
    inbox.put("b");
    inbox.put("c");
    CompletableFuture<Void> fourth =
        CompletableFuture.runAsync(
            () ->
                unchecked(
                    () -> {
                      inbox.put("d");
                      return "done";
                    }));

    assertThat(inbox.take(9)).startsWith("a", "b", "c");
    fourth.get();
    assertThat(inbox.isEmpty() || inbox.remove("d")).isTrue();
    assertThat(inbox.isEmpty()).isTrue();
  }

  @Test
  void whatWasTakenBackIsNotGiven() throws Exception {
    inbox.put("a");
    inbox.put("b");

    assertThat(inbox.remove("a")).isTrue();
    assertThat(inbox.remove("a")).isFalse();
    assertThat(inbox.take(9)).containsExactly("b");
  }

  private interface Interruptible<T> {
    T call() throws InterruptedException;
  }

  private static <T> T unchecked(Interruptible<T> call) {
    try {
      return call.call();
    } catch (InterruptedException unexpected) {
      throw new IllegalStateException(unexpected);
    }
  }
}
