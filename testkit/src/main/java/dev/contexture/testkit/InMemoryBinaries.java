package dev.contexture.testkit;

import dev.contexture.block.Binary;
import dev.contexture.block.Block;
import dev.contexture.block.Scope;
import dev.contexture.store.Row;
import dev.contexture.store.StoredWindow;
import dev.contexture.store.WriteSet;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** To which binary content a conversation refers. */
final class InMemoryBinaries {
  private InMemoryBinaries() {}

  /** What request records refer to that a set will drop, or put without it. */
  static Set<String> released(InMemoryConversation state, WriteSet set) {
    Set<String> released = new HashSet<>();
    for (Row row : set.rows()) {
      switch (row) {
        case Row.PutRequest put -> released.addAll(of(state, put.request().id()));
        case Row.DropRequests drop -> drop.ids().forEach(id -> released.addAll(of(state, id)));
        default -> {} // releases nothing
      }
    }
    return released;
  }

  private static Set<String> of(InMemoryConversation state, String request) {
    var row = state.requests.get(request);
    return row == null ? Set.of() : row.value().binaries();
  }

  static Set<String> of(InMemoryConversation state) {
    Stream<Block> stored = state.blocks.values().stream().map(entry -> entry.block().block());
    Stream<Block> kept =
        state.scoped.values().stream()
            .flatMap(
                scoped ->
                    Stream.concat(
                        scoped.announce.stream(),
                        scoped.transients.stream().map(StoredWindow.Transient::block)));
    Stream<String> requests =
        state.requests.values().stream().flatMap(row -> row.value().binaries().stream());
    return Stream.concat(
            Stream.concat(stored, kept)
                .map(Block::data)
                .flatMap(Optional::stream)
                .map(Binary::sha256),
            requests)
        .collect(Collectors.toSet());
  }

  /** Those of these hashes to which no conversation of a tenant refers. */
  static Set<String> free(
      String tenant,
      Set<String> hashes,
      Map<Scope.OfConversation, InMemoryConversation> conversations) {
    Set<String> free = new HashSet<>(hashes);
    conversations.entrySet().stream()
        .filter(entry -> entry.getKey().tenant().equals(tenant))
        .forEach(entry -> free.removeAll(of(entry.getValue())));
    return free;
  }
}
