package dev.contexture.server.http;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.server.ServerLimits;
import dev.contexture.server.load.LoadLimiter;
import dev.contexture.server.load.RunningRequest;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * A body that is read as it comes and not held: no larger than allowed, and no slower than a body
 * of the usual size may be. Confined to one thread.
 */
@API(status = API.Status.INTERNAL, since = "0.2")
public final class BodyStream extends InputStream {
  private static final int CHUNK_BYTES = 64 << 10;

  private final InputStream in;
  private final long most;
  private final ServerLimits limits;
  private final RunningRequest work;
  private final LoadLimiter.Admission admission;
  private long part;
  private long size;
  private long window; // bytes since the clock was set
  private long deadline;

  private BodyStream(InputStream in, long most, Call call) {
    this.in = in;
    this.most = most;
    this.limits = call.limits();
    this.work = call.work();
    this.admission = call.admission();
    begin();
  }

  /**
   * The body of a call.
   *
   * @param most how many bytes it may have
   * @throws ContextureException {@code unsupported_type} or {@code body_too_large}
   */
  public static BodyStream of(Call call, long most) {
    check(call.http(), most);
    try {
      return new BodyStream(call.http().req().getInputStream(), most, call);
    } catch (IOException broken) {
      throw new UncheckedIOException("the body cannot be read", broken);
    }
  }

  /** Refuses a body by its headers. */
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
   * Sets memory aside for the part of the body that is held at a time, which grows.
   *
   * @throws ContextureException {@code limit_exceeded} if there can never be room for it, {@code
   *     too_many_requests} or {@code store_unavailable}
   */
  public void grow(long more) {
    part += more;
    long bytes = part * ServerLimits.BYTES_PER_BODY_BYTE;
    if (bytes > admission.most()) {
      throw ContextureException.limit(
          ErrorCode.LIMIT_EXCEEDED, "part", admission.most(), bytes, "bytes in memory");
    }
    admission.hold(more * ServerLimits.BYTES_PER_BODY_BYTE);
  }

  private void begin() {
    work.readsBody();
    window = 0;
    deadline = System.nanoTime() + limits.times().body().toNanos();
  }

  @Override
  public int read() {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  /**
   * Reads some of it.
   *
   * @throws ContextureException {@code body_too_large}, {@code limit_exceeded} if it comes too
   *     slowly, {@code malformed_json} if it breaks off
   */
  @Override
  public int read(byte[] to, int offset, int length) {
    int read;
    try {
      read = in.read(to, offset, length);
    } catch (IOException broken) {
      throw new ContextureException(
          ErrorCode.MALFORMED_JSON,
          "the body ended early, or nothing of it came for too long",
          Map.of("field", "body"),
          broken);
    }
    if (read < 0) {
      work.transfers();
      return read;
    }
    size += read;
    window += read;
    if (size > most) {
      throw ContextureException.limit(ErrorCode.BODY_TOO_LARGE, "body", most, size, "bytes");
    }
    if (System.nanoTime() > deadline) {
      throw tooSlow();
    }
    if (window >= limits.bodyBytes()) {
      begin();
    }
    return read;
  }

  private ContextureException tooSlow() {
    long seconds = limits.times().body().toSeconds();
    return new ContextureException(
        ErrorCode.LIMIT_EXCEEDED,
        "the next "
            + limits.bodyBytes()
            + " bytes of the body took more than "
            + seconds
            + " s to come",
        Map.of("field", "body", "limit", seconds),
        null);
  }

  /**
   * Reads what is left, within the same bounds: most callers listen only when they have said
   * everything.
   */
  public void drain() {
    byte[] chunk = new byte[CHUNK_BYTES];
    try {
      int read;
      do {
        read = read(chunk, 0, chunk.length);
      } while (read >= 0);
    } catch (ContextureException enough) {
      System.getLogger(BodyStream.class.getName())
          .log(System.Logger.Level.DEBUG, "a body was not read to its end", enough);
    }
  }
}
