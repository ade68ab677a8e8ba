package dev.contexture.provider.answer;

import dev.contexture.model.AnswerStream;
import dev.contexture.model.ModelAnswer;
import dev.contexture.model.ModelRef;
import java.nio.charset.StandardCharsets;

/** Reads answers given as text. */
final class Answers {
  static final ModelRef CLAUDE = new ModelRef("anthropic", "claude-opus-5");
  static final ModelRef GPT = new ModelRef("openai", "gpt-5.6-terra");
  static final ModelRef GEMINI = new ModelRef("gemini", "gemini-3.5-flash");

  private Answers() {}

  static ModelAnswer anthropic(String answer) {
    return AnswerReader.anthropicMessages().read(bytes(answer), CLAUDE);
  }

  static ModelAnswer chat(String answer) {
    return AnswerReader.openAiChat().read(bytes(answer), GPT);
  }

  static ModelAnswer anthropicStream(String wire) {
    return whole(AnswerReader.anthropicMessages().open(CLAUDE), wire);
  }

  static ModelAnswer chatStream(String wire) {
    return whole(AnswerReader.openAiChat().open(GPT), wire);
  }

  static ModelAnswer responses(String answer) {
    return AnswerReader.openAiResponses().read(bytes(answer), GPT);
  }

  static ModelAnswer gemini(String answer) {
    return AnswerReader.gemini().read(bytes(answer), GEMINI);
  }

  static ModelAnswer responsesStream(String wire) {
    return whole(AnswerReader.openAiResponses().open(GPT), wire);
  }

  static ModelAnswer geminiStream(String wire) {
    return whole(AnswerReader.gemini().open(GEMINI), wire);
  }

  private static ModelAnswer whole(AnswerStream stream, String wire) {
    stream.accept(bytes(wire));
    return stream.end();
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
