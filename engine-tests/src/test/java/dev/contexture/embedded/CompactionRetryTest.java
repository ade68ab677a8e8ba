package dev.contexture.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.ContextBrowser;
import dev.contexture.Turn;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.model.AnswerException;
import dev.contexture.model.ContextLimitErrors;
import dev.contexture.render.RenderOptions;
import dev.contexture.render.RenderedContext;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A second call with a smaller context, where the first was too long (T-80, T-81). */
class CompactionRetryTest extends CompactionFixture {
  private final List<RenderedContext> sent = new ArrayList<>();

  private RuntimeException tooLong() {
    return new IllegalStateException("prompt is too long: 210123 tokens > 200000 maximum");
  }

  @Test
  void callsOnceIfThatWorks() {
    // T-80, checklist 58
    ContextBrowser chat = grown(chat(), 5);
    String answer = chat.withRetry(RenderOptions.defaults(), c -> sent.add(c) ? "ok" : "no");
    assertThat(answer).isEqualTo("ok");
    assertThat(sent).hasSize(1);
    assertThat(calls).hasValue(0);
  }

  @Test
  void compactsAndCallsOnceMore() {
    // T-80
    ContextBrowser chat = grown(chat(), 10);
    String answer =
        chat.withRetry(
            RenderOptions.defaults(),
            context -> {
              sent.add(context);
              if (sent.size() == 1) {
                throw tooLong();
              }
              return "ok";
            });
    assertThat(answer).isEqualTo("ok");
    assertThat(sent).hasSize(2);
    assertThat(sent.getLast().report().stableTokens())
        .isLessThan(sent.getFirst().report().stableTokens());
    assertThat(chat.summaries()).hasSize(1);
  }

  @Test
  void throwsTheSecondFailureWhateverItIs() {
    // T-80: exactly one more call
    ContextBrowser chat = grown(chat(), 10);
    assertThatThrownBy(
            () ->
                chat.withRetry(
                    RenderOptions.defaults(),
                    context -> {
                      sent.add(context);
                      throw new IllegalStateException(tooLong().getMessage() + sent.size());
                    }))
        .hasMessageEndingWith("maximum2");
    assertThat(sent).hasSize(2);
    assertThat(chat.summaries()).hasSize(1);
  }

  @Test
  void throwsOtherFailuresAtOnce() {
    // T-80, T-81
    ContextBrowser chat = grown(chat(), 10);
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(
            () ->
                chat.withRetry(
                    RenderOptions.defaults(),
                    context -> {
                      sent.add(context);
                      throw new IOException("connection reset");
                    }));
    assertThat(sent).hasSize(1);
    assertThat(chat.summaries()).isEmpty();
  }

  @Test
  void doesNotRepeatWhatIsTheSame() {
    // T-80: marked no_progress
    ContextBrowser chat = chat();
    Turn turn = chat.startTurn("hello");
    assertThatThrownBy(
            () ->
                turn.withRetry(
                    RenderOptions.defaults(),
                    context -> {
                      sent.add(context);
                      throw tooLong();
                    }))
        .hasMessageContaining("prompt is too long")
        .satisfies(
            thrown ->
                assertThat(thrown.getSuppressed())
                    .singleElement()
                    .isInstanceOfSatisfying(
                        ContextureException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.NO_PROGRESS)));
    assertThat(sent).hasSize(1);
  }

  @Test
  void asksTheCallersClassifier() {
    // T-81: a status that says that it is the rate
    ContextBrowser chat = grown(chat(), 10);
    assertThatThrownBy(
            () ->
                chat.withRetry(
                    RenderOptions.defaults(),
                    failure -> ContextLimitErrors.isContextLimit(429, null, failure.getMessage()),
                    context -> {
                      sent.add(context);
                      throw tooLong();
                    }))
        .hasMessageContaining("prompt is too long");
    assertThat(sent).hasSize(1);
  }

  @Test
  void readsTheProvidersCodeAndCauses() {
    // T-81
    assertThat(
            ContextLimitErrors.isContextLimit(
                AnswerException.error("openai", "context_length_exceeded", "no")))
        .isTrue();
    assertThat(
            ContextLimitErrors.isContextLimit(
                AnswerException.error("openai", "rate_limit", "tokens per min")))
        .isFalse();
    assertThat(ContextLimitErrors.isContextLimit(new IOException("failed", tooLong()))).isTrue();
    assertThat(ContextLimitErrors.isContextLimit(new IOException())).isFalse();
  }
}
