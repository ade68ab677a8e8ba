package dev.contexture.crdt;

import dev.contexture.crdt.internal.StateReader;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apiguardian.api.API;

/**
 * The values of a document at one version. Immutable and thread-safe.
 *
 * <p>Only containers that have content occur, ordered by name.
 *
 * @param texts texts by name
 * @param lists elements by name
 * @param maps keys and values by name, in the order of the keys
 * @param counters sums by name
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record DocumentView(
    Map<String, String> texts,
    Map<String, List<String>> lists,
    Map<String, Map<String, String>> maps,
    Map<String, Long> counters) {
  public DocumentView {
    texts = Collections.unmodifiableMap(new TreeMap<>(texts));
    lists = Collections.unmodifiableMap(new TreeMap<>(lists));
    maps = Collections.unmodifiableMap(new TreeMap<>(maps));
    counters = Collections.unmodifiableMap(new TreeMap<>(counters));
  }

  /** The text of this name; empty if there is none. */
  public String text(String name) {
    return texts.getOrDefault(name, "");
  }

  /** The elements of the list of this name; empty if there is none. */
  public List<String> list(String name) {
    return lists.getOrDefault(name, List.of());
  }

  /** The map of this name; empty if there is none. */
  public Map<String, String> map(String name) {
    return maps.getOrDefault(name, Map.of());
  }

  /** The counter of this name; 0 if there is none. */
  public long counter(String name) {
    return counters.getOrDefault(name, 0L);
  }

  static DocumentView of(StateReader reading) {
    Map<String, String> texts = new TreeMap<>();
    Map<String, List<String>> lists = new TreeMap<>();
    Map<String, Map<String, String>> maps = new TreeMap<>();
    Map<String, Long> counters = new TreeMap<>();
    for (int i = 0; i < reading.containers(); i++) {
      String name = reading.name(i);
      switch (reading.kind(i)) {
        case TEXT -> texts.put(name, reading.text(i));
        case LIST -> lists.put(name, reading.list(i));
        case MAP -> maps.put(name, reading.map(i));
        case COUNTER -> counters.put(name, reading.counter(i));
      }
    }
    texts.values().removeIf(String::isEmpty);
    lists.values().removeIf(List::isEmpty);
    maps.values().removeIf(Map::isEmpty);
    counters.values().removeIf(sum -> sum == 0);
    return new DocumentView(texts, lists, maps, counters);
  }
}
