package dev.contexture.view;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** At which items of a stream a round appears for the first time. Confined to one thread. */
final class RoundStarts {
  private final Set<Object> seen = new HashSet<>();
  private Object[] keys = new Object[16];
  private int[] starts = new int[16];
  private int size;

  /**
   * Notes that the item at an index belongs to a round; null: to none.
   *
   * @return whether the round appears for the first time
   */
  boolean add(int index, @Nullable Object key) {
    if (key == null || !seen.add(key)) {
      return false;
    }
    if (size == starts.length) {
      starts = Arrays.copyOf(starts, size * 2);
      keys = Arrays.copyOf(keys, size * 2);
    }
    starts[size] = index;
    keys[size] = key;
    size++;
    return true;
  }

  /** Forgets the items from a size on. */
  void truncate(int items) {
    while (size > 0 && starts[size - 1] >= items) {
      size--;
      seen.remove(keys[size]);
    }
  }

  void clear() {
    truncate(0);
  }
}
