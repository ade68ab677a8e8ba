package dev.contexture.view;

import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.block.TurnId;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Finds the cache points of a stable stream. */
final class CachePoints {
  private final View view;
  private final List<StreamItem> items;
  private final CachePoint.Settings settings;

  private CachePoints(View view, CachePoint.Settings settings) {
    this.view = view;
    this.items = view.items();
    this.settings = settings;
  }

  static List<CachePoint> of(View view, CachePoint.Settings settings, boolean cacheLast) {
    List<StreamItem> items = view.items();
    if (items.isEmpty()) {
      return List.of();
    }
    CachePoints finder = new CachePoints(view, settings);
    List<CachePoint> points = new ArrayList<>(3);
    TurnId active = view.timeline().activeTurn().orElse(null);
    finder.previousTurn(active).ifPresent(i -> add(points, view, CachePoint.Kind.PREV_TURN, i));
    finder.preTail().ifPresent(i -> add(points, view, CachePoint.Kind.PRE_TAIL, i));
    if (cacheLast) {
      add(points, view, CachePoint.Kind.TAIL, items.size() - 1);
    }
    points.sort((a, b) -> Integer.compare(a.index(), b.index()));
    return List.copyOf(points);
  }

  /** Where the pre-tail point lies, which also bounds what can be hidden. */
  static OptionalInt preTail(View view, CachePoint.Settings settings) {
    return view.items().isEmpty() ? OptionalInt.empty() : new CachePoints(view, settings).preTail();
  }

  private static void add(List<CachePoint> points, View view, CachePoint.Kind kind, int index) {
    if (points.stream().noneMatch(point -> point.index() == index)) {
      points.add(new CachePoint(kind, index, view.costUpTo(index)));
    }
  }

  private OptionalInt previousTurn(@Nullable TurnId active) {
    for (int i = items.size() - 1; active != null && i > 0; i--) {
      StreamItem item = items.get(i);
      if (item.type().equals(BlockType.TURN_HEADER) && item.turn().equals(active)) {
        return OptionalInt.of(i - 1);
      }
    }
    return OptionalInt.empty();
  }

  private OptionalInt preTail() {
    int tail = items.size() - 1;
    int rounds = view.rounds();
    int index;
    if (rounds > 0) {
      if (rounds < settings.minRounds()) {
        return OptionalInt.empty();
      }
      index = view.endOfRound(Math.max(0, rounds - 1 - settings.offsetRounds()));
    } else if (items.size() >= settings.minRounds()) {
      index = Math.max(0, tail - settings.offsetRounds());
    } else {
      return OptionalInt.empty();
    }
    index = endOfPathRun(index);
    return index == tail ? OptionalInt.empty() : OptionalInt.of(index);
  }

  private int endOfPathRun(int index) {
    BlockPath path = items.get(index).path().orElse(null);
    int end = index;
    while (path != null
        && end + 1 < items.size()
        && path.equals(items.get(end + 1).path().orElse(null))) {
      end++;
    }
    return end;
  }
}
