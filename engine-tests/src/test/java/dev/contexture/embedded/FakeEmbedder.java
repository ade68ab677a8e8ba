package dev.contexture.embedded;

import dev.contexture.search.Embedder;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Gives each text the vector that a test says.
 *
 * @param before sees the texts first; what it throws, the embedder throws
 */
record FakeEmbedder(
    String modelId,
    int dimensions,
    int maxBatch,
    Consumer<List<String>> before,
    Function<String, float[]> vector)
    implements Embedder {
  @Override
  public List<float[]> embed(List<String> texts, Purpose purpose) {
    before.accept(texts);
    return texts.stream().map(vector).toList();
  }
}
