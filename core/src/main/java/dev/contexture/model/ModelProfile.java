package dev.contexture.model;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * Facts about one model.
 *
 * @param provider who serves it
 * @param id its name in the catalogue, or the name asked for if the catalogue lacks it
 * @param unknownModel whether these are just the careful defaults of its provider
 * @param apis wire formats it is served in, the preferred first
 * @param contextWindow tokens of input and output together
 * @param maxInputTokens tokens of input; 0 if only the window limits it
 * @param maxOutput tokens of output
 * @param tokenizer how its tokens are counted
 * @param cache how its prompt cache works
 * @param flags what it can do or demands
 * @param reads models whose opaque parts it understands, itself aside
 * @param params parameters that it refuses
 * @param prices what its tokens cost, the newest last; empty if that is not known
 * @param sources where the facts come from: ids of sources by the name of the fact
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ModelProfile(
    String provider,
    String id,
    boolean unknownModel,
    List<String> apis,
    int contextWindow,
    int maxInputTokens,
    int maxOutput,
    Tokenizer tokenizer,
    CacheRules cache,
    Set<ModelFlag> flags,
    Set<String> reads,
    ParamRules params,
    List<ModelPrice> prices,
    Map<String, List<String>> sources) {
  public ModelProfile {
    apis = List.copyOf(apis);
    flags = Set.copyOf(flags);
    reads = Set.copyOf(reads);
    prices = List.copyOf(prices);
    sources = Map.copyOf(sources);
  }

  public boolean has(ModelFlag flag) {
    return flags.contains(flag);
  }

  /** The limit on input alone, where there is one. */
  public OptionalInt maxInput() {
    return maxInputTokens == 0 ? OptionalInt.empty() : OptionalInt.of(maxInputTokens);
  }

  /** What its tokens cost at that time, where it is known. */
  public Optional<ModelPrice> priceAt(Instant time) {
    return prices.stream().filter(price -> price.holdsAt(time)).reduce((older, newer) -> newer);
  }

  /** What its tokens cost now, where it is known. */
  public Optional<ModelPrice> newestPrice() {
    return prices.isEmpty() ? Optional.empty() : Optional.of(prices.getLast());
  }

  /** Whether it understands opaque parts that this model made; a model always reads itself. */
  public boolean canRead(ModelProfile maker) {
    return provider.equals(maker.provider) && (id.equals(maker.id) || reads.contains(maker.id));
  }
}
