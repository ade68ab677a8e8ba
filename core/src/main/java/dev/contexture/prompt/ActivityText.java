package dev.contexture.prompt;

import dev.contexture.block.CodePoints;
import dev.contexture.memory.BlockMarkup;
import dev.contexture.prompt.ActivityEvent.What;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import org.apiguardian.api.API;

/**
 * Recent events as a part of the prompt.
 *
 * @param window how far back events are shown
 * @param least less important ones are not
 * @param ownLimit the most events of the reader's own
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ActivityText(Duration window, ActivityEvent.Importance least, int ownLimit) {
  public static final ActivityText DEFAULT =
      new ActivityText(Duration.ofHours(24), ActivityEvent.Importance.LOW, 3);

  private static final int MAX_TEXT = 200;
  private static final String PRIVATE = "a private block";
  private static final String OPEN =
      "<recent_activity>\nRecent events in this group of agents (UTC, oldest first):\n\n";
  private static final String CLOSE = "\n</recent_activity>";
  private static final Comparator<ActivityEvent> NEWEST_FIRST =
      Comparator.comparing(ActivityEvent::at).thenComparing(ActivityEvent::id).reversed();
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);

  /**
   * @param events in any order
   * @param viewer the agent that reads it
   * @param readable whether it may read a memory block, by id
   * @param limit the most events
   * @return empty: there is nothing to show
   */
  public Optional<String> of(
      List<ActivityEvent> events,
      String viewer,
      Predicate<String> readable,
      int limit,
      Instant now) {
    List<String> lines = new ArrayList<>();
    int own = 0;
    for (ActivityEvent event : events.stream().sorted(NEWEST_FIRST).toList()) {
      boolean recent = !event.at().isBefore(now.minus(window)) && !event.at().isAfter(now);
      if (lines.size() == limit || !recent || event.importance().compareTo(least) < 0) {
        continue;
      }
      boolean ours = viewer.equals(event.agent());
      if (ours && own++ >= ownLimit) {
        continue;
      }
      String who = ours ? "you" : event.who();
      String line = TIME.format(event.at()) + " " + who + ": " + text(event.what(), readable);
      lines.addFirst(BlockMarkup.fence(oneLine(line)));
    }
    return lines.isEmpty()
        ? Optional.empty()
        : Optional.of(OPEN + String.join("\n", lines) + CLOSE);
  }

  private static String text(What what, Predicate<String> readable) {
    return switch (what) {
      case What.Message _unused -> "sent a message";
      case What.Tool tool -> "used tool `" + shortened(tool.name()) + "`";
      case What.Memory memory ->
          "updated memory `"
              + (readable.test(memory.block()) ? shortened(memory.label()) : PRIVATE)
              + "`";
      case What.Task task -> "changed task `" + shortened(task.name()) + "`";
      case What.Status status -> "is now " + shortened(status.status());
      case What.External external ->
          "event from " + shortened(external.source()) + ": " + shortened(external.text());
      case What.Coordination coordination -> "coordination: " + shortened(coordination.text());
      case What.Notice notice -> shortened(notice.text());
    };
  }

  private static String shortened(String text) {
    return CodePoints.shortened(text, MAX_TEXT);
  }

  private static String oneLine(String text) {
    return text.replaceAll("\\R|\\p{Cntrl}", " ");
  }
}
