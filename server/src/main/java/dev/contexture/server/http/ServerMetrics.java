package dev.contexture.server.http;

import dev.contexture.ContextRequest;
import dev.contexture.Contexture;
import dev.contexture.event.Change;
import dev.contexture.event.Changes;
import dev.contexture.model.Usage;
import dev.contexture.search.SearchMode;
import dev.contexture.server.load.LoadLimiter;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apiguardian.api.API;

/**
 * Counters of a server, for Prometheus. Labels are routes, states and kinds from lists of this
 * program, never anything that a caller chose. Thread-safe.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ServerMetrics implements AutoCloseable {
  private static final Duration[] BUCKETS = {
    Duration.ofMillis(1),
    Duration.ofMillis(5),
    Duration.ofMillis(25),
    Duration.ofMillis(100),
    Duration.ofMillis(500),
    Duration.ofMillis(2_500),
    Duration.ofSeconds(10)
  };

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final JvmGcMetrics garbage = new JvmGcMetrics();
  private final Changes.Subscription subscription;
  private final Map<Answers, Timer> answers = new ConcurrentHashMap<>();
  private final Map<List<String>, Counter> counters = new ConcurrentHashMap<>();

  /** Requests with the same labels. */
  private record Answers(String method, String route, int status) {}

  /**
   * @param lag how many changes are not indexed
   */
  public ServerMetrics(Contexture engine, LoadLimiter traffic, LongSupplier lag) {
    gauge("contexture.http.active", "Requests that run", traffic::requests);
    gauge("contexture.event.streams", "Event streams that are open", traffic::streams);
    gauge("contexture.http.body.bytes", "Bytes of bodies in work", traffic::bodyBytes);
    gauge("contexture.http.memory.bytes", "Memory set aside for requests", traffic::memoryBytes);
    gauge("contexture.index.lag", "Changes that are not indexed", lag);
    gauge("contexture.store.waiting", "Write sets that wait", () -> engine.store().waiting());
    new ClassLoaderMetrics().bindTo(registry);
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    garbage.bindTo(registry);
    this.subscription = engine.changes().subscribe(this::changed);
  }

  private void gauge(String name, String description, LongSupplier value) {
    Gauge.builder(name, value, LongSupplier::getAsLong)
        .description(description)
        .strongReference(true)
        .register(registry);
  }

  private void changed(Change change) {
    String type = change.note().string("type").orElse("change");
    count("contexture.changes", "Durable changes of conversations", 1, "type", type);
    if (change.lastSeq() > 0) {
      long blocks = change.lastSeq() - change.firstSeq() + 1;
      count("contexture.appends", "Blocks that were appended", blocks);
    }
    if (type.equals("compaction")) {
      String status =
          change.note().string("status").or(() -> change.note().string("operation")).orElse("");
      count("contexture.compactions", "Compactions by what came of them", 1, "status", status);
    }
  }

  /** A context was rendered. */
  public void rendered() {
    count("contexture.renders", "Contexts that were rendered over HTTP", 1);
  }

  /** Something was looked for. */
  public void searched(SearchMode used) {
    String mode = used.name().toLowerCase(Locale.ROOT);
    count("contexture.searches", "Searches over HTTP by the mode that was used", 1, "mode", mode);
  }

  /** A request to a model was built. */
  public void built(ContextRequest request) {
    count(
        "contexture.requests.built",
        "Requests to models by how they relate to the one before",
        1,
        "prefix",
        request.prefix().wireName());
    int marks = request.request().marks().size();
    count("contexture.cache.marks", "Cache marks in requests to models", marks);
    request
        .divergence()
        .ifPresent(
            unused ->
                count("contexture.cache.divergences", "Requests that lose a provider's cache", 1));
  }

  /** A model answered, and said what it used. */
  public void used(Usage usage) {
    String about = "Input tokens that providers reported, by what their cache did";
    String name = "contexture.model.input.tokens";
    count(name, about, usage.cacheRead(), "cache", "read");
    long written = usage.cacheWrite5m() + usage.cacheWrite1h() + usage.cacheWrite();
    count(name, about, written, "cache", "write");
    count(name, about, usage.uncached(), "cache", "none");
    count(
        "contexture.model.output.tokens", "Output tokens that providers reported", usage.output());
  }

  /** A request ended. */
  public void answered(String method, RequestTrace exchange, int status) {
    answers
        .computeIfAbsent(new Answers(method, exchange.template(), status), this::timer)
        .record(exchange.nanos(), TimeUnit.NANOSECONDS);
  }

  private Timer timer(Answers labels) {
    return Timer.builder("contexture.http.requests")
        .description("Requests by route and status")
        .tags("method", labels.method, "route", labels.route)
        .tags("status", Integer.toString(labels.status))
        .serviceLevelObjectives(BUCKETS)
        .register(registry);
  }

  private void count(String name, String description, long amount, String... tags) {
    List<String> key = new ArrayList<>(tags.length + 1);
    key.add(name);
    key.addAll(Arrays.asList(tags));
    counters
        .computeIfAbsent(
            key,
            unused -> Counter.builder(name).description(description).tags(tags).register(registry))
        .increment((double) amount);
  }

  /** Everything, as Prometheus reads it. */
  public String text() {
    return registry.scrape();
  }

  @Override
  public void close() {
    subscription.close();
    garbage.close();
    registry.close();
  }
}
