package dev.contexture.simulator;

import dev.contexture.model.ModelPrice;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A report of how a cache served a sequence of requests.
 *
 * @param requests one by one; their costs are in plain input tokens
 * @param price of the model, for amounts of money; null: it is not known
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record CacheReport(List<CacheUse> requests, @Nullable ModelPrice price) {
  public CacheReport {
    requests = List.copyOf(requests);
  }

  public long read() {
    return tokens(CacheUse::read);
  }

  /** Tokens written, for whatever life. */
  public long written() {
    return tokens(use -> use.write() + use.write5m() + use.write1h());
  }

  public long uncached() {
    return tokens(CacheUse::uncached);
  }

  public double cost() {
    return sum(CacheUse::cost);
  }

  public double costNoCache() {
    return sum(CacheUse::costNoCache);
  }

  public double costIdeal() {
    return sum(CacheUse::costIdeal);
  }

  /** The same with amounts of money. */
  public CacheReport at(@Nullable ModelPrice price) {
    return new CacheReport(requests, price);
  }

  /** Tokens that were written again, because something before them changed. */
  public long rewritten() {
    return tokens(CacheUse::rewritten);
  }

  /** What that cost more than reading them. */
  public double rewriteCost() {
    return sum(CacheUse::rewriteCost);
  }

  /**
   * A cost in money; empty if the price is not known.
   *
   * @param part the cost of a request in plain input tokens
   */
  public OptionalDouble money(ToDoubleFunction<CacheUse> part) {
    ModelPrice known = price;
    return known == null
        ? OptionalDouble.empty()
        : OptionalDouble.of(
            sum(use -> known.inputCost(part.applyAsDouble(use), use.inputTokens())));
  }

  /**
   * Which share of what could be saved was saved, by the cache or by not changing what it held; 1
   * if nothing could be.
   */
  public double efficiency() {
    double possible = costNoCache() - costIdeal() + rewriteCost();
    return possible == 0 ? 1 : (costNoCache() - cost()) / possible;
  }

  private long tokens(ToLongFunction<CacheUse> part) {
    return requests.stream().mapToLong(part).sum();
  }

  private double sum(ToDoubleFunction<CacheUse> part) {
    return requests.stream().mapToDouble(part).sum();
  }
}
