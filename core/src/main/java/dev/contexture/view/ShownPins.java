package dev.contexture.view;

import dev.contexture.timeline.Pin;
import dev.contexture.timeline.Summary;
import dev.contexture.timeline.Timeline;
import dev.contexture.timeline.TimelineEntry;
import dev.contexture.timeline.Window;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;

/**
 * The pins that stand behind a summary: those whose block does not stand in the window, in the
 * order in which they were pinned, as far as there is room for them.
 *
 * @param fitting what is shown
 * @param others what there is no room for
 */
@API(status = API.Status.INTERNAL, since = "0.2")
public record ShownPins(List<TimelineEntry> fitting, List<TimelineEntry> others) {
  private static final ShownPins NONE = new ShownPins(List.of(), List.of());

  static ShownPins of(Timeline timeline, Window window, Emitter emitter) {
    long cut = window.summary().map(Summary::cutSeq).orElse(0L);
    return timeline.pins().isEmpty() ? NONE : behind(timeline, cut, window.carried(), emitter);
  }

  /** What the pins would cost behind a summary that stands before a block. */
  public static long cost(Timeline timeline, long cutSeq, Emitter emitter) {
    return timeline.pins().isEmpty()
        ? 0
        : behind(timeline, cutSeq, List.of(), emitter).fitting.stream()
            .mapToLong(entry -> emitter.own(entry, null).cost())
            .sum();
  }

  private static ShownPins behind(
      Timeline timeline, long cutSeq, List<TimelineEntry> carried, Emitter emitter) {
    List<TimelineEntry> fitting = new ArrayList<>();
    List<TimelineEntry> others = new ArrayList<>();
    long used = 0;
    for (Pin pin : timeline.pins().all()) {
      if (isShownAnyway(timeline, pin, cutSeq, carried)) {
        continue;
      }
      long cost = emitter.own(pin.shown(), null).cost();
      boolean fits = cost <= timeline.pins().room() - used;
      (fits ? fitting : others).add(pin.shown());
      used += fits ? cost : 0;
    }
    return new ShownPins(fitting, others);
  }

  /** Whether its block stands in the window or behind the summary; or its turn is left out. */
  private static boolean isShownAnyway(
      Timeline timeline, Pin pin, long cutSeq, List<TimelineEntry> carried) {
    boolean inWindow =
        pin.seq() >= cutSeq
            && timeline.archived().stream().noneMatch(range -> range.contains(pin.seq()));
    return inWindow
        || timeline.isExcluded(pin.turn())
        || carried.stream().anyMatch(entry -> entry.seq().orElse(0) == pin.seq());
  }
}
