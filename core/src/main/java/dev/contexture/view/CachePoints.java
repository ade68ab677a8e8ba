package dev.contexture.view;

import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.block.TurnId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Finds the cache points of a stable stream (T-44, T-45). */
final class CachePoints {
  private final List<StreamItem> items;
  private final CachePoint.Settings settings;

  private CachePoints(List<StreamItem> items, CachePoint.Settings settings) {
    this.items = items;
    this.settings = settings;
  }

  static List<CachePoint> of(View view, CachePoint.Settings settings, boolean cacheLast) {
    List<StreamItem> items = view.items();
    if (items.isEmpty()) {
      return List.of();
    }
    CachePoints finder = new CachePoints(items, settings);
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

  /** Where the pre-tail point lies, which also bounds what can be hidden (T-48). */
  static OptionalInt preTail(List<StreamItem> items, CachePoint.Settings settings) {
    return items.isEmpty() ? OptionalInt.empty() : new CachePoints(items, settings).preTail();
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
    List<Integer> ends = roundEnds();
    int index;
    if (!ends.isEmpty()) {
      if (ends.size() < settings.minRounds()) {
        return OptionalInt.empty();
      }
      index = ends.get(Math.max(0, ends.size() - 1 - settings.offsetRounds()));
    } else if (items.size() >= settings.minRounds()) {
      index = Math.max(0, tail - settings.offsetRounds());
    } else {
      return OptionalInt.empty();
    }
    index = endOfPathRun(index);
    return index == tail ? OptionalInt.empty() : OptionalInt.of(index);
  }

  /** The last index of each round, rounds in the order of their first appearance. */
  private List<Integer> roundEnds() {
    List<Integer> ends = new ArrayList<>();
    Map<Object, Integer> ordinals = new HashMap<>();
    for (int i = 0; i < items.size(); i++) {
      Object key = items.get(i).roundKey();
      if (key == null) {
        continue;
      }
      Integer ordinal = ordinals.putIfAbsent(key, ends.size());
      if (ordinal == null) {
        ends.add(i);
      } else {
        ends.set(ordinal, i);
      }
    }
    return ends;
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
