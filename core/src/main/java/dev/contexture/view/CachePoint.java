package dev.contexture.view;

import java.util.Locale;
import org.apiguardian.api.API;

/**
 * A place in the stable stream behind which a provider's prompt cache should end.
 *
 * @param kind which one
 * @param index position in the stream
 * @param tokens cost of the stream up to and including it
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record CachePoint(Kind kind, int index, long tokens) {
  /** The three places, in the order of the stream. */
  public enum Kind {
    /** The last block before the active turn. */
    PREV_TURN,
    /** The last block of a round some way before the end. */
    PRE_TAIL,
    /** The last block. */
    TAIL;

    public String wireName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Settings for the placement of points.
   *
   * @param minRounds rounds that must be there before a pre-tail point is
   * @param offsetRounds rounds between the pre-tail point and the end, at least 1
   */
  public record Settings(int minRounds, int offsetRounds) {
    public static final Settings DEFAULT = new Settings(2, 4);

    public Settings {
      minRounds = Math.max(1, minRounds);
      offsetRounds = Math.max(1, offsetRounds);
    }
  }
}
