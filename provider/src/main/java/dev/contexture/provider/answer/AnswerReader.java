package dev.contexture.provider.answer;

import dev.contexture.model.AnswerStream;
import dev.contexture.model.ModelAnswer;
import dev.contexture.model.ModelRef;
import org.apiguardian.api.API;

/** Reads the answers of one wire format. Thread-safe, pure. */
@API(status = API.Status.STABLE, since = "0.1")
public sealed interface AnswerReader
    permits AnthropicReader, ChatReader, ResponsesReader, GeminiReader {
  /** The largest answer that is read, in bytes (P-73). */
  int MAX_ANSWER_BYTES = 32 << 20;

  /** The largest event of a stream, in bytes (P-73). */
  int MAX_EVENT_BYTES = 8 << 20;

  /** The deepest nesting of an answer (P-73). */
  int MAX_DEPTH = 64;

  /** Reads Anthropic Messages. */
  static AnswerReader anthropicMessages() {
    return new AnthropicReader();
  }

  /** Reads OpenAI Chat Completions. */
  static AnswerReader openAiChat() {
    return new ChatReader();
  }

  /** Reads OpenAI Responses. */
  static AnswerReader openAiResponses() {
    return new ResponsesReader();
  }

  /** Reads what Gemini generates. */
  static AnswerReader gemini() {
    return new GeminiReader();
  }

  /**
   * Reads a whole answer.
   *
   * @param answer the body of the response, in UTF-8
   * @param model whom the request was for
   * @throws dev.contexture.model.AnswerException if it is no answer, too large, or an error
   */
  ModelAnswer read(byte[] answer, ModelRef model);

  /** Starts to read a streamed answer. */
  AnswerStream open(ModelRef model);
}
