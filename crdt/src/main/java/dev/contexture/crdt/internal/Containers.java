package dev.contexture.crdt.internal;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The containers of a document, by a small index. Confined to one thread. */
final class Containers {
  /** Name and kind together are the identity: a text and a map may share a name. */
  record Key(ContainerKind kind, String name) {}

  private final List<Key> keys = new ArrayList<>();
  private final Map<Key, Integer> indices = new HashMap<>();

  /** The same containers under the same indices. */
  Containers copy() {
    Containers copy = new Containers();
    copy.keys.addAll(keys);
    copy.indices.putAll(indices);
    return copy;
  }

  int size() {
    return keys.size();
  }

  Key key(int index) {
    return keys.get(index);
  }

  ContainerKind kind(int index) {
    return keys.get(index).kind();
  }

  String name(int index) {
    return keys.get(index).name();
  }

  int indexOf(Key key) {
    Integer known = indices.get(key);
    if (known != null) {
      return known;
    }
    indices.put(key, keys.size());
    keys.add(key);
    return keys.size() - 1;
  }

  @Nullable Integer find(Key key) {
    return indices.get(key);
  }
}
