package dev.contexture.crdt;

import dev.contexture.crdt.internal.DocumentCore;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A map that merges: the last write of a key wins, by Lamport time and then replica id; a removal
 * is a write. Keys are in the order of their first write since their last removal. Values are whole
 * and their form is the caller's affair. Confined to the thread of its document.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class SharedMap {
  private final DocumentCore core;
  private final int container;

  SharedMap(DocumentCore core, int container) {
    this.core = core;
    this.container = container;
  }

  public Optional<String> get(String key) {
    return Optional.ofNullable(core.reading().value(container, key));
  }

  /** All keys and values, as they are now. */
  public Map<String, String> values() {
    return core.reading().map(container);
  }

  public void put(String key, String value) {
    core.setKey(container, key, value);
  }

  /** Removes a key; nothing happens if it is absent. */
  public void remove(String key) {
    core.removeKey(container, key);
  }
}
