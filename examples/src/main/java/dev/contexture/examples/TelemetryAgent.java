package dev.contexture.examples;

import dev.contexture.Contexture;
import dev.contexture.otel.ContextureTelemetry;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.metrics.InstrumentType;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.export.MetricExporter;
import io.opentelemetry.sdk.metrics.export.PeriodicMetricReader;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The agent without a key, watched by OpenTelemetry: it prints the spans and metrics of one turn
 * where other programs send them to a collector.
 */
public final class TelemetryAgent {
  private TelemetryAgent() {}

  /** Runs it in a new folder. */
  public static void main(String[] args) throws IOException {
    PrintStream out =
        new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
    run(Files.createTempDirectory("contexture-example"), out);
  }

  static void run(Path directory, PrintStream out) {
    PrintStream silent =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    try (OpenTelemetrySdk sdk = sdk(out);
        Contexture cx =
            Contexture.open(
                directory, settings -> settings.observer(ContextureTelemetry.of(sdk)))) {
      OfflineAgent.run(cx, silent);
    }
  }

  private static OpenTelemetrySdk sdk(PrintStream out) {
    return OpenTelemetrySdk.builder()
        .setTracerProvider(
            SdkTracerProvider.builder()
                .addSpanProcessor(SimpleSpanProcessor.create(new PrintedSpans(out)))
                .build())
        .setMeterProvider(
            SdkMeterProvider.builder()
                .registerMetricReader(PeriodicMetricReader.create(new PrintedMetrics(out)))
                .build())
        .build();
  }

  private static <T> CompletableResultCode print(Collection<T> items, Consumer<T> line) {
    items.forEach(line);
    return CompletableResultCode.ofSuccess();
  }

  private record PrintedSpans(PrintStream out) implements SpanExporter {
    @Override
    public CompletableResultCode export(Collection<SpanData> spans) {
      return print(
          spans,
          span ->
              out.println(
                  "span " + span.getName() + " " + Map.copyOf(span.getAttributes().asMap())));
    }

    @Override
    public CompletableResultCode flush() {
      return CompletableResultCode.ofSuccess();
    }

    @Override
    public CompletableResultCode shutdown() {
      return CompletableResultCode.ofSuccess();
    }
  }

  private record PrintedMetrics(PrintStream out) implements MetricExporter {
    @Override
    public CompletableResultCode export(Collection<MetricData> metrics) {
      return print(
          metrics,
          metric ->
              metric
                  .getData()
                  .getPoints()
                  .forEach(
                      point ->
                          out.println(
                              "metric "
                                  + metric.getName()
                                  + " "
                                  + Map.copyOf(point.getAttributes().asMap()))));
    }

    @Override
    public AggregationTemporality getAggregationTemporality(InstrumentType type) {
      return AggregationTemporality.CUMULATIVE;
    }

    @Override
    public CompletableResultCode flush() {
      return CompletableResultCode.ofSuccess();
    }

    @Override
    public CompletableResultCode shutdown() {
      return CompletableResultCode.ofSuccess();
    }
  }
}
