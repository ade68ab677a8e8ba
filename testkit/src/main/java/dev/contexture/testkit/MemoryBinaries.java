package dev.contexture.testkit;

import dev.contexture.block.Binary;
import dev.contexture.block.Block;
import dev.contexture.store.Window;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** To which binary content a conversation refers. */
final class MemoryBinaries {
  private MemoryBinaries() {}

  static Set<String> of(MemoryConversation state) {
    Stream<Block> stored = state.blocks.values().stream().map(entry -> entry.block().block());
    Stream<Block> kept =
        state.scoped.values().stream()
            .flatMap(
                scoped ->
                    Stream.concat(
                        scoped.announce.stream(),
                        scoped.transients.stream().map(Window.Transient::block)));
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
}
