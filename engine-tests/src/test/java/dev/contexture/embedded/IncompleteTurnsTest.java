package dev.contexture.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.prompt.Omission;
import dev.contexture.render.RenderOptions;
import dev.contexture.store.Store;
import dev.contexture.store.sqlite.InMemoryStore;
import dev.contexture.testkit.FakeClock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** M-97, M-100: turns without an end are reported, whoever loaded the conversation. */
class IncompleteTurnsTest {
  private final Store store = new InMemoryStore();
  private ContextFixture fixture = new ContextFixture(store, FakeClock.atStart());

  private List<String> incomplete() {
    return fixture.built().metadata().dropped().stream()
        .filter(omission -> omission.reason() == Omission.Reason.INCOMPLETE_TURN)
        .map(Omission::id)
        .toList();
  }

  @Test
  void aTurnOfAClockThatWasWrongDoesNotKeepTheConversation() {
    fixture.clock.advance(Duration.ofDays(400));
    fixture.chat.startTurn("from the future");
    fixture.clock.set(FakeClock.START);
    fixture.chat.startTurn("now").finish("answer");
    fixture.chat.startTurn("open");
    fixture.clock.set(FakeClock.START.minusSeconds(5)); // clocks are mended by seconds all the time
    assertThatThrownBy(() -> fixture.chat.startTurn("another"))
        .isInstanceOfSatisfying(
            ContextureException.class,
            refused -> assertThat(refused.code()).isEqualTo(ErrorCode.TURN_IN_PROGRESS));
  }

  @Test
  void areReportedAlsoAfterARestart() {
    var aborted = fixture.chat.startTurn("first");
    aborted.abort("wrong");
    for (int i = 0; i < 12; i++) {
      fixture.chat.startTurn("question " + i + " " + "word ".repeat(40)).finish("answer " + i);
    }
    assertThat(incomplete()).containsExactly(aborted.id().value());
    fixture = new ContextFixture(store, fixture.clock);
    assertThat(incomplete()).containsExactly(aborted.id().value());
    fixture.chat.compact(RenderOptions.defaults().withForceSanitize(true));
    assertThat(incomplete()).as("the summary stands behind it").isEmpty();
    var later = fixture.chat.startTurn("again");
    later.abort("wrong");
    fixture = new ContextFixture(store, fixture.clock);
    assertThat(incomplete()).containsExactly(later.id().value());
  }
}
