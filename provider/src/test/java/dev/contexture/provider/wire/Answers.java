package dev.contexture.provider.wire;

import dev.contexture.model.AnswerStream;
import dev.contexture.model.ModelAnswer;
import dev.contexture.model.ModelRef;
import dev.contexture.provider.anthropic.AnthropicFormat;
import dev.contexture.provider.gemini.GeminiFormat;
import dev.contexture.provider.openai.ChatFormat;
import dev.contexture.provider.openai.ResponsesFormat;
import java.nio.charset.StandardCharsets;

/** Reads answers given as text. */
public final class Answers {
  public static final ModelRef CLAUDE = new ModelRef("anthropic", "claude-opus-5");
  public static final ModelRef GPT = new ModelRef("openai", "gpt-5.6-terra");
  public static final ModelRef GEMINI = new ModelRef("gemini", "gemini-3.5-flash");

  private Answers() {}

  public static ModelAnswer anthropic(String answer) {
    return new AnthropicFormat().reader().read(bytes(answer), CLAUDE);
  }

  public static ModelAnswer chat(String answer) {
    return new ChatFormat().reader().read(bytes(answer), GPT);
  }

  public static ModelAnswer anthropicStream(String wire) {
    return whole(new AnthropicFormat().reader().open(CLAUDE), wire);
  }

  public static ModelAnswer chatStream(String wire) {
    return whole(new ChatFormat().reader().open(GPT), wire);
  }

  public static ModelAnswer responses(String answer) {
    return new ResponsesFormat().reader().read(bytes(answer), GPT);
  }

  public static ModelAnswer gemini(String answer) {
    return new GeminiFormat().reader().read(bytes(answer), GEMINI);
  }

  public static ModelAnswer responsesStream(String wire) {
    return whole(new ResponsesFormat().reader().open(GPT), wire);
  }

  public static ModelAnswer geminiStream(String wire) {
    return whole(new GeminiFormat().reader().open(GEMINI), wire);
  }

  private static ModelAnswer whole(AnswerStream stream, String wire) {
    stream.accept(bytes(wire));
    return stream.end();
  }

  public static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
