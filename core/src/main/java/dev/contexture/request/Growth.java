package dev.contexture.request;

import java.util.ArrayDeque;
import java.util.Deque;
import org.apiguardian.api.API;

/**
 * How much a conversation grew from request to request, and so whether the next one may still fit
 * without a compaction. What is written into a cache and is gone with the next request costs a
 * quarter more than not writing it; what is read again saves more than four times that. So only
 * where none of the last growths would fit, nothing is written. Confined to one thread.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Growth {
  private static final int SAMPLES = 8;

  private final Deque<Long> samples = new ArrayDeque<>();

  /** The next request had so many tokens more. */
  public void add(long tokens) {
    samples.addLast(tokens);
    if (samples.size() > SAMPLES) {
      samples.removeFirst();
    }
  }

  /**
   * Whether what this request adds may be repeated by the next one.
   *
   * @param room tokens that may come until a compaction; negative: there is no limit
   */
  public boolean isWorthCaching(long room) {
    return room < 0 || samples.isEmpty() || samples.stream().anyMatch(tokens -> tokens <= room);
  }
}
