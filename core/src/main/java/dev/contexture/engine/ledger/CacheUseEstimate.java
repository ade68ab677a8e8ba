package dev.contexture.engine.ledger;

import dev.contexture.model.CacheRules;
import dev.contexture.request.LedgerBlock;
import dev.contexture.request.LedgerView;
import java.util.List;

/**
 * An estimate of how a prompt cache will serve a request that follows another one, if the cache
 * keeps its rules. The simulator says it for whole sequences.
 *
 * @param read tokens that come from the cache
 * @param write tokens that go into it
 * @param uncached tokens at the plain price
 */
record CacheUseEstimate(long read, long write, long uncached) {
  static CacheUseEstimate of(CacheRules rules, LedgerView last, int shared, LedgerRecord now) {
    List<LedgerBlock> blocks = now.blocks();
    long total = through(blocks, blocks.size() - 1);
    int hit = last.live() ? shared - 1 : -1;
    if (rules.mode() == CacheRules.Mode.EXPLICIT || rules.mode() == CacheRules.Mode.BREAKPOINT) {
      int limit = hit;
      hit = last.marks().stream().filter(mark -> mark <= limit).reduce(-1, Math::max);
    }
    long read = through(blocks, hit);
    read = read < rules.minTokens() ? 0 : read;
    int deepest = now.marks().isEmpty() ? -1 : now.marks().getLast();
    long write = Math.max(0, through(blocks, deepest) - read);
    return new CacheUseEstimate(read, write, total - read - write);
  }

  private static long through(List<LedgerBlock> blocks, int last) {
    long tokens = 0;
    for (int i = 0; i <= last; i++) {
      tokens += blocks.get(i).tokens();
    }
    return tokens;
  }
}
