package dev.contexture.otel;

import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.LongCounter;
import io.opentelemetry.api.metrics.LongHistogram;
import io.opentelemetry.api.metrics.Meter;
import java.util.List;

/** The instruments, made once. */
record TelemetryMeters(
    DoubleHistogram inference,
    LongCounter input,
    LongCounter cacheRead,
    LongCounter cacheWrite,
    LongCounter output,
    DoubleHistogram memory,
    DoubleHistogram request,
    LongHistogram requestSize,
    LongCounter prefixLost,
    DoubleHistogram recording,
    DoubleHistogram compaction,
    LongCounter removed) {
  /** Of the conventions, for calls of models. */
  private static final List<Double> CALLS =
      List.of(
          0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92);

  /** For work inside the process. */
  private static final List<Double> WORK =
      List.of(0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 30.0);

  private static final List<Long> SIZES =
      List.of(
          1_000L,
          2_000L,
          4_000L,
          8_000L,
          16_000L,
          32_000L,
          64_000L,
          128_000L,
          256_000L,
          512_000L,
          1_000_000L);

  static TelemetryMeters of(Meter meter) {
    return new TelemetryMeters(
        seconds(
            meter,
            TelemetryNames.INFERENCE_DURATION,
            "From a request that was built to its answer",
            CALLS),
        tokens(meter, TelemetryNames.USAGE_INPUT, "All input, cached or not"),
        tokens(meter, TelemetryNames.USAGE_CACHE_READ, "Input read from the provider's cache"),
        tokens(meter, TelemetryNames.USAGE_CACHE_WRITE, "Input written to the provider's cache"),
        tokens(meter, TelemetryNames.USAGE_OUTPUT, "Everything the model made"),
        seconds(meter, TelemetryNames.MEMORY_DURATION, "Memory changes and searches", WORK),
        seconds(meter, TelemetryNames.REQUEST_DURATION, "Building a request", WORK),
        meter
            .histogramBuilder(TelemetryNames.REQUEST_SIZE)
            .ofLongs()
            .setUnit("{token}")
            .setDescription("Estimated tokens of a request")
            .setExplicitBucketBoundariesAdvice(SIZES)
            .build(),
        tokens(meter, TelemetryNames.PREFIX_LOST, "Tokens that a changed prefix cost the cache"),
        seconds(meter, TelemetryNames.RECORD_DURATION, "Storing an answer", WORK),
        seconds(meter, TelemetryNames.COMPACTION_DURATION, "Compacting a conversation", WORK),
        tokens(meter, TelemetryNames.COMPACTION_REMOVED, "Tokens taken out of context"));
  }

  private static DoubleHistogram seconds(
      Meter meter, String name, String description, List<Double> buckets) {
    return meter
        .histogramBuilder(name)
        .setUnit("s")
        .setDescription(description)
        .setExplicitBucketBoundariesAdvice(buckets)
        .build();
  }

  private static LongCounter tokens(Meter meter, String name, String description) {
    return meter.counterBuilder(name).setUnit("{token}").setDescription(description).build();
  }
}
