package dev.contexture.embedder.langchain4j;

import dev.contexture.search.Embedder;
import dev.contexture.search.EmbedderException;
import dev.langchain4j.data.embedding.Embedding;
import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.exception.RetriableException;
import dev.langchain4j.model.embedding.EmbeddingModel;
import java.util.List;
import org.apiguardian.api.API;

/**
 * Any embedding model of LangChain4j, in the process or elsewhere, as an embedder. As thread-safe
 * as the model.
 *
 * <pre>{@code
 * Embedder embedder = LangChainEmbedder.of("all-minilm-l6-v2", new AllMiniLmL6V2EmbeddingModel());
 * }</pre>
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class LangChainEmbedder implements Embedder {
  private final String modelId;
  private final EmbeddingModel model;

  private LangChainEmbedder(String modelId, EmbeddingModel model) {
    this.modelId = modelId;
    this.model = model;
  }

  /**
   * @param modelId names the model for good: under another name all vectors are made anew
   */
  public static LangChainEmbedder of(String modelId, EmbeddingModel model) {
    return new LangChainEmbedder(modelId, model);
  }

  @Override
  public String modelId() {
    return modelId;
  }

  @Override
  public int dimensions() {
    try {
      return model.dimension();
    } catch (RuntimeException failed) {
      throw translated(failed);
    }
  }

  @Override
  public List<float[]> embed(List<String> texts, Purpose purpose) {
    try {
      List<TextSegment> segments = texts.stream().map(TextSegment::from).toList();
      return model.embedAll(segments).content().stream().map(Embedding::vector).toList();
    } catch (RuntimeException failed) {
      throw translated(failed);
    }
  }

  private EmbedderException translated(RuntimeException failed) {
    String message = modelId + " failed: " + failed;
    return failed instanceof RetriableException
        ? EmbedderException.passing(message, null, failed)
        : EmbedderException.permanent(message, failed);
  }
}
