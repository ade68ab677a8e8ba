package dev.contexture.model;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * How a model's prompt cache works.
 *
 * @param mode who decides what is cached
 * @param minTokens a shorter prefix is not cached; 0 if nothing is known
 * @param maxMarks marks in one request
 * @param maxWrites entries that one request writes
 * @param reach how far a read looks back from a mark
 * @param ttl lives that can be asked for, the default first
 */
@API(status = API.Status.STABLE, since = "0.1")
public record CacheRules(
    Mode mode,
    int minTokens,
    int maxMarks,
    int maxWrites,
    @Nullable Lookback reach,
    List<String> ttl) {
  public CacheRules {
    ttl = List.copyOf(ttl);
  }

  public Optional<Lookback> lookback() {
    return Optional.ofNullable(reach);
  }

  /** Who decides what is cached. */
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
   * How far a read looks back.
   *
   * @param limit how many
   * @param unit of what: {@code position} or {@code block}
   */
  public record Lookback(int limit, String unit) {}
}
