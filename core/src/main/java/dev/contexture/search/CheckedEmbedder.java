package dev.contexture.search;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apiguardian.api.API;

/**
 * An embedder whose answers are checked and brought to length 1: the right number of vectors, each
 * of the right dimension, of finite numbers, not all zero. Thread-safe.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class CheckedEmbedder {
  private static final int ATTEMPTS = 6;
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(60);
  private static final int MAX_DIMENSIONS = 4_096;

  /** Waits, so that tests need not. */
  @FunctionalInterface
  public interface Pause {
    /** Waits this long, or until the thread is interrupted. */
    void pause(Duration duration) throws InterruptedException;
  }

  private final Embedder embedder;
  private final Pause pause;

  public CheckedEmbedder(Embedder embedder, Pause pause) {
    this.embedder = embedder;
    this.pause = pause;
    check("max_batch", embedder.maxBatch(), Embedder.MAX_BATCH);
  }

  private static void check(String field, int actual, int most) {
    if (actual < 1 || actual > most) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_CONFIG, "embedder " + field, actual, "1 to " + most);
    }
  }

  public String modelId() {
    return embedder.modelId();
  }

  /** How many numbers a vector has; may have to ask the model. */
  public int dimensions() {
    int dimensions = embedder.dimensions();
    if (dimensions < 1 || dimensions > MAX_DIMENSIONS) {
      throw wrong("vectors of " + dimensions + " numbers; allowed are 1 to " + MAX_DIMENSIONS);
    }
    return dimensions;
  }

  /** The vector of a query: one attempt, because somebody waits for it. */
  public float[] query(String text) {
    return call(List.of(text), Embedder.Purpose.QUERY).getFirst();
  }

  /**
   * The vectors of texts, none of which is blank: in as many calls as needed, each tried again
   * while that may help.
   *
   * @throws EmbedderException after the last attempt, or at once if another one cannot help
   */
  public List<float[]> documents(List<String> texts) throws InterruptedException {
    List<float[]> vectors = new ArrayList<>();
    for (int from = 0; from < texts.size(); from += embedder.maxBatch()) {
      List<String> batch = texts.subList(from, Math.min(texts.size(), from + embedder.maxBatch()));
      vectors.addAll(trying(() -> call(batch, Embedder.Purpose.DOCUMENT)));
    }
    return vectors;
  }

  private List<float[]> trying(Supplier<List<float[]>> call) throws InterruptedException {
    Duration wait = FIRST_PAUSE;
    for (int attempt = 1; ; attempt++) {
      try {
        return call.get();
      } catch (EmbedderException failed) {
        if (failed.kind() != EmbedderException.Kind.TRANSIENT || attempt == ATTEMPTS) {
          throw failed;
        }
        Duration asked = failed.retryAfter().orElse(wait);
        pause.pause(asked.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : asked);
        wait = wait.multipliedBy(2);
        wait = wait.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : wait;
      }
    }
  }

  private List<float[]> call(List<String> texts, Embedder.Purpose purpose) {
    List<float[]> answer;
    try {
      answer = embedder.embed(List.copyOf(texts), purpose);
    } catch (EmbedderException failed) {
      throw failed;
    } catch (RuntimeException failed) {
      throw EmbedderException.permanent(embedder.modelId() + " failed: " + failed, failed);
    }
    if (answer.size() != texts.size()) {
      throw wrong(answer.size() + " vectors for " + texts.size() + " texts");
    }
    return answer.stream().map(this::unit).toList();
  }

  private float[] unit(float[] vector) {
    if (vector.length != dimensions()) {
      throw wrong("a vector of " + vector.length + " numbers, not " + dimensions());
    }
    double squares = 0;
    for (float number : vector) {
      squares += (double) number * number;
    }
    if (!Double.isFinite(squares) || squares == 0) {
      throw wrong("a vector with numbers that are not finite, or all zero");
    }
    float[] unit = new float[vector.length];
    double length = Math.sqrt(squares);
    for (int i = 0; i < unit.length; i++) {
      unit[i] = (float) (vector[i] / length);
    }
    return unit;
  }

  private EmbedderException wrong(String what) {
    return EmbedderException.permanent("model " + embedder.modelId() + " answered " + what, null);
  }
}
