package dev.contexture.summarizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.contexture.ContextBrowser;
import dev.contexture.Contexture;
import dev.contexture.block.BlockType;
import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.compaction.CompactionReport;
import dev.contexture.compaction.summary.Summarizer;
import dev.contexture.compaction.summary.SummaryRequest;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.render.RenderOptions;
import dev.contexture.store.sqlite.InMemoryStore;
import dev.contexture.token.TokenCounter;
import dev.contexture.token.TokenMeter;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Both providers, against a server that speaks their wire formats. */
@Timeout(300)
class ModelSummarizerTest {
  private static final String KEY = "sk-secret-1234567890";

  private FakeProvider provider;

  /** Who is asked, and how it says things. */
  enum Who {
    ANTHROPIC {
      @Override
      Summarizer open(ModelEndpoint endpoint) {
        return AnthropicSummarizer.of(endpoint);
      }

      @Override
      String says(String text, String end) {
        JsonObject part = JsonObject.builder().put("type", "text").put("text", text).build();
        return message(JsonArray.of(part), end);
      }

      @Override
      String saysNothing() {
        return message(JsonArray.of(), "end_turn");
      }

      @Override
      String refuses() {
        return message(JsonArray.of(), "refusal");
      }

      private String message(JsonArray content, String end) {
        return JsonObject.builder()
            .put("id", "msg_1")
            .put("type", "message")
            .put("role", "assistant")
            .put("model", "m")
            .put("content", content)
            .put("stop_reason", end)
            .put("usage", usage("input_tokens", "output_tokens"))
            .build()
            .toJson();
      }

      @Override
      String error(String type, String text) {
        JsonObject error = JsonObject.builder().put("type", type).put("message", text).build();
        return JsonObject.builder().put("type", "error").put("error", error).build().toJson();
      }

      @Override
      String tooLong() {
        return error("invalid_request_error", "prompt is too long: 210123 tokens > 200000 maximum");
      }

      @Override
      String done() {
        return "end_turn";
      }

      @Override
      String cut() {
        return "max_tokens";
      }
    },
    OPENAI {
      @Override
      Summarizer open(ModelEndpoint endpoint) {
        return OpenAiSummarizer.of(endpoint);
      }

      @Override
      String says(String text, String end) {
        return completion(text, null, end);
      }

      @Override
      String saysNothing() {
        return completion(null, null, "stop");
      }

      @Override
      String refuses() {
        return completion(null, "I cannot help with that.", "stop");
      }

      private String completion(@Nullable String text, @Nullable String refusal, String end) {
        JsonObject message =
            JsonObject.builder()
                .put("role", "assistant")
                .putIfPresent("content", text)
                .putIfPresent("refusal", refusal)
                .build();
        JsonObject choice =
            JsonObject.builder()
                .put("index", 0)
                .put("message", message)
                .put("finish_reason", end)
                .build();
        return JsonObject.builder()
            .put("id", "chatcmpl-1")
            .put("object", "chat.completion")
            .put("created", 1)
            .put("model", "m")
            .put("choices", JsonArray.of(choice))
            .put("usage", usage("prompt_tokens", "completion_tokens"))
            .build()
            .toJson();
      }

      @Override
      String error(String type, String text) {
        JsonObject error = JsonObject.builder().put("code", type).put("message", text).build();
        return JsonObject.of("error", error).toJson();
      }

      @Override
      String tooLong() {
        return error("context_length_exceeded", "This model's maximum context length is 8192");
      }

      @Override
      String done() {
        return "stop";
      }

      @Override
      String cut() {
        return "length";
      }
    };

    abstract Summarizer open(ModelEndpoint endpoint);

    abstract String says(String text, String end);

    abstract String saysNothing();

    abstract String refuses();

    abstract String error(String type, String text);

    abstract String tooLong();

    abstract String done();

    abstract String cut();

    private static JsonObject usage(String in, String out) {
      return JsonObject.builder().put(in, 10).put(out, 5).put("total_tokens", 15).build();
    }
  }

  @BeforeEach
  void serve() throws IOException {
    provider = new FakeProvider();
  }

  @AfterEach
  void stop() {
    provider.close();
  }

  private ModelEndpoint endpoint() {
    return ModelEndpoint.of("small-model", KEY).at(provider.url());
  }

  private static SummaryRequest request() {
    SummaryRequest.Item item =
        new SummaryRequest.Item(
            BlockType.USER_PROMPT, TurnId.of("t1"), 1, null, null, false, "Fix src/a.py");
    return new SummaryRequest(
        SummaryRequest.Mode.UPDATE,
        null,
        null,
        List.of(item),
        "what was before",
        800,
        100_000,
        TokenMeter.of(TokenCounter.CHARS4),
        List.of());
  }

  private ContextureException failure(Who who, ModelEndpoint endpoint) {
    Summarizer summarizer = who.open(endpoint);
    ContextureException[] thrown = new ContextureException[1];
    assertThatExceptionOfType(ContextureException.class)
        .isThrownBy(() -> summarizer.summarize(request()))
        .satisfies(e -> thrown[0] = e);
    ContextureException failure = thrown[0];
    assertThat(failure.code()).isEqualTo(ErrorCode.SUMMARIZER_FAILED);
    assertThat(failure).as("where it is served stays inside").hasMessageNotContaining("127.0.0.1");
    assertThat(failure.code().httpStatus()).isEqualTo(502);
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      assertThat(String.valueOf(cause.getMessage())).doesNotContain(KEY);
    }
    return failure;
  }

  @ParameterizedTest
  @EnumSource
  void sendsInstructionsAndMaterialAndReturnsTheText(Who who) {
    provider.then(200, who.says("## Goal\n- fix src/a.py", who.done()));
    assertThat(who.open(endpoint()).summarize(request())).isEqualTo("## Goal\n- fix src/a.py");
    assertThat(provider.requests()).isEqualTo(1);
    String body = provider.body(0).toJson();
    assertThat(body)
        .contains("<conversation>", "Fix src/a.py", "<previous-summary>", "what was before")
        .contains("## Critical Context", "Stay within 800 tokens", "small-model");
    assertThat(provider.body(0).find("max_tokens").map(JsonValue::toJson)).contains("3200");
    assertThat(provider.path(0))
        .isEqualTo(who == Who.ANTHROPIC ? "/v1/messages" : "/chat/completions");
    assertThat(provider.header(0, "Authorization")).endsWith(KEY);
  }

  @ParameterizedTest
  @EnumSource
  void asksTheModelThatTheRequestNames(Who who) {
    provider.then(200, who.says("ok", who.done()));
    SummaryRequest plain = request();
    who.open(endpoint())
        .summarize(
            new SummaryRequest(
                plain.mode(),
                "other-model",
                "My prompt.",
                plain.input(),
                null,
                100,
                plain.window(),
                plain.meter(),
                List.of()));
    assertThat(provider.body(0).string("model")).contains("other-model");
    assertThat(provider.body(0).toJson()).contains("My prompt.").doesNotContain("previous-summary");
  }

  @ParameterizedTest
  @EnumSource
  void refusalsAndEmptyAnswersAreFailures(Who who) {
    provider.then(200, who.refuses());
    assertThat(failure(who, endpoint()).details()).containsEntry("reason", "refused");
    provider.then(200, who.saysNothing()).then(200, who.saysNothing());
    assertThat(failure(who, endpoint())).hasMessageContaining("failed");
    provider.then(200, who.says("  \n ", who.done())).then(200, who.says("  \n ", who.done()));
    failure(who, endpoint());
    failure(who, endpoint());
    assertThat(failure(who, endpoint()).details()).containsEntry("reason", "empty");
  }

  @Test
  void aContentFilterIsARefusal() {
    provider.then(200, Who.OPENAI.says("half a sen", "content_filter"));
    assertThat(failure(Who.OPENAI, endpoint()).details()).containsEntry("reason", "refused");
  }

  @ParameterizedTest
  @EnumSource
  void ofAnAnswerThatWasCutOffWholeLinesCount(Who who) {
    provider.then(200, who.says("## Goal\n- one\n- tw", who.cut()));
    assertThat(who.open(endpoint()).summarize(request())).isEqualTo("## Goal\n- one");
    provider.then(200, who.says("half a line", who.cut())).then(200, who.says("x", who.cut()));
    who.open(endpoint()).summarize(request());
    assertThat(failure(who, endpoint()).details()).containsEntry("reason", "cut_off");
  }

  @ParameterizedTest
  @CsvSource({"ANTHROPIC,429", "ANTHROPIC,500", "ANTHROPIC,529", "OPENAI,429", "OPENAI,500"})
  void failuresThatMayPassAreTriedAgain(Who who, int status) {
    provider
        .then(status, who.error("overloaded_error", "come back later"))
        .then(status, who.error("overloaded_error", "come back later"))
        .then(200, who.says("at last", who.done()));
    assertThat(who.open(endpoint()).summarize(request())).isEqualTo("at last");
    assertThat(provider.requests()).isEqualTo(3);
  }

  @ParameterizedTest
  @EnumSource
  void andThenGivenUp(Who who) {
    provider.then(529, who.error("overloaded_error", "come back later " + KEY));
    ContextureException failure = failure(who, endpoint().withMaxRetries(1));
    assertThat(failure).hasMessageContaining("529").hasMessageContaining("come back later ***");
    assertThat(failure.details()).containsEntry("reason", "status_529");
    assertThat(provider.requests()).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource
  void aBadKeyIsNotTriedAgainNorRepeated(Who who) {
    provider.then(401, who.error("authentication_error", "invalid key: " + KEY));
    ContextureException failure = failure(who, endpoint());
    assertThat(failure).hasMessageContaining("401").hasMessageContaining("check the key");
    assertThat(provider.requests()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void aContextLimitIsNamed(Who who) {
    // T-81
    provider.then(400, who.tooLong());
    assertThat(failure(who, endpoint()).details()).containsEntry("reason", "context_limit");
    assertThat(provider.requests()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void slowAnswersAreNotWaitedFor(Who who) {
    provider.then(200, who.says("late", who.done()), Duration.ofHours(1));
    ContextureException failure =
        failure(who, endpoint().withTimeout(Duration.ofMillis(300)).withMaxRetries(0));
    assertThat(failure.details()).containsEntry("reason", "unreachable");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"choices\":", "<html>busy</html>", "[]", "{}", "{\"content\":7}"})
  void whatIsNoAnswerIsAFailure(String body) {
    for (Who who : Who.values()) {
      provider.then(200, body).then(200, body);
      ContextureException failure = failure(who, endpoint().withMaxRetries(0));
      assertThat(failure.details().get("reason")).isIn("unreadable", "unreachable", "empty");
    }
  }

  @ParameterizedTest
  @EnumSource
  void nobodyThere(Who who) {
    provider.close();
    ContextureException failure = failure(who, endpoint().withMaxRetries(0));
    assertThat(failure.details()).containsEntry("reason", "unreachable");
  }

  @ParameterizedTest
  @EnumSource
  void writesTheSummariesOfAnEngine(Who who) {
    // T-70, T-74: the built-in one writes where it fails, and the next attempt works
    provider
        .then(400, who.tooLong())
        .then(200, who.says("## Goal\n- written by a model", who.done()));
    ContextBrowser chat =
        Contexture.builder(new InMemoryStore())
            .summarizer(who.open(endpoint()))
            .build()
            .browser(Scope.of("acme", "shop").user("u1").conversation("c1"));
    for (int i = 0; i < 8; i++) {
      chat.startTurn("ask " + "word ".repeat(100)).finish("answer " + "word ".repeat(100));
    }
    RenderOptions options = RenderOptions.defaults().withForceSanitize(true);
    CompactionReport failed = chat.compact(options);
    assertThat(failed.warnings()).containsExactly("summarizer_failed");
    assertThat(failed.summary().orElseThrow().meta().string("summarizer_failure").orElseThrow())
        .contains("longer than it can read");
    assertThat(failed.summary().orElseThrow().text()).contains("## What the user said");
    CompactionReport done = chat.compact(options);
    assertThat(done.status()).isEqualTo(CompactionReport.Status.COMPLETED);
    assertThat(chat.render(RenderOptions.defaults()).text()).contains("- written by a model");
  }

  @Test
  void theKeyIsNeverShown() {
    assertThat(endpoint().toString()).doesNotContain(KEY).contains("small-model@http://127");
  }

  @Test
  void badSettingsAreRefused() {
    for (Runnable bad :
        List.<Runnable>of(
            () -> ModelEndpoint.of(" ", KEY),
            () -> ModelEndpoint.of("m", ""),
            () -> endpoint().at("ftp://x"),
            () -> endpoint().at("not a url"),
            () -> endpoint().withTimeout(Duration.ZERO),
            () -> endpoint().withMaxRetries(-1))) {
      assertThatExceptionOfType(ContextureException.class)
          .isThrownBy(bad::run)
          .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_CONFIG));
    }
  }

  @Test
  void opensByNameWithTheKeyOfTheEnvironment() {
    ModelSummarizers all = new ModelSummarizers();
    provider.then(200, Who.OPENAI.says("ok", "stop"));
    Summarizer open = all.open("openai", "m", provider.url(), name -> null).orElseThrow();
    assertThat(open.summarize(request())).isEqualTo("ok");
    assertThat(all.open("other", "m", null, name -> KEY)).isEmpty();
    assertThat(all.open("anthropic", "m", null, name -> KEY)).isPresent();
    assertThatExceptionOfType(ContextureException.class)
        .isThrownBy(() -> all.open("anthropic", "m", null, name -> null))
        .withMessageContaining("ANTHROPIC_API_KEY");
  }
}
