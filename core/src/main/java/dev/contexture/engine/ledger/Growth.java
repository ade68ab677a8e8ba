package dev.contexture.engine.ledger;

import dev.contexture.model.CacheRules;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Measures how much a conversation grew from request to request, to decide whether what a request
 * adds is worth a cache, and how much room a compaction should leave. The growth to come is taken
 * to be one of the last ones, each as likely as the others. Confined to one thread.
 */
final class Growth {
  private static final int SAMPLES = 16;

  private final Deque<Long> samples = new ArrayDeque<>();

  /** The next request had so many tokens more. */
  void add(long tokens) {
    samples.addLast(tokens);
    if (samples.size() > SAMPLES) {
      samples.removeFirst();
    }
  }

  /**
   * Whether what this request adds may be repeated by the next one, with a chance that pays. A
   * token that is written costs {@code write - 1} more than one that is not, for certain; if the
   * next request reads it, it costs {@code 1 - read} less. A compaction before that leaves nothing
   * to read.
   *
   * @param room tokens that may come until a compaction; negative: there is no limit
   */
  boolean isWorthCaching(long room, CacheRules.Multipliers prices) {
    if (room < 0 || samples.isEmpty()) {
      return true;
    }
    long fitting = samples.stream().filter(tokens -> tokens <= room).count();
    double saved = fitting * (1 - prices.read());
    return fitting > 0 && saved > samples.size() * (prices.writeShort() - 1);
  }

  /** The most that the next request adds, if it is like one of the last ones; 0: not known. */
  long expected() {
    return samples.stream().reduce(0L, Math::max);
  }
}
