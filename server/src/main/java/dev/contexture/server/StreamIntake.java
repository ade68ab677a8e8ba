package dev.contexture.server;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.model.AnswerStream;
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
   * Reads the stream as far as it comes: what breaks off is what had come until then.
   *
   * @throws ContextureException {@code body_too_large}, or what the stream itself is refused with
   */
  static void read(Call call, AnswerStream answer) {
    call.work().readsBody();
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
        answer.accept(chunk, 0, read);
      }
    } catch (IOException broken) {
      System.getLogger(StreamIntake.class.getName())
          .log(System.Logger.Level.DEBUG, "a stream broke off; what came of it is kept", broken);
    }
    call.work().hasBody();
  }
}
