package dev.contexture.otel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.ContextBrowser;
import dev.contexture.ContextRequest;
import dev.contexture.Contexture;
import dev.contexture.Turn;
import dev.contexture.block.Scope;
import dev.contexture.engine.memory.BlockSpec;
import dev.contexture.error.ContextureException;
import dev.contexture.event.EngineObserver;
import dev.contexture.memory.permission.Actor;
import dev.contexture.memory.schema.MemoryBlockType;
import dev.contexture.model.ModelAnswer;
import dev.contexture.model.ModelRef;
import dev.contexture.model.ReplyText;
import dev.contexture.model.Stop;
import dev.contexture.model.Usage;
import dev.contexture.search.SearchOptions;
import dev.contexture.turn.Reply;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Spans and metrics of a real engine, in the exporters of the SDK. */
class ContextureTelemetryTest {
  private static final String MODEL = "claude-opus-5";
  private static final Scope SHOP = Scope.of("acme", "shop");
  private static final BlockSpec NOTES = BlockSpec.of("notes", MemoryBlockType.WORKING);
  private static final String ANSWER =
      """
      {"id":"msg_%s","type":"message","role":"assistant","model":"claude-opus-5-20260901",\
      "content":[{"type":"text","text":"It is the secret answer."}],"stop_reason":"end_turn",\
      "stop_sequence":null,"usage":{"input_tokens":20,"output_tokens":12,\
      "cache_read_input_tokens":300,"cache_creation_input_tokens":100}}\
      """;

  @TempDir Path directory;

  private final InMemorySpanExporter spans = InMemorySpanExporter.create();
  private final InMemoryMetricReader metrics = InMemoryMetricReader.create();
  private final OpenTelemetrySdk sdk =
      OpenTelemetrySdk.builder()
          .setTracerProvider(
              SdkTracerProvider.builder()
                  .addSpanProcessor(SimpleSpanProcessor.create(spans))
                  .build())
          .setMeterProvider(SdkMeterProvider.builder().registerMetricReader(metrics).build())
          .build();

  @AfterEach
  void close() {
    sdk.close();
  }

  private Contexture open(EngineObserver observer) {
    return Contexture.open(directory, settings -> settings.observer(observer));
  }

  private static ContextBrowser chat(Contexture cx) {
    return cx.browser(SHOP.user("u42").conversation("c1"));
  }

  private static Reply ask(ContextBrowser chat, String prompt) {
    try (Turn turn = chat.startTurn(prompt)) {
      ContextRequest request = turn.request(MODEL).agent("atlas").build();
      String body = String.format(Locale.ROOT, ANSWER, request.id());
      Reply reply = turn.record(request, body);
      turn.finish(reply);
      return reply;
    }
  }

  private SpanData one(String name) {
    List<SpanData> found =
        spans.getFinishedSpanItems().stream().filter(span -> span.getName().equals(name)).toList();
    assertThat(found).as(name).hasSize(1);
    return found.getFirst();
  }

  private MetricData metric(String name) {
    return metrics.collectAllMetrics().stream()
        .filter(metric -> metric.getName().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError(name));
  }

  private long total(String name) {
    return metric(name).getLongSumData().getPoints().stream()
        .mapToLong(point -> point.getValue())
        .sum();
  }

  private long count(String name, Attributes attributes) {
    return metric(name).getHistogramData().getPoints().stream()
        .filter(
            point ->
                attributes.asMap().entrySet().stream()
                    .allMatch(
                        wanted ->
                            wanted
                                .getValue()
                                .equals(point.getAttributes().asMap().get(wanted.getKey()))))
        .mapToLong(point -> point.getCount())
        .sum();
  }

  @Test
  void oneTurnIsARequestACallOfTheModelAndARecord() {
    try (Contexture cx = open(ContextureTelemetry.of(sdk))) {
      ask(chat(cx), "Weather in Oslo?");
    }
    SpanData request = one(TelemetryNames.REQUEST_SPAN);
    assertThat(request.getKind()).isEqualTo(SpanKind.INTERNAL);
    assertThat(request.getAttributes().asMap())
        .containsEntry(TelemetryNames.PROVIDER, "anthropic")
        .containsEntry(TelemetryNames.REQUEST_MODEL, MODEL)
        .containsEntry(TelemetryNames.CONVERSATION, "c1")
        .containsEntry(TelemetryNames.TENANT, "acme")
        .containsEntry(TelemetryNames.PROJECT, "shop")
        .containsEntry(TelemetryNames.AGENT, "atlas")
        .containsEntry(TelemetryNames.PREFIX, "rebased")
        .containsEntry(TelemetryNames.TOKENS_LOST, 0L)
        .doesNotContainKey(TelemetryNames.COMPACTED);
    assertThat(request.getAttributes().get(TelemetryNames.REQUEST_TOKENS)).isPositive();

    SpanData call = one("chat " + MODEL);
    assertThat(call.getKind()).isEqualTo(SpanKind.CLIENT);
    assertThat(call.getAttributes().asMap())
        .containsEntry(TelemetryNames.OPERATION, "chat")
        .containsEntry(TelemetryNames.PROVIDER, "anthropic")
        .containsEntry(TelemetryNames.RESPONSE_MODEL, "claude-opus-5-20260901")
        .containsEntry(TelemetryNames.FINISH_REASONS, List.of("stop"))
        .containsEntry(TelemetryNames.INPUT_TOKENS, 420L)
        .containsEntry(TelemetryNames.CACHE_READ_TOKENS, 300L)
        .containsEntry(TelemetryNames.CACHE_WRITE_TOKENS, 100L)
        .containsEntry(TelemetryNames.OUTPUT_TOKENS, 12L)
        .containsEntry(
            TelemetryNames.REQUEST_ID, request.getAttributes().get(TelemetryNames.REQUEST_ID));
    assertThat(call.getAttributes().get(TelemetryNames.RESPONSE_ID)).startsWith("msg_");
    assertThat(call.getEndEpochNanos()).isGreaterThanOrEqualTo(call.getStartEpochNanos());

    SpanData record = one(TelemetryNames.RECORD_SPAN);
    assertThat(record.getAttributes().asMap())
        .containsEntry(TelemetryNames.REPEATED, false)
        .doesNotContainKey(TelemetryNames.INPUT_TOKENS); // once, with the call

    assertThat(total(TelemetryNames.USAGE_INPUT)).isEqualTo(420);
    assertThat(total(TelemetryNames.USAGE_CACHE_READ)).isEqualTo(300);
    assertThat(total(TelemetryNames.USAGE_CACHE_WRITE)).isEqualTo(100);
    assertThat(total(TelemetryNames.USAGE_OUTPUT)).isEqualTo(12);
    for (String counter :
        List.of(
            TelemetryNames.USAGE_INPUT,
            TelemetryNames.USAGE_CACHE_READ,
            TelemetryNames.USAGE_CACHE_WRITE,
            TelemetryNames.USAGE_OUTPUT)) {
      assertThat(metric(counter).getLongSumData().getPoints())
          .allMatch(
              point -> "unknown".equals(point.getAttributes().get(TelemetryNames.TOKEN_MODALITY)));
    }
    Attributes model = Attributes.of(TelemetryNames.REQUEST_MODEL, MODEL);
    assertThat(count(TelemetryNames.INFERENCE_DURATION, model)).isOne();
    assertThat(count(TelemetryNames.REQUEST_DURATION, model)).isOne();
    assertThat(count(TelemetryNames.REQUEST_SIZE, model)).isOne();
    assertThat(count(TelemetryNames.RECORD_DURATION, model)).isOne();
  }

  @ParameterizedTest
  @CsvSource({
    "end_turn, stop",
    "max_tokens, length",
    "refusal, content_filter",
    "pause_turn, pause",
    "model_context_window_exceeded, length"
  })
  void whyAModelStoppedIsSaidInTheWordsOfTheConventions(String said, String expected) {
    try (Contexture cx = open(ContextureTelemetry.of(sdk));
        Turn turn = chat(cx).startTurn("Hello")) {
      ContextRequest request = turn.request(MODEL).build();
      turn.record(request, String.format(Locale.ROOT, ANSWER, "1").replace("end_turn", said));
    }
    assertThat(one("chat " + MODEL).getAttributes().get(TelemetryNames.FINISH_REASONS))
        .containsExactly(expected);
  }

  /** A failed call is not recorded, and the engine does not see it. */
  @Test
  void aCallThatFailsHasNoSpanAndLeavesTheNextOneItsOwn() {
    try (Contexture cx = open(ContextureTelemetry.of(sdk))) {
      Turn failed = chat(cx).startTurn("Hello");
      assertThat(failed.request(MODEL).build().id()).isNotEmpty();
      failed.interrupt("overloaded");
      ask(chat(cx), "Still there?");
    }
    SpanData last =
        spans.getFinishedSpanItems().stream()
            .filter(span -> span.getName().equals(TelemetryNames.REQUEST_SPAN))
            .toList()
            .getLast();
    assertThat(one("chat " + MODEL).getAttributes().asMap())
        .containsEntry(
            TelemetryNames.REQUEST_ID, last.getAttributes().get(TelemetryNames.REQUEST_ID));
  }

  /** Adapters record answers under the name of their framework; the provider is the request's. */
  @Test
  void anAnswerThroughAFrameworkIsOneOfTheProvider() {
    ModelAnswer answer =
        new ModelAnswer(
            "adk",
            "gemini-3.7-flash",
            null,
            List.of(new ReplyText(0, "Rain.")),
            List.of(),
            List.of(),
            Stop.END,
            null,
            new Usage(0, 0, 0, 0, 20, 5),
            null,
            List.of());
    try (Contexture cx = open(ContextureTelemetry.of(sdk));
        Turn turn = chat(cx).startTurn("Weather in Oslo?")) {
      ContextRequest request = turn.request("gemini-3.7-flash").carrier("adk").build();
      turn.record(request.id(), new ModelRef("adk", "gemini-3.7-flash"), answer, false);
    }
    assertThat(one("generate_content gemini-3.7-flash").getAttributes().asMap())
        .containsEntry(TelemetryNames.PROVIDER, "gcp.gemini")
        .containsEntry(TelemetryNames.OPERATION, "generate_content");
    assertThat(one(TelemetryNames.RECORD_SPAN).getAttributes().asMap())
        .containsEntry(TelemetryNames.PROVIDER, "gcp.gemini");
    assertThat(
            count(
                TelemetryNames.INFERENCE_DURATION,
                Attributes.of(TelemetryNames.PROVIDER, "gcp.gemini")))
        .isOne();
  }

  @Test
  void noTextOfAnybodyIsTold() {
    try (Contexture cx = open(ContextureTelemetry.of(sdk))) {
      cx.memory(SHOP).createBlock("atlas", NOTES.content("a secret note"));
      ask(chat(cx), "a secret question");
      cx.search().search(SHOP.agent("atlas"), "secret", SearchOptions.DEFAULT);
      assertThatThrownBy(() -> cx.memory(SHOP).updateBlockText("atlas", "secret block", "x"))
          .isInstanceOf(ContextureException.class);
    }
    assertThat(spans.getFinishedSpanItems()).hasSizeGreaterThanOrEqualTo(5);
    assertThat(spans.getFinishedSpanItems().toString()).doesNotContain("secret");
    assertThat(metrics.collectAllMetrics().toString()).doesNotContain("secret");
  }

  @Test
  void anAnswerThatIsSentAgainIsNotCountedAgain() {
    try (Contexture cx = open(ContextureTelemetry.of(sdk));
        Turn turn = chat(cx).startTurn("Hello")) {
      ContextRequest request = turn.request(MODEL).build();
      turn.record(request, String.format(Locale.ROOT, ANSWER, "1"));
      turn.record(request, String.format(Locale.ROOT, ANSWER, "1"));
    }
    assertThat(total(TelemetryNames.USAGE_INPUT)).isEqualTo(420);
    one("chat " + MODEL);
    assertThat(
            spans.getFinishedSpanItems().stream()
                .map(span -> span.getAttributes().get(TelemetryNames.REPEATED))
                .filter(Objects::nonNull))
        .containsExactly(false, true);
  }

  @Test
  void withoutInferenceTheRecordHasTheUsageAndNoTokenIsCounted() {
    try (Contexture cx = open(ContextureTelemetry.withoutInference(sdk))) {
      ask(chat(cx), "Hello");
    }
    assertThat(one(TelemetryNames.RECORD_SPAN).getAttributes().asMap())
        .containsEntry(TelemetryNames.INPUT_TOKENS, 420L);
    assertThat(spans.getFinishedSpanItems()).noneMatch(span -> span.getName().startsWith("chat"));
    assertThat(metrics.collectAllMetrics())
        .noneMatch(metric -> metric.getName().equals(TelemetryNames.USAGE_INPUT));
  }

  @Test
  void aCompactionStandsInTheRequestThatNeedsItAndTheNextCallIsCompacted() {
    try (Contexture cx = open(ContextureTelemetry.of(sdk))) {
      for (int i = 0; i < 12; i++) {
        ask(chat(cx), "Question " + i + " about tents. ".repeat(120));
      }
      spans.reset();
      try (Turn turn = chat(cx).startTurn("And now?")) {
        ContextRequest request = turn.request(MODEL).forceCompaction(true).build();
        turn.record(request, String.format(Locale.ROOT, ANSWER, "x"));
      }
    }
    SpanData compaction = one(TelemetryNames.COMPACTION_SPAN);
    assertThat(compaction.getParentSpanId())
        .isEqualTo(one(TelemetryNames.REQUEST_SPAN).getSpanId());
    assertThat(compaction.getAttributes().asMap())
        .containsEntry(TelemetryNames.COMPACTION_STATUS, "completed")
        .containsEntry(TelemetryNames.COMPACTION_REASON, "forced");
    assertThat(compaction.getAttributes().get(TelemetryNames.TOKENS_AFTER))
        .isLessThan(compaction.getAttributes().get(TelemetryNames.TOKENS_BEFORE));
    assertThat(one("chat " + MODEL).getAttributes().get(TelemetryNames.COMPACTED)).isTrue();
    long before =
        Objects.requireNonNull(compaction.getAttributes().get(TelemetryNames.TOKENS_BEFORE));
    long after =
        Objects.requireNonNull(compaction.getAttributes().get(TelemetryNames.TOKENS_AFTER));
    assertThat(total(TelemetryNames.COMPACTION_REMOVED)).isEqualTo(before - after);
    assertThat(count(TelemetryNames.COMPACTION_DURATION, Attributes.empty())).isOne();
  }

  @Test
  void memoryIsCreatedUpdatedDeletedAndSearched() {
    try (Contexture cx = open(ContextureTelemetry.of(sdk))) {
      String id = cx.memory(SHOP).createBlock("atlas", NOTES.content("tents"));
      cx.memory(SHOP).appendToBlock("atlas", "notes", " and ropes");
      cx.memory(SHOP).insertArchival("atlas", "Ann likes ropes.", null);
      cx.search().search(SHOP.agent("atlas"), "ropes", SearchOptions.DEFAULT);
      cx.memory(SHOP).actingAs(Actor.system()).deleteBlock("atlas", "notes");

      assertThat(one("update_memory").getAttributes().asMap())
          .containsEntry(TelemetryNames.OPERATION, "update_memory")
          .containsEntry(TelemetryNames.MEMORY_STORE, "atlas")
          .containsEntry(TelemetryNames.MEMORY_RECORD, id)
          .containsEntry(TelemetryNames.CHANGED, true);
      assertThat(one("delete_memory").getAttributes().asMap())
          .containsEntry(TelemetryNames.MEMORY_RECORD, id);
      assertThat(one("search_memory").getAttributes().asMap())
          .containsEntry(TelemetryNames.MEMORY_STORE, "atlas")
          .containsEntry(TelemetryNames.TOP_K, 10L)
          .containsEntry(TelemetryNames.MEMORY_RECORDS, 2L)
          .containsEntry(TelemetryNames.SEARCH_MODE, "fts");
    }
    assertThat(
            count(
                TelemetryNames.MEMORY_DURATION,
                Attributes.of(TelemetryNames.OPERATION, "create_memory")))
        .isEqualTo(2);
  }

  @Test
  void whatIsRefusedHasTheCodeOfTheRefusal() {
    try (Contexture cx = open(ContextureTelemetry.of(sdk))) {
      cx.memory(SHOP).createBlock("atlas", NOTES);
      assertThatThrownBy(() -> cx.memory(SHOP).createBlock("atlas", NOTES))
          .isInstanceOf(ContextureException.class);
    }
    SpanData refused = spans.getFinishedSpanItems().getLast();
    assertThat(refused.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
    assertThat(refused.getAttributes().asMap())
        .containsEntry(TelemetryNames.ERROR_TYPE, "label_taken");
    assertThat(
            count(
                TelemetryNames.MEMORY_DURATION,
                Attributes.of(TelemetryNames.ERROR_TYPE, "label_taken")))
        .isOne();
  }

  @Test
  void theSpansOfTheProgramAreTheirParents() {
    Span parent = sdk.getTracer("program").spanBuilder("agent").startSpan();
    try (Contexture cx = open(ContextureTelemetry.of(sdk));
        io.opentelemetry.context.Scope current = parent.makeCurrent()) {
      assertThat(current).isNotNull();
      ask(chat(cx), "Hello");
    }
    parent.end();
    assertThat(spans.getFinishedSpanItems())
        .filteredOn(span -> !span.getName().equals("agent"))
        .hasSize(3)
        .allMatch(span -> span.getParentSpanId().equals(parent.getSpanContext().getSpanId()));
    assertThat(Span.current().getSpanContext().isValid()).isFalse();
  }

  @Test
  void withoutAnSdkNothingHappens() {
    try (Contexture cx = open(ContextureTelemetry.of(OpenTelemetry.noop()))) {
      assertThat(ask(chat(cx), "Hello").text()).contains("answer");
    }
    assertThat(spans.getFinishedSpanItems()).isEmpty();
  }

  @Test
  void anObserverThatFailsDisturbsNobody() {
    EngineObserver broken =
        work -> {
          throw new IllegalStateException("broken");
        };
    try (Contexture cx = open(broken)) {
      assertThat(ask(chat(cx), "Hello").text()).contains("answer");
    }
  }

  @Test
  void providersHaveTheNamesOfTheConventions() {
    Map<String, String> names =
        Map.of(
            "gemini", "gcp.gemini",
            "bedrock", "aws.bedrock",
            "deepseek", "deepseek",
            "groq", "groq",
            "mistral", "mistral_ai",
            "moonshotai", "moonshot_ai",
            "xai", "x_ai",
            "openai", "openai",
            "anthropic", "anthropic");
    names.forEach((ours, theirs) -> assertThat(TelemetryNames.provider(ours)).isEqualTo(theirs));
    assertThat(TelemetryNames.inference("gemini")).isEqualTo("generate_content");
    assertThat(AttributeKey.stringKey("gen_ai.provider.name")).isEqualTo(TelemetryNames.PROVIDER);
  }
}
