package dev.contexture.search;

import java.util.List;
import org.apiguardian.api.API;

/**
 * Turns texts into vectors whose cosine says how close their meanings are. Implementations call a
 * model, in the process or elsewhere; they are thread-safe and do not retry, which the engine does.
 */
@API(status = API.Status.STABLE, since = "0.1")
public interface Embedder {
  /** The most texts that one call may be given. */
  int MAX_BATCH = 256;

  /** The purpose that a text is embedded for; some models treat the two differently. */
  enum Purpose {
    QUERY,
    DOCUMENT
  }

  /** Names the model: vectors of another one are not comparable and are made again. */
  String modelId();

  /** How many numbers a vector has. */
  int dimensions();

  /** The most texts of one call, at most {@link #MAX_BATCH}. */
  default int maxBatch() {
    return MAX_BATCH;
  }

  /**
   * One vector for each text, in their order.
   *
   * @param texts none blank, at most {@link #maxBatch()} of them
   * @throws EmbedderException if there is no answer
   */
  List<float[]> embed(List<String> texts, Purpose purpose);
}
