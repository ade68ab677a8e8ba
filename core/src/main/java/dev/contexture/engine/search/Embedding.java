package dev.contexture.engine.search;

import dev.contexture.search.CheckedEmbedder;

/** Makes vectors in the background. */
final class Embedding {
  private Embedding() {}

  /** What an index notes as the maker of its vectors. */
  static String model(CheckedEmbedder embedder) {
    return embedder.modelId() + "/" + embedder.dimensions();
  }
}
