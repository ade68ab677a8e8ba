package dev.contexture.model;

import org.apiguardian.api.API;

/**
 * Reads a streamed answer as its bytes come in; how they are split does not matter. Confined to one
 * thread. After an exception it takes nothing more.
 */
@API(status = API.Status.STABLE, since = "0.1")
public interface AnswerStream {
  /**
   * Takes the next bytes of the body.
   *
   * @throws AnswerException if they are not an answer of this format, or the answer is too large
   */
  void accept(byte[] bytes, int offset, int length);

  /** Takes the next bytes of the body. */
  default void accept(byte[] bytes) {
    accept(bytes, 0, bytes.length);
  }

  /** Whether the end that the format knows has been read; more bytes change nothing. */
  boolean ended();

  /**
   * The answer. A stream that did not reach its end, or that brought an error, gives what it had
   * said until then, with {@link ModelAnswer#cut} set. Call it once.
   */
  ModelAnswer end();
}
