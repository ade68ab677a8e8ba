package dev.contexture.provider.wire.answer;

import dev.contexture.json.JsonObject;
import dev.contexture.model.AnswerException;
import dev.contexture.model.AnswerStream;
import dev.contexture.model.ModelAnswer;
import dev.contexture.model.ModelRef;
import org.apiguardian.api.API;

/** Reads the answers of one wire format. Thread-safe, pure. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public abstract class AnswerReader {
  /** The largest answer that is read, in bytes. */
  public static final int MAX_ANSWER_BYTES = 32 << 20;

  /** The largest event of a stream, in bytes. */
  public static final int MAX_EVENT_BYTES = 8 << 20;

  /** The deepest nesting of an answer. */
  public static final int MAX_DEPTH = 64;

  /**
   * Reads a whole answer.
   *
   * @param answer the body of the response, in UTF-8
   * @param model whom the request was for
   * @throws AnswerException if it is no answer, too large, or an error
   */
  public final ModelAnswer read(byte[] answer, ModelRef model) {
    if (answer.length > MAX_ANSWER_BYTES) {
      throw AnswerException.tooLarge(model.provider(), "the answer", MAX_ANSWER_BYTES, "bytes");
    }
    AnswerJson json = new AnswerJson(model.provider());
    String text = json.whole(answer);
    JsonObject body = json.object(text);
    ErrorBody.refuse(model.provider(), body);
    return read(text, body, json, new ReplyBuilder(model));
  }

  /**
   * Reads an answer that is no error.
   *
   * @param text the answer as it came
   * @param body the same, parsed
   */
  protected abstract ModelAnswer read(
      String text, JsonObject body, AnswerJson json, ReplyBuilder reply);

  /** Starts to read a streamed answer. */
  public abstract AnswerStream open(ModelRef model);
}
