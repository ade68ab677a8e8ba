package dev.contexture.testkit;

import static dev.contexture.testkit.StoreFixture.CHAT;
import static dev.contexture.testkit.StoreFixture.applied;
import static dev.contexture.testkit.StoreFixture.block;
import static dev.contexture.testkit.StoreFixture.opening;
import static dev.contexture.testkit.StoreFixture.turn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.error.ContextureException;
import dev.contexture.store.Store;
import dev.contexture.store.sqlite.InMemoryStore;
import org.junit.jupiter.api.Test;

class FaultsTest {
  private final Faults faults = new Faults();
  private final Store store = faults.around(new InMemoryStore());

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
}
