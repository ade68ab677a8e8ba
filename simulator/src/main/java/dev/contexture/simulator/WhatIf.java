package dev.contexture.simulator;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.model.ModelProfile;
import dev.contexture.view.CachePoint;
import java.util.List;
import org.apiguardian.api.API;

/**
 * The same requests under another choice: what a longer life, marks at another distance from the
 * end, or another model or provider would cost.
 *
 * @param actual as they were sent
 * @param other under the other choice
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record WhatIf(CacheReport actual, CacheReport other) {
  /** All marks with another life. */
  public static WhatIf withLife(Trace trace, ModelProfile profile, SentBlock.Ttl life) {
    List<SentRequest> changed =
        trace.requests(profile).stream().map(request -> withLife(request, life)).toList();
    return new WhatIf(
        trace.on(profile),
        CacheSimulator.simulate(CacheModel.of(profile.cache()), changed)
            .at(profile.newestPrice().orElse(null)));
  }

  /**
   * With the mark of round N-4 at round N-k instead. The other marks stay.
   *
   * @throws ContextureException {@code invalid_argument} if k is below 1
   */
  public static WhatIf withOffset(Trace trace, ModelProfile profile, int rounds) {
    if (rounds < 1) {
      throw ContextureException.invalid(ErrorCode.INVALID_ARGUMENT, "k", rounds, "a number from 1");
    }
    int usual = CachePoint.Settings.DEFAULT.offsetRounds();
    List<SentRequest> changed =
        trace.requests(profile).stream()
            .map(request -> RoundOffset.move(request, usual, rounds))
            .toList();
    return new WhatIf(
        trace.on(profile),
        CacheSimulator.simulate(CacheModel.of(profile.cache()), changed)
            .at(profile.newestPrice().orElse(null)));
  }

  /** Sent to another model, of the same provider or of another one. */
  public static WhatIf withModel(Trace trace, ModelProfile profile, ModelProfile instead) {
    return new WhatIf(trace.on(profile), trace.on(instead));
  }

  private static SentRequest withLife(SentRequest request, SentBlock.Ttl life) {
    List<SentBlock> blocks =
        request.blocks().stream()
            .map(block -> block.mark().isPresent() ? block.marked(life) : block)
            .toList();
    return new SentRequest(
        request.scope(), request.start(), request.firstToken(), request.explicitOnly(), blocks);
  }

  /** How much dearer it is, in plain input tokens; negative: cheaper. */
  public double difference() {
    return other.cost() - actual.cost();
  }
}
