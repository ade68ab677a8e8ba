package dev.contexture.springboot;

import dev.contexture.event.EngineObserver;
import dev.contexture.event.EngineWork;
import dev.contexture.event.WorkResult;
import dev.contexture.model.Usage;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.function.Supplier;
import org.apiguardian.api.API;

/**
 * Counts what an engine does, under the names that the server has for the same. Labels are kinds
 * and states of this program, never anything that a caller chose. Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class EngineMeters implements EngineObserver {
  private final Supplier<MeterRegistry> registry;

  /**
   * @param registry asked with each work, so that it may be made later than the engine
   */
  public EngineMeters(Supplier<MeterRegistry> registry) {
    this.registry = registry;
  }

  @Override
  public Watch begin(EngineWork work) {
    MeterRegistry to = registry.get();
    Timer.Sample started = Timer.start(to);
    return new Watch() {
      @Override
      public void end(WorkResult result) {
        started.stop(timer(to, work, "done"));
        count(to, result);
      }

      @Override
      public void fail(Throwable failure) {
        started.stop(timer(to, work, "failed"));
      }
    };
  }

  private static Timer timer(MeterRegistry to, EngineWork work, String outcome) {
    return Timer.builder("contexture.work")
        .description("Work of the engine")
        .tags("kind", kind(work), "outcome", outcome)
        .register(to);
  }

  private static String kind(EngineWork work) {
    return switch (work) {
      case EngineWork.RequestBuild _unused -> "request";
      case EngineWork.AnswerStorage _unused -> "answer";
      case EngineWork.CompactionRun _unused -> "compaction";
      case EngineWork.MemoryWrite _unused -> "memory";
      case EngineWork.MemoryQuery _unused -> "search";
    };
  }

  private static void count(MeterRegistry to, WorkResult result) {
    switch (result) {
      case WorkResult.RequestBuilt built -> {
        String about = "Requests to models by how they relate to the one before";
        count(to, "contexture.requests.built", about, 1, "prefix", built.prefix());
        if (built.tokensLost() > 0) {
          String lost = "Tokens that a changed prefix cost the cache";
          count(to, "contexture.cache.tokens.lost", lost, built.tokensLost());
        }
      }
      case WorkResult.AnswerStored stored -> {
        if (stored.usage() != null && !stored.repeated()) {
          used(to, stored.usage());
        }
      }
      case WorkResult.CompactionDone done -> {
        String about = "Compactions by what came of them";
        count(to, "contexture.compactions", about, 1, "status", done.status());
      }
      case WorkResult.MemoryWritten _unused -> {}
      case WorkResult.QueryAnswered answered -> {
        String about = "Searches by the mode that was used";
        count(to, "contexture.searches", about, 1, "mode", answered.mode());
      }
    }
  }

  private static void used(MeterRegistry to, Usage usage) {
    String about = "Input tokens that providers reported, by what their cache did";
    String name = "contexture.model.input.tokens";
    long written = usage.cacheWrite5m() + usage.cacheWrite1h() + usage.cacheWrite();
    count(to, name, about, usage.cacheRead(), "cache", "read");
    count(to, name, about, written, "cache", "write");
    count(to, name, about, usage.uncached(), "cache", "none");
    String made = "Output tokens that providers reported";
    count(to, "contexture.model.output.tokens", made, usage.output());
  }

  private static void count(
      MeterRegistry to, String name, String description, long amount, String... tags) {
    Counter.builder(name)
        .description(description)
        .tags(tags)
        .register(to)
        .increment((double) amount);
  }
}
