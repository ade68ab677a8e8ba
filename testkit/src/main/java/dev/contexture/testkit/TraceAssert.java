package dev.contexture.testkit;

import dev.contexture.model.ModelProfile;
import dev.contexture.simulator.CacheReport;
import dev.contexture.simulator.CacheReports;
import dev.contexture.simulator.CacheUse;
import dev.contexture.simulator.Trace;
import java.util.List;
import java.util.Locale;
import org.apiguardian.api.API;

/**
 * Assertions about the cache use of requests, for tests of any framework (P-45).
 *
 * <pre>{@code
 * assertThat(trace).on(profile).hasEfficiencyAbove(0.9).hasNoMiss(LOOKBACK);
 * }</pre>
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class TraceAssert {
  private final CacheReport report;
  private final String model;

  private TraceAssert(CacheReport report, String model) {
    this.report = report;
    this.model = model;
  }

  public static Sent assertThat(Trace trace) {
    return new Sent(trace);
  }

  /** Requests, before it is said to whom they went. */
  public static final class Sent {
    private final Trace trace;

    private Sent(Trace trace) {
      this.trace = trace;
    }

    /** Sent to a model of which the catalogue knows this. */
    public TraceAssert on(ModelProfile model) {
      return new TraceAssert(trace.on(model), model.id());
    }
  }

  public CacheReport report() {
    return report;
  }

  /** Of what a cache could save, more than this share was saved. */
  public TraceAssert hasEfficiencyAbove(double least) {
    if (!(report.efficiency() > least)) {
      throw new AssertionError(
          String.format(
              Locale.ROOT,
              "on %s the efficiency of %d requests is %.4f, expected above %.4f: %s",
              model,
              report.requests().size(),
              report.efficiency(),
              least,
              CacheReports.explain(report)));
    }
    return this;
  }

  /** Nothing was missed for this cause. */
  public TraceAssert hasNoMiss(CacheUse.Cause cause) {
    List<CacheUse> requests = report.requests();
    for (int i = 0; i < requests.size(); i++) {
      if (requests.get(i).miss().filter(miss -> miss.cause() == cause).isPresent()) {
        throw new AssertionError(
            "on " + model + " request " + i + " misses: " + CacheReports.explain(report));
      }
    }
    return this;
  }
}
