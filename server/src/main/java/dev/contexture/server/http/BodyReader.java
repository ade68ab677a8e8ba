package dev.contexture.server.http;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.server.ServerLimits;
import dev.contexture.server.load.JsonCost;
import dev.contexture.server.load.LoadLimiter;
import dev.contexture.server.load.RunningRequest;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;

/** Reads the body of one request as text, within its limits. Confined to the request's thread. */
record BodyReader(
    Context http, LoadLimiter.Admission admission, RunningRequest work, ServerLimits limits) {
  private static final int CHUNK_BYTES = 64 << 10;

  /**
   * All of it.
   *
   * @throws ContextureException {@code unsupported_type}, {@code body_too_large}, {@code
   *     malformed_json} or {@code limit_exceeded}
   */
  String text() {
    check(http, limits.bodyBytes());
    long announced = http.req().getContentLengthLong();
    work.readsBody();
    try (InputStream in = http.req().getInputStream()) {
      String body = BodyText.of(taken(in, (int) Math.max(announced, 0)));
      work.hasBody();
      new RequestMemory(admission).hold("body", ErrorCode.BODY_TOO_LARGE, JsonCost.of(body));
      return body;
    } catch (CharacterCodingException notUtf8) {
      throw new ContextureException(
          ErrorCode.MALFORMED_JSON, "the body is not UTF-8", Map.of("field", "body"), notUtf8);
    } catch (IOException broken) {
      throw new ContextureException(
          ErrorCode.MALFORMED_JSON,
          "the body ended early, or nothing of it came for too long",
          Map.of("field", "body"),
          broken);
    }
  }

  /** Refuses a body that is coded, or announced as larger than allowed. */
  static void check(Context http, long most) {
    String coded = http.header("Content-Encoding");
    if (coded != null && !coded.equalsIgnoreCase("identity")) {
      throw ContextureException.invalid(
          ErrorCode.UNSUPPORTED_TYPE, "Content-Encoding", coded, "none: send the body as it is");
    }
    long announced = http.req().getContentLengthLong();
    if (announced > most) {
      throw ContextureException.limit(ErrorCode.BODY_TOO_LARGE, "body", most, announced, "bytes");
    }
  }

  /**
   * The body, or a refusal if there is no room for it now. What is refused is still read for a
   * while, since most callers listen only when they have said everything.
   */
  private byte[] taken(InputStream in, int announced) throws IOException {
    try {
      admission.body(announced);
      return bytes(in, announced);
    } catch (ContextureException refused) {
      if (refused.retryable()) {
        drain(in);
      }
      throw refused;
    }
  }

  private void drain(InputStream in) throws IOException {
    long deadline = System.nanoTime() + limits.times().body().toNanos();
    byte[] chunk = new byte[CHUNK_BYTES];
    long left = limits.bodyBytes();
    while (left > 0 && System.nanoTime() < deadline) {
      int read = in.read(chunk);
      if (read < 0) {
        return;
      }
      left -= read;
      giveWay();
    }
    http.header("Connection", "close");
  }

  /**
   * Reads the body piece by piece, so that neither its size nor its pace goes beyond the limits.
   * What was announced has its room; more of it is asked for as more comes.
   */
  private byte[] bytes(InputStream in, int announced) throws IOException {
    Duration most = limits.times().body();
    long deadline = System.nanoTime() + most.toNanos();
    byte[] body = new byte[announced];
    int size = 0;
    int whole = announced > 0 ? announced + 1 : CHUNK_BYTES; // one more, to see the end
    byte[] chunk = new byte[Math.min(CHUNK_BYTES, whole)];
    for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
      if (size + read > limits.bodyBytes()) {
        throw tooLarge((long) size + read);
      }
      if (System.nanoTime() > deadline) {
        http.header("Connection", "close");
        throw new ContextureException(
            ErrorCode.LIMIT_EXCEEDED,
            "the body took more than " + most.toSeconds() + " s to come",
            Map.of("field", "body", "limit", most.toSeconds()),
            null);
      }
      if (size + read > body.length) {
        int more = Math.min(Math.max(size + read, size * 2), limits.bodyBytes());
        admission.body(more - body.length);
        body = Arrays.copyOf(body, more);
      }
      System.arraycopy(chunk, 0, body, size, read);
      size += read;
      if (size >= CHUNK_BYTES) {
        giveWay();
      }
    }
    return size == body.length ? body : Arrays.copyOf(body, size);
  }

  /** Lets others run: a virtual thread that always finds bytes gives its processor to nobody. */
  @SuppressWarnings("ThreadPriorityCheck") // nothing relies on it but how fast others are
  private static void giveWay() {
    Thread.yield();
  }

  private ContextureException tooLarge(long bytes) {
    return ContextureException.limit(
        ErrorCode.BODY_TOO_LARGE, "body", limits.bodyBytes(), bytes, "bytes");
  }
}
