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
  private final String queryPrefix;
  private final String documentPrefix;
  private final int maxBatch;

  private LangChainEmbedder(
      String modelId,
      EmbeddingModel model,
      String queryPrefix,
      String documentPrefix,
      int maxBatch) {
    this.modelId = modelId;
    this.model = model;
    this.queryPrefix = queryPrefix;
    this.documentPrefix = documentPrefix;
    this.maxBatch = maxBatch;
  }

  /**
   * @param modelId names the model for good: under another name all vectors are made again
   */
  public static LangChainEmbedder of(String modelId, EmbeddingModel model) {
    return new LangChainEmbedder(modelId, model, "", "", MAX_BATCH);
  }

  /**
   * The same with what the model wants to read before a query and before what is searched, such as
   * {@code "query: "} and {@code "passage: "} for E5. Vectors that were made with another prefix
   * are not comparable: give the model another id.
   */
  public LangChainEmbedder withPrefixes(String query, String document) {
    return new LangChainEmbedder(modelId, model, query, document, maxBatch);
  }

  /** The same with at most so many texts in a call. */
  public LangChainEmbedder withMaxBatch(int texts) {
    return new LangChainEmbedder(modelId, model, queryPrefix, documentPrefix, texts);
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
  public int maxBatch() {
    return maxBatch;
  }

  @Override
  public List<float[]> embed(List<String> texts, Purpose purpose) {
    String prefix = purpose == Purpose.QUERY ? queryPrefix : documentPrefix;
    try {
      List<TextSegment> segments =
          texts.stream().map(text -> TextSegment.from(prefix + text)).toList();
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
