package dev.contexture.server;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.time.Duration;
import org.apiguardian.api.API;

/**
 * Every bound of a server in one place; those of what it stores are in {@link
 * dev.contexture.block.Limits}. What is beyond is refused with a problem, and nothing is changed.
 *
 * @param bodyBytes the body of one request
 * @param bodiesBytes the bodies of all requests that are being read or worked on, together
 * @param bodyTime how long a body may take to come, however steadily it does
 * @param headerBytes the headers of one request
 * @param connections open connections; others wait
 * @param requests requests that run at the same time, without event streams
 * @param streams event streams that are open at the same time
 */
@API(status = API.Status.STABLE, since = "0.1")
public record ServerLimits(
    int bodyBytes,
    long bodiesBytes,
    Duration bodyTime,
    int headerBytes,
    int connections,
    int requests,
    int streams) {
  /** Calls that wait for approval at the same time; they are no running requests. */
  public static final int WAITING_CALLS = 256;

  /** 64 MiB per body and 256 MiB in all, 60 seconds, 16 KiB of headers. */
  public static final ServerLimits DEFAULT =
      new ServerLimits(64 << 20, 256L << 20, Duration.ofSeconds(60), 16 << 10, 4_096, 512, 1_024);

  public ServerLimits {
    boolean positive =
        bodyBytes > 0
            && bodiesBytes >= bodyBytes
            && bodyTime.toMillis() > 0
            && headerBytes > 0
            && connections > 0
            && requests > 0
            && streams > 0;
    if (!positive) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_CONFIG,
          "server limits",
          bodyBytes
              + ", "
              + bodiesBytes
              + ", "
              + bodyTime
              + ", "
              + headerBytes
              + ", "
              + connections
              + ", "
              + requests
              + ", "
              + streams,
          "positive numbers, and room for at least one body");
    }
  }

  public ServerLimits withBodies(int one, long together, Duration time) {
    return new ServerLimits(one, together, time, headerBytes, connections, requests, streams);
  }

  public ServerLimits withConcurrency(int running, int streaming) {
    return new ServerLimits(
        bodyBytes, bodiesBytes, bodyTime, headerBytes, connections, running, streaming);
  }
}
