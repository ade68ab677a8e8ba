package dev.contexture.render;

import dev.contexture.view.DroppedBlock;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A report of what a render did and why.
 *
 * @param systemTokens cost of the system text
 * @param stableTokens cost of the stable stream
 * @param tailTokens cost of sources and announce blocks
 * @param tokenLimit above this a context is due for compaction; -1 without a budget
 * @param overLimit whether the whole is larger than the budget
 * @param counter the token counter
 * @param ratio by which its counts were scaled
 * @param dropped blocks of the window that were not emitted, each with its reason
 * @param changed the first position that differs from the render before; null if none does
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record RenderReport(
    long systemTokens,
    long stableTokens,
    long tailTokens,
    long tokenLimit,
    boolean overLimit,
    String counter,
    BigDecimal ratio,
    List<DroppedBlock> dropped,
    @Nullable PrefixChange changed) {
  public RenderReport {
    dropped = List.copyOf(dropped);
  }

  public long totalTokens() {
    return systemTokens + stableTokens + tailTokens;
  }

  public OptionalLong limit() {
    return tokenLimit < 0 ? OptionalLong.empty() : OptionalLong.of(tokenLimit);
  }

  public Optional<PrefixChange> prefixChangedAt() {
    return Optional.ofNullable(changed);
  }
}
