package dev.contexture.otel;

import dev.contexture.error.ContextureException;
import dev.contexture.event.EngineObserver;
import dev.contexture.event.WorkResult;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Scope;
import java.time.Duration;

/** A span that is current while its work goes on. Confined to the thread of the work. */
abstract class SpanWatch implements EngineObserver.Watch {
  private final Span span;
  private final Scope current;
  private final DoubleHistogram durations;
  private final Attributes known;
  private final AttributesBuilder more = Attributes.builder();
  private final long begun = System.nanoTime();

  /**
   * @param durations where the seconds go
   * @param known attributes of that measurement
   */
  @SuppressWarnings("MustBeClosedChecker") // closed by end or fail: one of them is called
  SpanWatch(Span span, DoubleHistogram durations, Attributes known) {
    this.span = span;
    this.current = span.makeCurrent();
    this.durations = durations;
    this.known = known;
  }

  /** Does what is to be done beside the span, which is not current any more. */
  abstract void done(WorkResult result);

  /** More for the span. */
  AttributesBuilder attributes() {
    return more;
  }

  @Override
  public void end(WorkResult result) {
    try {
      current.close();
      done(result);
      describe(result);
      span.setAllAttributes(more.build());
    } finally {
      finish(known);
    }
  }

  @Override
  public void fail(Throwable failure) {
    current.close();
    String type = errorType(failure);
    span.setAttribute(TelemetryNames.ERROR_TYPE, type).setStatus(StatusCode.ERROR);
    finish(known.toBuilder().put(TelemetryNames.ERROR_TYPE, type).build());
  }

  /** The refusal's code, else the name of the exception: no text. */
  private static String errorType(Throwable failure) {
    return failure instanceof ContextureException refused
        ? refused.code().wireName()
        : failure.getClass().getName();
  }

  private void finish(Attributes measured) {
    durations.record(
        ContextureTelemetry.seconds(Duration.ofNanos(System.nanoTime() - begun)), measured);
    span.end();
  }

  private void describe(WorkResult result) {
    switch (result) {
      case WorkResult.RequestBuilt built -> describe(built);
      case WorkResult.AnswerStored stored -> {
        more.put(TelemetryNames.REPEATED, stored.repeated());
        more.put(TelemetryNames.CALLS, (long) stored.calls());
      }
      case WorkResult.CompactionDone done -> describe(done);
      case WorkResult.MemoryWritten written -> {
        more.put(TelemetryNames.CHANGED, written.changed());
        more.put(TelemetryNames.MEMORY_RECORDS, written.changed() ? 1L : 0L);
        if (written.record() != null) {
          more.put(TelemetryNames.MEMORY_RECORD, written.record());
        }
      }
      case WorkResult.QueryAnswered answered -> {
        more.put(TelemetryNames.SEARCH_MODE, answered.mode());
        more.put(TelemetryNames.MEMORY_RECORDS, (long) answered.hits());
        if (!answered.fallbacks().isEmpty()) {
          more.put(TelemetryNames.FALLBACKS, answered.fallbacks());
        }
      }
    }
  }

  private void describe(WorkResult.RequestBuilt built) {
    more.put(TelemetryNames.REQUEST_ID, built.id());
    more.put(TelemetryNames.REQUEST_TOKENS, built.tokens());
    more.put(TelemetryNames.REQUEST_BUDGET, built.budget());
    more.put(TelemetryNames.REQUEST_MESSAGES, (long) built.messages());
    more.put(TelemetryNames.REQUEST_REPAIRS, (long) built.repairs());
    more.put(TelemetryNames.REQUEST_MAX_TOKENS, built.maxOutputTokens());
    more.put(TelemetryNames.PREFIX, built.prefix());
    more.put(TelemetryNames.TOKENS_LOST, built.tokensLost());
    if (built.compacted()) {
      more.put(TelemetryNames.COMPACTED, true);
    }
  }

  private void describe(WorkResult.CompactionDone done) {
    more.put(TelemetryNames.COMPACTION_STATUS, done.status());
    more.put(TelemetryNames.COMPACTION_REASON, done.reason());
    more.put(TelemetryNames.TOKENS_BEFORE, done.tokensBefore());
    more.put(TelemetryNames.TOKENS_AFTER, done.tokensAfter());
    more.put(TelemetryNames.COMPACTED_BLOCKS, (long) done.blocks());
    if (!done.warnings().isEmpty()) {
      more.put(TelemetryNames.WARNINGS, done.warnings());
    }
  }
}
