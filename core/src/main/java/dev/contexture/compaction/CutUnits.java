package dev.contexture.compaction;

import dev.contexture.timeline.Round;
import dev.contexture.timeline.Rounds;
import dev.contexture.timeline.Timeline;
import dev.contexture.timeline.TimelineEntry;
import dev.contexture.timeline.Window;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The least that a cut leaves whole: rounds that overlap, and all blocks of one recorded answer.
 * Everything that lies inside a unit's span belongs to it for a cut, since a cut there would divide
 * it. Positions are those of the window.
 *
 * <ol>
 *   <li>Each round and each answer spans from its first to its last block; late blocks count for
 *       none. A call of the active turn that has no result yet spans to the end.
 *   <li>One sweep over the window joins spans that overlap.
 * </ol>
 *
 * Linear in the window.
 */
final class CutUnits {
  private final int[] firstOf;
  private final List<Integer> callUnits;
  private final List<Integer> activeCallUnits;

  private CutUnits(int[] firstOf, List<Integer> callUnits, List<Integer> activeCallUnits) {
    this.firstOf = firstOf;
    this.callUnits = callUnits;
    this.activeCallUnits = activeCallUnits;
  }

  static CutUnits of(Timeline timeline, Window window, Rounds rounds) {
    List<TimelineEntry> entries = window.entries();
    int[] firstOf = sweep(spans(timeline, entries, rounds));
    List<Integer> calls = new ArrayList<>();
    List<Integer> active = new ArrayList<>();
    for (int i = 0; i < entries.size(); i++) {
      if (isCall(rounds.place(i))) {
        addOnce(calls, firstOf[i]);
        if (timeline.isActive(entries.get(i).turn())) {
          addOnce(active, firstOf[i]);
        }
      }
    }
    return new CutUnits(firstOf, calls, active);
  }

  private static boolean isCall(Rounds.Place place) {
    return place == Rounds.Place.CALL || place == Rounds.Place.UNANSWERED;
  }

  private static void addOnce(List<Integer> units, int first) {
    if (units.isEmpty() || units.getLast() != first) {
      units.add(first);
    }
  }

  /** The first position of the unit that a position lies in; itself if it lies in none. */
  int firstOf(int position) {
    return firstOf[position];
  }

  /** The first positions of the newest units with calls in the active turn, at most so many. */
  List<Integer> newestOfActiveTurn(int count) {
    return newest(activeCallUnits, count);
  }

  /** The first positions of the newest units with calls, whatever their turn. */
  List<Integer> newest(int count) {
    return newest(callUnits, count);
  }

  private static List<Integer> newest(List<Integer> units, int count) {
    return units.subList(Math.max(0, units.size() - count), units.size());
  }

  /** By first position, the last position of what starts there; -1 where nothing starts. */
  private static int[] spans(Timeline timeline, List<TimelineEntry> entries, Rounds rounds) {
    int[] endOf = new int[entries.size()];
    Arrays.fill(endOf, -1);
    Map<Object, Integer> starts = new HashMap<>();
    for (int i = 0; i < entries.size(); i++) {
      TimelineEntry entry = entries.get(i);
      Round round = rounds.round(i).orElse(null);
      if (round != null) {
        boolean pending =
            round.call().isPresent() && !round.answered() && timeline.isActive(entry.turn());
        extend(endOf, starts, round, i, pending ? entries.size() - 1 : i);
      }
      String answer = rounds.place(i) == Rounds.Place.LATE ? null : entry.answerId().orElse(null);
      if (answer != null) {
        extend(endOf, starts, answer, i, i);
      }
    }
    return endOf;
  }

  private static void extend(
      int[] endOf, Map<Object, Integer> starts, Object key, int position, int end) {
    Integer known = starts.putIfAbsent(key, position);
    int start = known == null ? position : known;
    endOf[start] = Math.max(endOf[start], end);
  }

  private static int[] sweep(int[] endOf) {
    int[] firstOf = new int[endOf.length];
    int first = 0;
    int end = -1;
    for (int i = 0; i < endOf.length; i++) {
      if (i > end) {
        first = i;
      }
      end = Math.max(end, endOf[i]);
      firstOf[i] = first;
    }
    return firstOf;
  }
}
