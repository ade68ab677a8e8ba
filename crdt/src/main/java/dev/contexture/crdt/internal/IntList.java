package dev.contexture.crdt.internal;

import java.util.Arrays;

/** A growing array of ints. Confined to one thread. */
final class IntList {
  private int[] items = new int[8];
  private int size;

  int size() {
    return size;
  }

  int get(int index) {
    return items[index];
  }

  int last() {
    return items[size - 1];
  }

  void set(int index, int value) {
    items[index] = value;
  }

  void add(int value) {
    if (size == items.length) {
      items = Arrays.copyOf(items, size * 2);
    }
    items[size++] = value;
  }

  void truncate(int newSize) {
    size = newSize;
  }

  int[] toArray() {
    return Arrays.copyOf(items, size);
  }

  int[] sorted() {
    int[] copy = toArray();
    Arrays.sort(copy);
    return copy;
  }

  /** Index of the last item that is at most {@code value} in an ascending list; -1 if none is. */
  int floor(int value) {
    int low = 0;
    int high = size - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      if (items[middle] <= value) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return high;
  }
}
