package dev.contexture.crdt.internal.data;

import java.util.Arrays;

/** A growing array of ints. Confined to one thread. */
public final class IntList {
  private int[] items = new int[8];
  private int size;

  public IntList copy() {
    IntList copy = new IntList();
    copy.items = items.clone();
    copy.size = size;
    return copy;
  }

  public int size() {
    return size;
  }

  public int get(int index) {
    return items[index];
  }

  public int last() {
    return items[size - 1];
  }

  public void set(int index, int value) {
    items[index] = value;
  }

  public void add(int value) {
    if (size == items.length) {
      items = Arrays.copyOf(items, size * 2);
    }
    items[size++] = value;
  }

  public void truncate(int newSize) {
    size = newSize;
  }

  public int[] toArray() {
    return Arrays.copyOf(items, size);
  }

  public int[] sorted() {
    int[] copy = toArray();
    Arrays.sort(copy);
    return copy;
  }

  /** Index of the last item that is at most {@code value} in an ascending list; -1 if none is. */
  public int floor(int value) {
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
