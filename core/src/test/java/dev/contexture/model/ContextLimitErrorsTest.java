package dev.contexture.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which errors are about the length of the context (T-81, V8). */
class ContextLimitErrorsTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "prompt is too long: 210123 tokens > 200000 maximum",
        "This model's maximum context length is 8192 tokens. However, you requested 9000",
        "Your input exceeds the context window of this model",
        "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)",
        "Input is too long for requested model.",
        "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000"
      })
  void areAboutTheContext(String message) {
    assertThat(ContextLimitErrors.isContextLimit(400, "invalid_request_error", message)).isTrue();
    assertThat(ContextLimitErrors.isContextLimit(0, null, message)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "max_tokens: 100000 > 64000, which is the maximum allowed number of output tokens",
        "'max_tokens' or 'max_completion_tokens' is too large: 40000. This model's maximum context"
            + " length is 32768 tokens",
        "max_output_tokens must be between 1 and 65536",
        "Request too large on tokens per min",
        "file name is too long"
      })
  void areAboutSomethingElse(String message) {
    assertThat(ContextLimitErrors.isContextLimit(400, "invalid_request_error", message)).isFalse();
  }

  @Test
  void codesDecideAndSomeStatusesNever() {
    assertThat(ContextLimitErrors.isContextLimit(400, "context_length_exceeded", null)).isTrue();
    assertThat(ContextLimitErrors.isContextLimit(200, "model_context_window_exceeded", ""))
        .isTrue();
    for (int status : new int[] {401, 403, 404, 429}) {
      assertThat(
              ContextLimitErrors.isContextLimit(
                  status, "context_length_exceeded", "prompt is too long"))
          .isFalse();
    }
    assertThat(ContextLimitErrors.isContextLimit(500, null, null)).isFalse();
  }
}
