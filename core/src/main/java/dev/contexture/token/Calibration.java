package dev.contexture.token;

import dev.contexture.model.Tokenizer;
import org.apiguardian.api.API;

/**
 * A calibration of the token counts of one model, learned from the reports of its provider.
 * Immutable.
 *
 * <p>A sample is the tokens that the provider counted per token counted here. The ratio follows the
 * samples, fast at first and then by a fifth; the error follows how far each sample was from the
 * ratio before it. A sample that can say little is ignored: of a small request, of one that is
 * mostly media, or one that no tokenizer could cause.
 *
 * @param tokenizer the catalogue's tokenizer that it started from; with another one a new
 *     calibration starts
 * @param ratio tokens of the model per token counted here
 * @param error how far off a sample is, as a share of the ratio
 * @param samples how many were kept
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Calibration(Tokenizer tokenizer, double ratio, double error, int samples) {
  private static final long MIN_BASE = 500;
  private static final double LOWEST = 0.4;
  private static final double HIGHEST = 3;
  private static final double SLOWEST = 0.2;
  private static final int TRUSTED_SAMPLES = 3;
  private static final double LEAST_BOUND = 0.01;
  private static final double BOUND_PER_ERROR = 2.5;

  /** Before any report. */
  public static Calibration start(Tokenizer tokenizer) {
    double ratio = tokenizer.ratio().doubleValue();
    return new Calibration(tokenizer, ratio, tokenizer.priorError().doubleValue(), 0);
  }

  /**
   * Learns from one report.
   *
   * @param totalInput what the provider counted, cached or not
   * @param media tokens of pictures and documents among them
   * @param base what was counted here for everything else
   */
  public Calibration learn(long totalInput, long media, long base) {
    if (base < MIN_BASE || media * 2 > totalInput) {
      return this;
    }
    double sample = (double) (totalInput - media) / base;
    if (sample < LOWEST || sample > HIGHEST) {
      return this;
    }
    int kept = samples + 1;
    double pace = Math.max(SLOWEST, 1.0 / kept);
    double distance = Math.abs(sample - ratio) / ratio;
    return new Calibration(
        tokenizer, ratio + pace * (sample - ratio), error + pace * (distance - error), kept);
  }

  /** The tokens of a request. */
  public Estimate estimate(long base, long media) {
    long tokens = Math.round(base * ratio) + media;
    double bound = bound();
    boolean same = tokenizer.base().equals(tokenizer.name()) && tokenizer.ratio().signum() > 0;
    Estimate.Method prior = same ? Estimate.Method.EXACT : Estimate.Method.PRIOR;
    return new Estimate(
        tokens,
        (long) Math.floor(tokens * (1 - bound)),
        (long) Math.ceil(tokens * (1 + bound)),
        samples == 0 ? prior : Estimate.Method.CALIBRATED,
        samples);
  }

  private double bound() {
    return samples >= TRUSTED_SAMPLES
        ? Math.max(LEAST_BOUND, BOUND_PER_ERROR * error)
        : tokenizer.priorError().doubleValue();
  }
}
