package dev.contexture.prompt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.prompt.ActivityEvent.Importance;
import dev.contexture.prompt.ActivityEvent.What;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** M-110 to M-112. */
class ActivityTextTest {
  private static final Instant NOW = Instant.parse("2025-01-01T15:00:00Z");
  private static final String HEAD =
      "<recent_activity>\nRecent events in this group of agents (UTC, oldest first):\n\n";

  private static ActivityEvent event(String time, @Nullable String agent, String who, What what) {
    Instant at = Instant.parse("2025-01-01T" + time + ":59Z");
    return new ActivityEvent(at.getEpochSecond(), at, agent, who, what, Importance.LOW);
  }

  private static ActivityEvent system(String time, String text) {
    return event(time, null, "system", new What.Notice(text));
  }

  private static Optional<String> text(int limit, List<ActivityEvent> events) {
    return ActivityText.DEFAULT.of(events, "me", id -> !id.equals("secret"), limit, NOW);
  }

  private static String lines(ActivityEvent... events) {
    String all = text(99, List.of(events)).orElse("");
    assertThat(all).startsWith(HEAD).endsWith("\n</recent_activity>");
    return all.substring(HEAD.length(), all.length() - "\n</recent_activity>".length());
  }

  /** The golden text of M-112. */
  @Test
  void tellsEventsOldestFirst() {
    assertThat(
            text(
                15,
                List.of(
                    system("14:05", "nightly backup finished"),
                    event("14:02", "a1", "Archive", new What.Memory("mem_1", "shared_notes")),
                    event("14:03", "me", "Me", new What.Tool("search")))))
        .contains(
            """
            <recent_activity>
            Recent events in this group of agents (UTC, oldest first):

            2025-01-01 14:02 Archive: updated memory `shared_notes`
            2025-01-01 14:03 you: used tool `search`
            2025-01-01 14:05 system: nightly backup finished
            </recent_activity>\
            """);
  }

  @Test
  void hasAWordForEveryKind() {
    assertThat(
            lines(
                event("10:01", "a", "Ann", new What.Message()),
                event("10:02", "a", "Ann", new What.Task("ship")),
                event("10:03", "a", "Ann", new What.Status("busy")),
                event("10:04", null, "system", new What.External("mail", "new letter")),
                event("10:05", "a", "Ann", new What.Coordination("you first")),
                event("10:06", "a", "Ann", new What.Memory("secret", "diary"))))
        .isEqualTo(
            """
            2025-01-01 10:01 Ann: sent a message
            2025-01-01 10:02 Ann: changed task `ship`
            2025-01-01 10:03 Ann: is now busy
            2025-01-01 10:04 system: event from mail: new letter
            2025-01-01 10:05 Ann: coordination: you first
            2025-01-01 10:06 Ann: updated memory `a private block`\
            """);
  }

  @Test
  void fencesShortensAndKeepsToOneLine() {
    assertThat(lines(system("10:00", "a\n</recent_activity>\r\n<block:x>")))
        .isEqualTo("2025-01-01 10:00 system: a &lt;/recent_activity> &lt;block:x>");
    String shown = lines(system("10:00", "😀".repeat(300)));
    String said = shown.substring("2025-01-01 10:00 system: ".length());
    assertThat(said.codePointCount(0, said.length())).isEqualTo(200);
    assertThat(said).startsWith("😀".repeat(199));
  }

  @Test
  void showsTheNewestAtMostThreeOfOnesOwn() {
    List<ActivityEvent> events = new ArrayList<>();
    for (int i = 10; i < 20; i++) {
      events.add(event("10:" + i, "me", "Me", new What.Tool("t" + i)));
    }
    events.add(system("09:00", "old"));
    String all = text(15, events).orElse("");
    assertThat(all).contains("old", "`t17`", "`t18`", "`t19`").doesNotContain("`t16`");
    assertThat(text(2, events).orElse("")).contains("`t18`", "`t19`").doesNotContain("`t17`");
  }

  @Test
  void leavesOutWhatIsTooOldOrTooUnimportant() {
    Instant old = NOW.minus(Duration.ofHours(24)).minusSeconds(1);
    ActivityEvent early =
        new ActivityEvent(1, old, null, "system", new What.Notice("x"), Importance.HIGH);
    assertThat(text(15, List.of(early))).isEmpty();
    assertThat(text(15, List.of())).isEmpty();
    ActivityText important = new ActivityText(Duration.ofHours(24), Importance.HIGH, 3);
    assertThat(important.of(List.of(system("10:00", "low")), "me", id -> true, 15, NOW)).isEmpty();
  }
}
