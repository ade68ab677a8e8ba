package dev.contexture.testkit;

import dev.contexture.block.Binary;
import dev.contexture.block.Scope;
import dev.contexture.store.Row;
import dev.contexture.store.WriteSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The binary contents of tenants, as long as a conversation refers to them. Not thread-safe. */
final class MemoryContents {
  private final Map<Scope.OfConversation, InMemoryConversation> conversations;
  private final Map<String, Map<String, Binary>> binaries = new HashMap<>();

  /**
   * @param conversations those that refer to them
   */
  MemoryContents(Map<Scope.OfConversation, InMemoryConversation> conversations) {
    this.conversations = conversations;
  }

  Set<String> known(String tenant) {
    return binaries.getOrDefault(tenant, Map.of()).keySet();
  }

  Optional<Binary> of(String tenant, String sha256) {
    return Optional.ofNullable(binaries.getOrDefault(tenant, Map.of()).get(sha256));
  }

  void put(String tenant, Binary binary) {
    binaries.computeIfAbsent(tenant, unused -> new HashMap<>()).put(binary.sha256(), binary);
  }

  /** Keeps what comes with request records. */
  void keep(WriteSet set) {
    for (Row row : set.rows()) {
      if (row instanceof Row.PutRequest put) {
        put.contents().forEach(content -> put(set.conversation().tenant(), content));
      }
    }
  }

  void remove(String tenant) {
    binaries.remove(tenant);
  }

  /** Removes the content of a tenant to which nothing refers. */
  void sweep(String tenant) {
    release(tenant, Set.copyOf(known(tenant)));
  }

  /** Removes those of these to which nothing of the tenant refers. */
  void release(String tenant, Set<String> released) {
    Map<String, Binary> known = binaries.get(tenant);
    if (known != null && !released.isEmpty()) {
      known.keySet().removeAll(InMemoryBinaries.free(tenant, released, conversations));
    }
  }
}
