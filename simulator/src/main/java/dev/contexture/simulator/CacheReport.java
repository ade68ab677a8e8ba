package dev.contexture.simulator;

import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.apiguardian.api.API;

/** What became of a sequence of requests. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record CacheReport(List<CacheUse> requests) {
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

  /** Which share of what a cache could save was saved; 1 if it could save nothing. */
  public double efficiency() {
    double possible = costNoCache() - costIdeal();
    return possible == 0 ? 1 : (costNoCache() - cost()) / possible;
  }

  private long tokens(ToLongFunction<CacheUse> part) {
    return requests.stream().mapToLong(part).sum();
  }

  private double sum(ToDoubleFunction<CacheUse> part) {
    return requests.stream().mapToDouble(part).sum();
  }
}
