package dev.contexture.simulator;

import dev.contexture.simulator.PrefixTree.Path;

/** One way in which caches work. Used for one sequence of requests, by one thread. */
interface CacheMode {
  /**
   * What the cache does with the next request.
   *
   * @param shared how many blocks at its beginning an earlier request of its scope had, too
   * @return the tokens, and the cause if less was read than was shared
   */
  Step next(Path path, int shared);

  /**
   * The tokens of a request, by how the cache served them.
   *
   * @param read from the cache
   * @param write5m written for five minutes
   * @param write1h written for an hour
   * @param write written where there is one life
   * @param cause why not all that was shared is read, as far as this mode knows
   * @param detail numbers to it
   */
  record Step(
      long read, long write5m, long write1h, long write, CacheUse.Cause cause, String detail) {
    long uncached(long total) {
      return total - read - write5m - write1h - write;
    }
  }
}
