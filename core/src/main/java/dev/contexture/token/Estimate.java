package dev.contexture.token;

import java.util.Locale;
import org.apiguardian.api.API;

/**
 * A count of tokens and how far off it may be.
 *
 * @param tokens the count
 * @param low as few as it may be, never below 0
 * @param high as many as it may be
 * @param method where it comes from
 * @param samples reports of the provider that it rests on
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Estimate(long tokens, long low, long high, Method method, int samples) {
  public Estimate {
    low = Math.max(0, low);
  }

  /** The method by which tokens were counted. */
  public enum Method {
    /** The model's own tokenizer. */
    EXACT,
    /** The provider counted. */
    PROVIDER,
    /** The provider's reports taught the ratio. */
    CALIBRATED,
    /** The catalogue's ratio, before any report. */
    PRIOR;

    public String wireName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** For people, for example {@code 12,340 ± 4 % (calibrated, n=17)}. */
  @Override
  public String toString() {
    long percent = tokens == 0 ? 0 : Math.round(100.0 * (high - tokens) / tokens);
    String count = String.format(Locale.ROOT, "%,d", tokens);
    return count + " ± " + percent + " % (" + method.wireName() + ", n=" + samples + ")";
  }
}
