package dev.contexture.embedder.local;

import dev.contexture.embedder.langchain4j.LangChainEmbedder;
import dev.contexture.search.Embedder;
import dev.langchain4j.model.embedding.onnx.PoolingMode;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/** A model that comes with its weights. All make 384 numbers of a text. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum LocalModel {
  /** English, the better one: texts of up to 512 tokens. */
  BGE_SMALL_EN(
      "bge-small-en-v15",
      "bge-small-en-v1.5-q",
      "bge-small-en-v1.5-q",
      PoolingMode.CLS,
      "Represent this sentence for searching relevant passages: "),
  /** English, about twice as fast: texts of up to 512 tokens, best below 256. */
  MINI_LM(
      "all-minilm-l6-v2",
      "all-minilm-l6-v2-q-512", // -q alone: vectors of the first 128 tokens
      "all-minilm-l6-v2-q",
      PoolingMode.MEAN,
      "");

  /** What {@code local} alone means. */
  public static final LocalModel DEFAULT = BGE_SMALL_EN;

  /** Small, so that an engine that is closed does not wait for long. */
  private static final int MAX_BATCH = 8;

  private static final Map<LocalModel, OnnxModel> LOADED = new ConcurrentHashMap<>();

  private final String wireName;
  private final String modelId;
  private final String files;
  private final PoolingMode pooling;
  private final String queryPrefix;

  LocalModel(
      String wireName, String modelId, String files, PoolingMode pooling, String queryPrefix) {
    this.wireName = wireName;
    this.modelId = modelId;
    this.files = files;
    this.pooling = pooling;
    this.queryPrefix = queryPrefix;
  }

  /** The model of this name. */
  public static Optional<LocalModel> of(String wireName) {
    return Stream.of(values()).filter(model -> model.wireName.equals(wireName)).findFirst();
  }

  public String wireName() {
    return wireName;
  }

  /**
   * An embedder that needs no network and no key, and computes on the thread that asks. The first
   * call loads the model, which takes a moment; all embedders of it share what was loaded, for as
   * long as the process lives.
   *
   * <pre>{@code
   * Contexture.builder(store).embedder(LocalModel.DEFAULT.open())
   * }</pre>
   */
  public Embedder open() {
    return LangChainEmbedder.of(modelId, model())
        .withPrefixes(queryPrefix, "")
        .withMaxBatch(MAX_BATCH);
  }

  /** The one model in memory: what it holds is outside the heap, where no collector frees it. */
  OnnxModel model() {
    return LOADED.computeIfAbsent(this, OnnxModel::new);
  }

  String weights() {
    return "/" + files + ".onnx";
  }

  String tokenizer() {
    return "/" + files + "-tokenizer.json";
  }

  PoolingMode pooling() {
    return pooling;
  }
}
