package dev.contexture.server;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.time.Duration;
import java.util.List;
import org.apiguardian.api.API;

/**
 * Every bound of a server in one place; those of what it stores are in {@link
 * dev.contexture.block.Limits}. What is beyond is refused with a problem, and nothing is changed.
 *
 * @param bodyBytes the body of one request
 * @param memoryBytes what all requests that run may hold together: a byte of a body counts {@value
 *     #BYTES_PER_BODY_BYTE} times, since it is held as bytes, as text and as values, and each JSON
 *     value and each byte of a conversation that is rendered counts too
 * @param headerBytes the headers of one request
 * @param connections open connections; beyond, those that do nothing are closed
 * @param requests requests that run at the same time, without event streams
 * @param streams event streams that are open at the same time
 * @param times how long requests may take
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ServerLimits(
    int bodyBytes,
    long memoryBytes,
    int headerBytes,
    int connections,
    int requests,
    int streams,
    ServerTimes times) {
  /** An archive that is sent as it is; it goes to a temporary file. */
  public static final long ARCHIVE_BYTES = 4L << 30;

  /** Calls that wait for approval at the same time; they are no running requests. */
  public static final int WAITING_CALLS = 256;

  /** Changes that wait for one reader of the events of a project; it is told of those beyond. */
  public static final int WAITING_CHANGES = 1_000;

  /** Sessions of hosts of the Model Context Protocol, of all keys together and of each. */
  public static final int MCP_SESSIONS = 1_000;

  public static final int MCP_SESSIONS_PER_KEY = 200;

  /** How long a session of a host lasts that nobody uses or follows. */
  public static final Duration MCP_IDLE = Duration.ofHours(1);

  /** How many bytes of memory a byte of a body takes until it is stored. */
  public static final int BYTES_PER_BODY_BYTE = 4;

  private static final int MAX_BODY_BYTES = 64 << 20;
  private static final double HEAP_FOR_REQUESTS = 0.6;
  private static final double ONE_ALONE = 0.9;

  /** The limits for the heap that this process may use. */
  public static final ServerLimits DEFAULT = forHeap(Runtime.getRuntime().maxMemory());

  public ServerLimits {
    boolean positive =
        bodyBytes > 0
            && (long) (memoryBytes * ONE_ALONE) >= (long) bodyBytes * BYTES_PER_BODY_BYTE
            && headerBytes > 0
            && connections > 0
            && requests > 0
            && streams > 0;
    if (!positive) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_CONFIG,
          "server limits",
          List.of(bodyBytes, memoryBytes, headerBytes, connections, requests, streams),
          "positive numbers, and nine tenths of the memory for one body, "
              + BYTES_PER_BODY_BYTE
              + " times its size");
    }
  }

  /**
   * The limits of a server whose heap has a size: requests may hold three fifths of it, and a body
   * is at most 64 MiB and at most what one caller alone may hold.
   */
  public static ServerLimits forHeap(long bytes) {
    long memory = Math.max(1 << 20, (long) (bytes * HEAP_FOR_REQUESTS));
    long body = Math.min(MAX_BODY_BYTES, (long) (memory * ONE_ALONE) / BYTES_PER_BODY_BYTE);
    return new ServerLimits((int) body, memory, 16 << 10, 4_096, 512, 1_024, ServerTimes.DEFAULT);
  }

  /**
   * @param one bytes of one body
   * @param together bytes of all bodies
   */
  public ServerLimits withBodies(int one, long together) {
    return new ServerLimits(
        one, together * BYTES_PER_BODY_BYTE, headerBytes, connections, requests, streams, times);
  }

  public ServerLimits withConnections(int open) {
    return new ServerLimits(bodyBytes, memoryBytes, headerBytes, open, requests, streams, times);
  }

  public ServerLimits withConcurrency(int running, int streaming) {
    return new ServerLimits(
        bodyBytes, memoryBytes, headerBytes, connections, running, streaming, times);
  }

  public ServerLimits withTimes(ServerTimes others) {
    return new ServerLimits(
        bodyBytes, memoryBytes, headerBytes, connections, requests, streams, others);
  }
}
