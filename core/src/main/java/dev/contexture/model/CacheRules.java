package dev.contexture.model;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The rules of a model's prompt cache.
 *
 * @param mode who decides what is cached
 * @param minTokens a shorter prefix is not cached; 0 if nothing is known
 * @param maxMarks marks in one request
 * @param maxWrites entries that one request writes
 * @param reach how far a read looks back from a mark
 * @param ttl lives that can be asked for, the default first
 * @param granularity in what steps beyond the minimum an automatic cache reads; 1 if not known
 * @param idleSeconds how long an automatic cache lives after its last use; 0 if not known
 * @param multipliers what reading and writing cost
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record CacheRules(
    Mode mode,
    int minTokens,
    int maxMarks,
    int maxWrites,
    @Nullable Lookback reach,
    List<String> ttl,
    int granularity,
    int idleSeconds,
    Multipliers multipliers) {
  public CacheRules {
    ttl = List.copyOf(ttl);
  }

  public Optional<Lookback> lookback() {
    return Optional.ofNullable(reach);
  }

  /**
   * The prices of a token, in plain input tokens.
   *
   * @param read from a cache
   * @param write into one, where there is one life
   * @param write5m for five minutes
   * @param write1h for an hour
   */
  public record Multipliers(double read, double write, double write5m, double write1h) {
    /** Nothing is known: a cache neither saves nor costs. */
    public static final Multipliers NONE = new Multipliers(1, 1, 1, 1);

    /** The price of the shortest life. */
    public double writeShort() {
      return Math.max(write, write5m);
    }
  }

  /** The party that decides what is cached. */
  public enum Mode {
    /** Marks in the request; reads look back from them. */
    EXPLICIT,
    /** Marks in the request; a read hits exactly at one. */
    BREAKPOINT,
    /** The provider, by equal beginnings. */
    PREFIX,
    /** The provider, by whole units. */
    UNIT,
    /** Not known. */
    UNKNOWN;

    public String wireName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * The distance that a read looks back.
   *
   * @param limit how many
   * @param unit of what: {@code position} or {@code block}
   */
  public record Lookback(int limit, String unit) {}
}
