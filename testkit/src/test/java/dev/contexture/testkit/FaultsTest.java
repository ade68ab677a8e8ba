package dev.contexture.testkit;

import static dev.contexture.testkit.StoreFixture.CHAT;
import static dev.contexture.testkit.StoreFixture.applied;
import static dev.contexture.testkit.StoreFixture.block;
import static dev.contexture.testkit.StoreFixture.opening;
import static dev.contexture.testkit.StoreFixture.turn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.error.ContextureException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class FaultsTest {
  private final Faults faults = new Faults();
  private final InMemoryStore store = new InMemoryStore(faults);

  @Test
  void aCommitThatFailsBeforeItIsAppliedChangesNothing() {
    faults.failAt("commit", 1);
    var set = opening(CHAT, turn("t1"), block(turn("t1"), "a"));
    assertThatThrownBy(() -> store.commit(set)).isInstanceOf(ContextureException.class);
    assertThat(store.head(CHAT)).isEmpty();
    applied(store, set);
  }

  @Test
  void aCommitMayFailAfterItWasApplied() {
    faults.failAt("commit.done", 1);
    var set = opening(CHAT, turn("t1"), block(turn("t1"), "a"));
    assertThatThrownBy(() -> store.commit(set)).isInstanceOf(ContextureException.class);
    assertThat(store.head(CHAT)).isPresent();
  }

  @Test
  void readsFailUntilTheFaultIsCleared() {
    faults.failAt("head", 99);
    assertThatThrownBy(() -> store.head(CHAT)).hasMessageContaining("head");
    faults.clear();
    assertThat(store.head(CHAT)).isEmpty();
  }

  @Test
  void clockAndIdsMoveOnlyWhenAsked() {
    FakeClock clock = FakeClock.atStart();
    assertThat(clock.instant()).isEqualTo(FakeClock.START);
    assertThat(clock.advance(Duration.ofSeconds(1))).isEqualTo(clock.instant());
    FakeIds ids = FakeIds.withPrefix("turn_");
    assertThat(ids.get()).isEqualTo("turn_1");
    assertThat(ids.get()).isEqualTo("turn_2");
  }
}
