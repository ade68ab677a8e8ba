package dev.contexture.otel;

import dev.contexture.block.Scope;
import dev.contexture.event.EngineObserver;
import dev.contexture.event.EngineWork;
import dev.contexture.event.WorkResult;
import dev.contexture.model.ModelAnswer;
import dev.contexture.model.ModelRef;
import dev.contexture.model.Usage;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Makes spans and metrics of what an engine does.
 *
 * <pre>{@code
 * Contexture.open(path, settings -> settings.observer(ContextureTelemetry.of(GlobalOpenTelemetry.get())));
 * }</pre>
 *
 * A request, a compaction, a change of memory, a search and the storing of an answer are spans; the
 * call of the model itself, which the engine does not make, is the time between a request and its
 * answer. No span holds text of a conversation or of memory. Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.3")
public final class ContextureTelemetry implements EngineObserver {
  /** The most requests whose answers are waited for; beyond them the oldest has no duration. */
  static final int MAX_WAITING = 10_000;

  private final Tracer tracer;
  private final TelemetryMeters meters;
  private final InstantSource clock;
  private final boolean inference;
  private final Map<Scope.OfConversation, Sent> waiting =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Scope.OfConversation, Sent> eldest) {
          return size() > MAX_WAITING;
        }
      };

  /** A request that was built, for which model and when. */
  private record Sent(ModelRef model, Instant at, WorkResult.RequestBuilt built) {
    String id() {
      return built.id();
    }
  }

  private ContextureTelemetry(OpenTelemetry telemetry, InstantSource clock, boolean inference) {
    this.tracer = telemetry.getTracer(TelemetryNames.SCOPE);
    this.meters = TelemetryMeters.of(telemetry.getMeter(TelemetryNames.SCOPE));
    this.clock = clock;
    this.inference = inference;
  }

  /** Tells everything, also the calls of models. */
  public static ContextureTelemetry of(OpenTelemetry telemetry) {
    return new ContextureTelemetry(telemetry, InstantSource.system(), true);
  }

  /**
   * Tells everything but the calls of models: for programs whose model client or framework does
   * that already, so that no token is counted twice.
   */
  public static ContextureTelemetry withoutInference(OpenTelemetry telemetry) {
    return new ContextureTelemetry(telemetry, InstantSource.system(), false);
  }

  @Override
  public Watch begin(EngineWork work) {
    return switch (work) {
      case EngineWork.RequestBuild build -> request(build);
      case EngineWork.AnswerStorage storage -> answer(storage);
      case EngineWork.CompactionRun run ->
          watch(
              span(TelemetryNames.COMPACTION_SPAN, run.conversation()),
              meters.compaction(),
              Attributes.empty());
      case EngineWork.MemoryWrite write -> memory(write);
      case EngineWork.MemoryQuery query -> search(query);
    };
  }

  private Watch request(EngineWork.RequestBuild build) {
    Attributes model = model(build.model(), null);
    SpanBuilder span =
        span(TelemetryNames.REQUEST_SPAN, build.conversation()).setAllAttributes(model);
    if (build.agent() != null) {
      span.setAttribute(TelemetryNames.AGENT, build.agent());
    }
    return new SpanWatch(span.startSpan(), meters.request(), model) {
      @Override
      void done(WorkResult result) {
        if (result instanceof WorkResult.RequestBuilt built) {
          built(build, built);
          meters.requestSize().record(built.tokens(), model);
          meters.prefixLost().add(built.tokensLost(), model);
        }
      }
    };
  }

  private void built(EngineWork.RequestBuild build, WorkResult.RequestBuilt built) {
    synchronized (waiting) {
      waiting.remove(build.conversation()); // so that it is the newest again
      waiting.put(build.conversation(), new Sent(build.model(), clock.instant(), built));
    }
  }

  private @Nullable Sent sent(EngineWork.AnswerStorage storage) {
    synchronized (waiting) {
      Sent sent = waiting.get(storage.conversation());
      boolean same =
          sent != null && (storage.requestId() == null || sent.id().equals(storage.requestId()));
      return same ? waiting.remove(storage.conversation()) : null;
    }
  }

  private Watch answer(EngineWork.AnswerStorage storage) {
    Instant arrived = clock.instant();
    Sent sent = sent(storage);
    Attributes model = model(asked(storage, sent), storage.answer());
    SpanBuilder span =
        span(TelemetryNames.RECORD_SPAN, storage.conversation()).setAllAttributes(model);
    String request = sent == null ? storage.requestId() : sent.id();
    if (request != null) {
      span.setAttribute(TelemetryNames.REQUEST_ID, request);
    }
    return new SpanWatch(span.startSpan(), meters.recording(), model) {
      @Override
      void done(WorkResult result) {
        if (result instanceof WorkResult.AnswerStored stored && !stored.repeated()) {
          if (inference) {
            call(storage, sent, arrived, model, stored);
          } else {
            attributes().putAll(usage(stored));
          }
        }
      }
    };
  }

  /** The model that was asked; an answer through a framework has the framework's name instead. */
  private static ModelRef asked(EngineWork.AnswerStorage storage, @Nullable Sent sent) {
    return sent == null ? storage.asked() : sent.model();
  }

  /** The call of the model: from the request, if that is known, to the answer. */
  private void call(
      EngineWork.AnswerStorage storage,
      @Nullable Sent sent,
      Instant arrived,
      Attributes model,
      WorkResult.AnswerStored stored) {
    ModelRef asked = asked(storage, sent);
    String name = TelemetryNames.inference(asked.provider());
    Attributes operation = model.toBuilder().put(TelemetryNames.OPERATION, name).build();
    SpanBuilder span =
        span(name + " " + asked.model(), storage.conversation())
            .setSpanKind(SpanKind.CLIENT)
            .setAllAttributes(operation)
            .setAllAttributes(usage(stored))
            .setStartTimestamp(sent == null ? arrived : sent.at());
    if (sent != null) {
      span.setAttribute(TelemetryNames.REQUEST_ID, sent.id());
      span.setAttribute(TelemetryNames.REQUEST_MAX_TOKENS, sent.built().maxOutputTokens());
      if (sent.built().compacted()) {
        span.setAttribute(TelemetryNames.COMPACTED, true);
      }
      meters.inference().record(seconds(Duration.between(sent.at(), arrived)), operation);
    }
    storage.answer().id().ifPresent(id -> span.setAttribute(TelemetryNames.RESPONSE_ID, id));
    span.startSpan().end(arrived);
    Usage usage = stored.usage();
    if (usage != null) {
      Attributes counted =
          operation.toBuilder().put(TelemetryNames.TOKEN_MODALITY, TelemetryNames.UNKNOWN).build();
      meters.input().add(usage.totalInput(), counted);
      meters.cacheRead().add(usage.cacheRead(), counted);
      meters.cacheWrite().add(written(usage), counted);
      meters.output().add(usage.output(), counted);
    }
  }

  private static Attributes usage(WorkResult.AnswerStored stored) {
    AttributesBuilder attributes =
        Attributes.builder()
            .put(
                TelemetryNames.FINISH_REASONS, List.of(TelemetryNames.finishReason(stored.stop())));
    Usage usage = stored.usage();
    if (usage != null) {
      attributes
          .put(TelemetryNames.INPUT_TOKENS, usage.totalInput())
          .put(TelemetryNames.CACHE_READ_TOKENS, usage.cacheRead())
          .put(TelemetryNames.CACHE_WRITE_TOKENS, written(usage))
          .put(TelemetryNames.OUTPUT_TOKENS, usage.output());
    }
    return attributes.build();
  }

  private static long written(Usage usage) {
    return usage.cacheWrite() + usage.cacheWrite5m() + usage.cacheWrite1h();
  }

  private Watch memory(EngineWork.MemoryWrite write) {
    String operation = TelemetryNames.memory(write.kind());
    Attributes known = Attributes.of(TelemetryNames.OPERATION, operation);
    SpanBuilder span =
        span(operation, write.owner().scope())
            .setAllAttributes(known)
            .setAttribute(TelemetryNames.MEMORY_STORE, write.owner().agent());
    return watch(span, meters.memory(), known);
  }

  private Watch search(EngineWork.MemoryQuery query) {
    Attributes known = Attributes.of(TelemetryNames.OPERATION, TelemetryNames.SEARCH_MEMORY);
    SpanBuilder span =
        span(TelemetryNames.SEARCH_MEMORY, query.scope())
            .setAllAttributes(known)
            .setAttribute(TelemetryNames.TOP_K, (long) query.limit());
    if (query.agent() != null) {
      span.setAttribute(TelemetryNames.MEMORY_STORE, query.agent());
    }
    return watch(span, meters.memory(), known);
  }

  private Watch watch(SpanBuilder span, DoubleHistogram durations, Attributes known) {
    return new SpanWatch(span.startSpan(), durations, known) {
      @Override
      void done(WorkResult result) {
        if (result instanceof WorkResult.CompactionDone done) {
          meters.removed().add(Math.max(0, done.tokensBefore() - done.tokensAfter()));
        }
      }
    };
  }

  private SpanBuilder span(String name, Scope.OfConversation conversation) {
    return span(name, conversation.owner().scope())
        .setAttribute(TelemetryNames.CONVERSATION, conversation.conversation());
  }

  private SpanBuilder span(String name, Scope scope) {
    return tracer
        .spanBuilder(name)
        .setAttribute(TelemetryNames.TENANT, scope.tenant())
        .setAttribute(TelemetryNames.PROJECT, scope.project());
  }

  /**
   * @param answer what it said; null: nothing yet
   */
  private static Attributes model(ModelRef asked, @Nullable ModelAnswer answer) {
    AttributesBuilder attributes =
        Attributes.builder()
            .put(TelemetryNames.PROVIDER, TelemetryNames.provider(asked.provider()))
            .put(TelemetryNames.REQUEST_MODEL, asked.model());
    if (answer != null) {
      attributes.put(TelemetryNames.RESPONSE_MODEL, answer.model());
    }
    return attributes.build();
  }

  static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }
}
