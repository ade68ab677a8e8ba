package dev.contexture.server.conversation;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.model.AnswerException;
import dev.contexture.model.AnswerStream;
import dev.contexture.model.Cut;
import dev.contexture.model.ModelAnswer;
import dev.contexture.server.http.Call;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;

/** Takes a provider's stream in, as the body of a call. */
final class StreamIntake {
  private static final int CHUNK_BYTES = 64 << 10;

  private StreamIntake() {}

  /** Whether the body of a call is a stream of events. */
  static boolean isStream(Call call) {
    String type = call.http().header("Content-Type");
    return type != null && type.toLowerCase(Locale.ROOT).startsWith("text/event-stream");
  }

  /**
   * Reads the stream as far as it can be read: what breaks off, pauses or lasts for too long, or
   * goes on in a way that cannot be read, is what had come until then.
   *
   * @throws ContextureException {@code body_too_large}; {@code answer_malformed}, {@code
   *     answer_error} if nothing of an answer came, so that the request can be answered still
   */
  static ModelAnswer read(Call call, AnswerStream stream) {
    ModelAnswer answer;
    try {
      take(call, stream);
      answer = stream.end();
    } catch (AnswerException failure) {
      answer =
          failure
              .partial()
              .filter(partial -> failure.code() == ErrorCode.ANSWER_MALFORMED && !isEmpty(partial))
              .orElseThrow(() -> failure);
    }
    if (isEmpty(answer)) {
      refuse(answer);
    }
    return answer;
  }

  private static void take(Call call, AnswerStream stream) {
    call.work().takesStream();
    long deadline = System.nanoTime() + call.limits().times().intake().toNanos();
    byte[] chunk = new byte[CHUNK_BYTES];
    int most = call.limits().bodyBytes();
    long size = 0;
    try (InputStream in = call.http().req().getInputStream()) {
      for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
        size += read;
        if (size > most) {
          throw ContextureException.limit(ErrorCode.BODY_TOO_LARGE, "body", most, size, "bytes");
        }
        call.admission().body(read);
        stream.accept(chunk, 0, read);
        call.work().cameBytes();
        if (System.nanoTime() > deadline) {
          call.http().header("Connection", "close"); // the rest of it is not read
          break;
        }
      }
    } catch (IOException broken) {
      System.getLogger(StreamIntake.class.getName())
          .log(System.Logger.Level.DEBUG, "a stream broke off; what came of it is kept", broken);
    }
    call.work().hasStream();
  }

  private static boolean isEmpty(ModelAnswer answer) {
    return answer.texts().isEmpty() && answer.calls().isEmpty() && answer.opaque().isEmpty();
  }

  /** Refuses an answer that says nothing because of an error, or because it was none. */
  private static void refuse(ModelAnswer answer) {
    Cut cut = answer.cut().orElse(null);
    if (cut != null && cut.kind() == Cut.Kind.ERROR) {
      throw AnswerException.error(answer.provider(), cut.errorCode(), cut.errorMessage());
    }
    if (cut != null && answer.id().isEmpty() && answer.usage().isEmpty()) {
      throw AnswerException.malformed(
          answer.provider(), "", "a stream of events", "no event of an answer");
    }
  }
}
