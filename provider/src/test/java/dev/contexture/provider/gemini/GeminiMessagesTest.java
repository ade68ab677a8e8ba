package dev.contexture.provider.gemini;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.model.ModelRef;
import dev.contexture.render.Message;
import dev.contexture.request.FittedMessages;
import dev.contexture.view.MessageRole;
import dev.contexture.view.Part;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** M-99. */
class GeminiMessagesTest {
  private static Message says(MessageRole role, String... texts) {
    return new Message(
        role, java.util.Arrays.stream(texts).map(t -> (Part) new Part.Text(t)).toList());
  }

  @ParameterizedTest
  @CsvSource({
    "gemini, anything, true",
    "google-Gemini, x, true",
    "vertex, models/Gemini-3-pro, true",
    "vertex, gemini-3/tuned, false",
    "openai_chat, my-gemini, false",
    "anthropic, claude-opus-5, false"
  })
  void knowsItsModels(String provider, String model, boolean gemini) {
    assertThat(GeminiMessages.isFor(new ModelRef(provider, model))).isEqualTo(gemini);
  }

  @Test
  void removesEmptyMessagesThenStartsWithTheUser() {
    FittedMessages fixed =
        GeminiMessages.of(
            List.of(
                says(MessageRole.USER, " ", "\n"),
                says(MessageRole.ASSISTANT, "hello"),
                says(MessageRole.USER, "", "hi"),
                new Message(MessageRole.ASSISTANT, List.of())));
    assertThat(fixed.messages())
        .containsExactly(
            says(MessageRole.USER, "[conversation continues]"),
            says(MessageRole.ASSISTANT, "hello"),
            says(MessageRole.USER, "", "hi"));
    assertThat(fixed.places()).containsExactly(-1, 1, 2, -1);
  }

  @Test
  void leavesAnEmptyListEmpty() {
    assertThat(GeminiMessages.of(List.of()).messages()).isEmpty();
    assertThat(GeminiMessages.of(List.of(says(MessageRole.USER, ""))).messages()).isEmpty();
  }
}
