package dev.contexture.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.error.ContextureException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class WrongKeyDelayTest {
  private final AtomicLong nanos = new AtomicLong();
  private final List<Duration> pauses = new ArrayList<>();
  private final WrongKeyDelay keys = new WrongKeyDelay(nanos::get, pauses::add);

  private void tries(String address, int times) {
    for (int i = 0; i < times; i++) {
      keys.tried(address);
    }
  }

  @Test
  void slowsTriesBeyondTheFreeOnes() {
    tries("192.0.2.1", WrongKeyDelay.FREE_TRIES);
    assertThat(pauses).isEmpty();
    tries("192.0.2.1", 3);
    assertThat(pauses).hasSize(3);
    tries("192.0.2.2", 1);
    assertThat(pauses).as("another address").hasSize(3);
  }

  @Test
  void forgivesWithTime() {
    tries("192.0.2.1", WrongKeyDelay.FREE_TRIES + 1);
    nanos.addAndGet(Duration.ofSeconds(5).toNanos());
    tries("192.0.2.1", 5);
    assertThat(pauses).hasSize(1);
    tries("192.0.2.1", 1);
    assertThat(pauses).hasSize(2);
  }

  @Test
  void takesANetworkOfSixForOneCaller() {
    for (int i = 0; i <= WrongKeyDelay.FREE_TRIES; i++) {
      keys.tried("2001:db8::" + Integer.toHexString(i));
    }
    assertThat(pauses).hasSize(1);
  }

  @Test
  void forgetsAddressesBeyondItsTable() {
    tries("192.0.2.1", WrongKeyDelay.FREE_TRIES);
    for (int i = 0; i < WrongKeyDelay.MAX_ADDRESSES; i++) {
      keys.tried("host-" + i);
    }
    tries("192.0.2.1", 1);
    assertThat(pauses).isEmpty();
  }

  @Test
  void letsOnlySoManyWait() {
    List<WrongKeyDelay> self = new ArrayList<>();
    AtomicLong depth = new AtomicLong();
    WrongKeyDelay nested =
        new WrongKeyDelay(
            nanos::get,
            time -> {
              depth.incrementAndGet();
              self.getFirst().tried("192.0.2.1");
            });
    self.add(nested);
    for (int i = 0; i < WrongKeyDelay.FREE_TRIES; i++) {
      nested.tried("192.0.2.1");
    }
    assertThatThrownBy(() -> nested.tried("192.0.2.1"))
        .isInstanceOf(ContextureException.class)
        .hasMessageContaining("wrong keys");
    assertThat(depth).hasValue(WrongKeyDelay.MAX_WAITING);
  }
}
