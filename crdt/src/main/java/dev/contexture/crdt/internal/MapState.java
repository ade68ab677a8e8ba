package dev.contexture.crdt.internal;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/*
 * Per key: the latest write wins, a removal is a write. A key stands where the first write after
 * its last removal puts it, so all writes after that removal are remembered by their time.
 */
/** The values of a map and when they were written. Confined to one thread. */
final class MapState {
  private static final class Entry {
    @Nullable String value;
    @Nullable WriteStamp removed;

    /** Times of the writes after {@link #removed}, ascending; empty if the key is absent. */
    final List<WriteStamp> writes = new ArrayList<>(1);
  }

  private final Map<String, Entry> entries = new HashMap<>();
  private final TreeMap<WriteStamp, String> order = new TreeMap<>();

  MapState copy() {
    MapState copy = new MapState();
    entries.forEach(
        (key, entry) -> {
          Entry copied = new Entry();
          copied.value = entry.value;
          copied.removed = entry.removed;
          copied.writes.addAll(entry.writes);
          copy.entries.put(key, copied);
        });
    copy.order.putAll(order);
    return copy;
  }

  @Nullable String get(String key) {
    Entry entry = entries.get(key);
    return entry == null ? null : entry.value;
  }

  int size() {
    return order.size();
  }

  /** Keys and values, in order. */
  Map<String, String> values() {
    Map<String, String> values = new LinkedHashMap<>();
    for (String key : order.values()) {
      String value = get(key);
      if (value != null) {
        values.put(key, value);
      }
    }
    return Collections.unmodifiableMap(values);
  }

  /** Returns whether the key now has this value. */
  boolean set(String key, String value, WriteStamp stamp) {
    Entry entry = entries.computeIfAbsent(key, k -> new Entry());
    if (entry.removed != null && entry.removed.compareTo(stamp) > 0) {
      return false;
    }
    int found = Collections.binarySearch(entry.writes, stamp);
    int at = found < 0 ? -found - 1 : found;
    if (at == 0) {
      move(key, entry.writes.isEmpty() ? null : entry.writes.getFirst(), stamp);
    }
    entry.writes.add(at, stamp);
    boolean latest = at == entry.writes.size() - 1;
    if (latest) {
      entry.value = value;
    }
    return latest;
  }

  /** Returns whether the key was there and no longer is. */
  boolean remove(String key, WriteStamp stamp) {
    Entry entry = entries.computeIfAbsent(key, k -> new Entry());
    if (entry.removed != null && entry.removed.compareTo(stamp) > 0) {
      return false;
    }
    entry.removed = stamp;
    if (entry.writes.isEmpty()) {
      return false;
    }
    WriteStamp first = entry.writes.getFirst();
    entry.writes.removeIf(write -> write.compareTo(stamp) < 0);
    WriteStamp newFirst = entry.writes.isEmpty() ? null : entry.writes.getFirst();
    if (first.equals(newFirst)) {
      return false;
    }
    move(key, first, newFirst);
    if (newFirst == null) {
      entry.value = null;
    }
    return newFirst == null;
  }

  private void move(String key, @Nullable WriteStamp from, @Nullable WriteStamp to) {
    if (from != null) {
      order.remove(from);
    }
    if (to != null) {
      order.put(to, key);
    }
  }
}
