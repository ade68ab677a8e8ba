package dev.contexture.request;

import dev.contexture.timeline.GrowingList;
import java.util.List;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * Facts about the last request of the same conversation and model, for writing the next one.
 * Immutable.
 *
 * @param blocks what it held
 * @param marks the indices of its marked blocks, in order
 * @param live whether the caches that it wrote are still there
 * @param leftOut thinking that was not sent any more, by the SHA-256 of its JSON in hex
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record LedgerView(
    List<LedgerBlock> blocks, List<Integer> marks, boolean live, Set<String> leftOut) {
  /** There was none. */
  public static final LedgerView NONE = new LedgerView(List.of(), List.of(), false, Set.of());

  /** A request that left no thinking out. */
  public LedgerView(List<LedgerBlock> blocks, List<Integer> marks, boolean live) {
    this(blocks, marks, live, Set.of());
  }

  public LedgerView {
    blocks = GrowingList.immutable(blocks);
    marks = List.copyOf(marks);
    leftOut = Set.copyOf(leftOut);
  }

  public boolean isEmpty() {
    return blocks.isEmpty();
  }

  /** How many blocks at the beginning are the same as in that request. */
  public int shared(List<RequestBlock> next, RequestBody body) {
    int most = Math.min(blocks.size(), next.size());
    int same = 0;
    while (same < most && blocks.get(same).isSame(next.get(same), body, same == 0)) {
      same++;
    }
    return same;
  }

  /**
   * How many blocks the next request has to repeat where thinking is bound to what stood before it:
   * all of them, its end included, if thinking follows that was made upon them.
   */
  public int boundBlocks(List<RequestBlock> next) {
    int stable = stable();
    for (int i = stable; i < next.size(); i++) {
      if (next.get(i).opaque()) {
        return blocks.size();
      }
    }
    return stable;
  }

  /** How many blocks the next request was to repeat. */
  public int stable() {
    int stable = blocks.size();
    while (stable > 0 && blocks.get(stable - 1).volatileTail()) {
      stable--;
    }
    return stable;
  }
}
