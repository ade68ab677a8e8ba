package dev.contexture.request;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The settings with which a request asks for its prompt cache.
 *
 * @param placement which blocks are marked
 * @param intent what the request is for
 * @param systemLife how long the cache of tools and system lives, where that can be asked for
 * @param messageLife how long that of the messages lives
 * @param extendedRetention whether an automatic cache is to be kept for a day
 * @param explicit a cache that the host made at the provider; null: none
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record CachePolicy(
    Placement placement,
    Intent intent,
    Life systemLife,
    Life messageLife,
    boolean extendedRetention,
    @Nullable HostCache explicit) {
  public static final CachePolicy DEFAULT =
      new CachePolicy(Placement.ANCHORED, Intent.LOOP, Life.SHORT, Life.SHORT, false, null);

  public CachePolicy {
    if (messageLife == Life.LONG) {
      systemLife = Life.LONG; // a longer life must not follow a shorter one
    }
  }

  public CachePolicy withPlacement(Placement where) {
    return new CachePolicy(where, intent, systemLife, messageLife, extendedRetention, explicit);
  }

  public CachePolicy withIntent(Intent what) {
    return new CachePolicy(placement, what, systemLife, messageLife, extendedRetention, explicit);
  }

  public CachePolicy withLives(Life system, Life messages) {
    return new CachePolicy(placement, intent, system, messages, extendedRetention, explicit);
  }

  public CachePolicy withExtendedRetention(boolean extended) {
    return new CachePolicy(placement, intent, systemLife, messageLife, extended, explicit);
  }

  public CachePolicy withExplicit(@Nullable HostCache cache) {
    return new CachePolicy(placement, intent, systemLife, messageLife, extendedRetention, cache);
  }

  /**
   * A cache that the host made at the provider, with tools, system and the beginning of a
   * conversation. It is paid by tokens and hours.
   *
   * @param name the provider's name for it, such as {@code cachedContents/abc}
   * @param coversBlocks how many blocks of the request it holds; messages that it holds in part are
   *     sent
   */
  public record HostCache(String name, int coversBlocks) {
    public HostCache {
      if (name.isBlank() || coversBlocks < 0) {
        throw ContextureException.invalid(
            ErrorCode.INVALID_ARGUMENT,
            "explicit cache",
            "'" + name + "', " + coversBlocks + " blocks",
            "a name, and no fewer than 0 blocks");
      }
    }
  }

  /** The choice of blocks that are marked. */
  public enum Placement {
    /** The points of the conversation: system, previous turn, some rounds back, tail. */
    POINTS,
    /** The points, and the last request's deepest mark where none is near enough to it. */
    ANCHORED,
    /** System, tail, and blocks at fixed distances before the tail. */
    SPACED
  }

  /** The purpose of a request. */
  public enum Intent {
    /** The next one goes on from here. */
    LOOP,
    /** Nothing follows: only what every request begins with is worth a cache. */
    ONE_SHOT,
    /** A side question to a conversation that goes on elsewhere. */
    FORK,
    /** The next one starts again, after a compaction: what is new here is not worth a cache. */
    LAST
  }

  /** The life of a cache. */
  public enum Life {
    /** Five minutes. */
    SHORT,
    /** An hour, at a higher price. */
    LONG
  }
}
