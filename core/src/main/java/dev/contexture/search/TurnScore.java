package dev.contexture.search;

import java.time.Duration;
import org.apiguardian.api.API;

/**
 * The score by which a found turn is ranked: four fifths by similarity, one fifth by recency, which
 * halves every week.
 *
 * @param similarity how well it matches, from 0 to 1
 * @param recency how new it is, from 1 down to 0
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record TurnScore(double similarity, double recency) {
  private static final double SIMILARITY_SHARE = 0.8;
  private static final double RECENCY_SHARE = 0.2;
  private static final double HALF_LIFE_MILLIS = Duration.ofDays(7).toMillis();

  /**
   * Scores a turn of an age; one from the future counts as new.
   *
   * @param similarity is brought into 0 to 1
   */
  public static TurnScore of(double similarity, Duration age) {
    double millis = Math.max(0, age.toMillis());
    return new TurnScore(Math.clamp(similarity, 0.0, 1.0), Math.pow(2, -millis / HALF_LIFE_MILLIS));
  }

  public double total() {
    return SIMILARITY_SHARE * similarity + RECENCY_SHARE * recency;
  }
}
