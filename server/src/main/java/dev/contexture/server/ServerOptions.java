package dev.contexture.server;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.time.Duration;
import org.apiguardian.api.API;

/**
 * How a server runs.
 *
 * @param host a loopback address; others need keys, which are not there yet
 * @param port 0: a free one
 * @param version what {@code /healthz} says is running
 * @param store the name of the store
 * @param idle how long a connection may do nothing, and how long a reader of events may not read,
 *     before it is dropped
 * @param stop how long a stop waits for requests that run
 */
@API(status = API.Status.STABLE, since = "0.1")
public record ServerOptions(
    String host, int port, String version, String store, Duration idle, Duration stop) {
  /** The port of a server that is told none. */
  public static final int DEFAULT_PORT = 8321;

  private static final int MAX_PORT = 65_535;

  public ServerOptions {
    if (!Guard.isLoopback(host)) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_PARAMS,
          "host",
          host,
          "127.0.0.1, ::1 or localhost; serving other hosts needs keys, which this version has"
              + " not");
    }
    if (port < 0 || port > MAX_PORT) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_PARAMS, "port", port, "0 to " + MAX_PORT + "; 0 takes a free one");
    }
    if (idle.toMillis() < 1 || stop.isNegative()) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_CONFIG, "idle, stop", idle + ", " + stop, "positive durations");
    }
  }

  /** On 127.0.0.1 and the default port. */
  public static ServerOptions local(String version) {
    return new ServerOptions(
        "127.0.0.1",
        DEFAULT_PORT,
        version,
        "sqlite",
        Duration.ofSeconds(30),
        Duration.ofSeconds(10));
  }

  public ServerOptions withHost(String host) {
    return new ServerOptions(host, port, version, store, idle, stop);
  }

  public ServerOptions withPort(int port) {
    return new ServerOptions(host, port, version, store, idle, stop);
  }

  public ServerOptions withStore(String store) {
    return new ServerOptions(host, port, version, store, idle, stop);
  }

  public ServerOptions withIdle(Duration idle) {
    return new ServerOptions(host, port, version, store, idle, stop);
  }
}
