package dev.contexture.embedded;

import static dev.contexture.embedded.ContextFixture.ME;
import static dev.contexture.embedded.ContextFixture.SHOP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.RecentActivity;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.memory.permission.Actor;
import dev.contexture.prompt.ActivityEvent.Importance;
import dev.contexture.prompt.ActivityEvent.What;
import dev.contexture.store.memory.MemoryEvent;
import dev.contexture.store.sqlite.InMemoryStore;
import dev.contexture.testkit.FakeClock;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** M-110: hosts add events, and agents are told about them (M-112). */
class ActivityEventsTest {
  private final ContextFixture fixture =
      new ContextFixture(new InMemoryStore(), FakeClock.atStart());
  private final RecentActivity activity = fixture.engine.activity(SHOP);

  private static void refused(ErrorCode code, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            ContextureException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  @Test
  void everyKindIsTold() {
    long first = activity.record("zeus", new What.Message(), Importance.LOW);
    activity.record("zeus", new What.Tool("weather"), Importance.LOW);
    activity.record("zeus", new What.Task("tidy up"), Importance.MEDIUM);
    activity.record("zeus", new What.Status("away"), Importance.HIGH);
    activity.record(null, new What.External("mail", "a letter came"), Importance.HIGH);
    activity.record(null, new What.Coordination("zeus leads"), Importance.LOW);
    long last = activity.record(null, new What.Notice("backup done"), Importance.LOW);
    assertThat(last).isEqualTo(first + 6);
    assertThat(activity.render(ME, 20).orElseThrow())
        .contains(
            "zeus: sent a message",
            "zeus: used tool `weather`",
            "zeus: changed task `tidy up`",
            "zeus: is now away",
            "system: event from mail: a letter came",
            "system: coordination: zeus leads",
            "system: backup done");
    fixture.clock.advance(Duration.ofHours(25));
    assertThat(activity.render(ME, 20)).isEmpty();
  }

  @Test
  void whatIsNotForHostsIsRefused() {
    refused(
        ErrorCode.INVALID_ARGUMENT,
        () -> activity.record(ME, new What.Memory("mem_1", "notes"), Importance.LOW));
    refused(
        ErrorCode.LIMIT_EXCEEDED,
        () -> activity.record(ME, new What.Notice("x".repeat(2_001)), Importance.LOW));
    MemoryEvent event =
        new MemoryEvent(
            0, fixture.clock.instant(), "zeus", null, null, "notice", "low", JsonObject.EMPTY);
    refused(
        ErrorCode.ACCESS_DENIED,
        () -> fixture.memory.actingAs(Actor.agent("zeus")).addActivity(event));
    MemoryEvent forged =
        new MemoryEvent(
            0,
            fixture.clock.instant(),
            null,
            null,
            null,
            "archival.added",
            "low",
            JsonObject.EMPTY);
    refused(ErrorCode.INVALID_ARGUMENT, () -> fixture.memory.addActivity(forged));
    assertThat(activity.render(ME, 20)).isEmpty();
  }
}
