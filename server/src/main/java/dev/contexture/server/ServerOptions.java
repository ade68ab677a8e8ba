package dev.contexture.server;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.server.access.OriginGuard;
import dev.contexture.server.keys.KeyRing;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Options of a server.
 *
 * @param host where it listens; without keys a loopback address
 * @param port 0: a free one
 * @param version what {@code /healthz} says is running
 * @param store the name of the store
 * @param data where the store is, for the page that says what is running; empty: not said
 * @param idle how long a connection may do nothing, and how long a reader of events may not read,
 *     before it is dropped
 * @param stop how long a stop waits for requests that run
 * @param keys who may call; null: everybody on this machine, as admin
 * @param log gets a line of JSON for every failure that is no fault of a caller; many threads call
 *     it
 * @param logRequests whether it gets a line for every request too
 * @param limits its bounds
 * @param lastResort what is done when memory is gone; by default the process ends
 * @param duties TLS, audit, metrics and retention
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ServerOptions(
    String host,
    int port,
    String version,
    String store,
    String data,
    Duration idle,
    Duration stop,
    @Nullable KeyRing keys,
    Consumer<String> log,
    boolean logRequests,
    ServerLimits limits,
    Runnable lastResort,
    ServerDuties duties) {
  /** The port of a server that is told none. */
  public static final int DEFAULT_PORT = 8321;

  private static final int MAX_PORT = 65_535;

  public ServerOptions {
    if (keys == null && !OriginGuard.isLoopback(host)) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT,
          "host",
          host,
          "127.0.0.1, ::1 or localhost; serving other hosts needs keys: make one with 'contexture"
              + " keys add --keys FILE --tenant T --project P --role admin' and serve with --keys"
              + " FILE");
    }
    if (port < 0 || port > MAX_PORT) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT, "port", port, "0 to " + MAX_PORT + "; 0 takes a free one");
    }
    if (idle.toMillis() < 1 || stop.isNegative()) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_CONFIG, "idle, stop", idle + ", " + stop, "positive durations");
    }
  }

  /** On 127.0.0.1 and the default port, without keys; requests are not logged. */
  public static ServerOptions local(String version) {
    return new ServerOptions(
        "127.0.0.1",
        DEFAULT_PORT,
        version,
        "sqlite",
        "",
        Duration.ofSeconds(30),
        Duration.ofSeconds(10),
        null,
        ServerOptions::logged,
        false,
        ServerLimits.DEFAULT,
        OutOfMemoryExit::halt,
        ServerDuties.NONE);
  }

  /**
   * Refuses a port that is taken, before anything is opened for a server that could not start.
   *
   * @throws ContextureException {@code invalid_argument}
   */
  public void requireFreePort() {
    try (ServerSocket tried = new ServerSocket()) {
      tried.setReuseAddress(true); // as the server itself does
      tried.bind(new InetSocketAddress(host, port));
    } catch (IOException taken) {
      throw portTaken(taken);
    }
  }

  ContextureException portTaken(Exception cause) {
    return new ContextureException(
        ErrorCode.INVALID_ARGUMENT,
        "port "
            + port
            + " of "
            + host
            + " cannot be taken; end what listens there, or give another one, or 0 for a free one",
        Map.of("field", "port", "actual", port),
        cause);
  }

  /** Another host; one that is not loopback needs {@link #withKeys} first. */
  public ServerOptions withHost(String host) {
    return new ServerOptions(
        host,
        port,
        version,
        store,
        data,
        idle,
        stop,
        keys,
        log,
        logRequests,
        limits,
        lastResort,
        duties);
  }

  public ServerOptions withPort(int port) {
    return new ServerOptions(
        host,
        port,
        version,
        store,
        data,
        idle,
        stop,
        keys,
        log,
        logRequests,
        limits,
        lastResort,
        duties);
  }

  public ServerOptions withStore(String store) {
    return new ServerOptions(
        host,
        port,
        version,
        store,
        data,
        idle,
        stop,
        keys,
        log,
        logRequests,
        limits,
        lastResort,
        duties);
  }

  public ServerOptions withData(String data) {
    return new ServerOptions(
        host,
        port,
        version,
        store,
        data,
        idle,
        stop,
        keys,
        log,
        logRequests,
        limits,
        lastResort,
        duties);
  }

  public ServerOptions withIdle(Duration idle) {
    return new ServerOptions(
        host,
        port,
        version,
        store,
        data,
        idle,
        stop,
        keys,
        log,
        logRequests,
        limits,
        lastResort,
        duties);
  }

  public ServerOptions withStop(Duration stop) {
    return new ServerOptions(
        host,
        port,
        version,
        store,
        data,
        idle,
        stop,
        keys,
        log,
        logRequests,
        limits,
        lastResort,
        duties);
  }

  public ServerOptions withKeys(@Nullable KeyRing keys) {
    return new ServerOptions(
        host,
        port,
        version,
        store,
        data,
        idle,
        stop,
        keys,
        log,
        logRequests,
        limits,
        lastResort,
        duties);
  }

  private static void logged(String line) {
    System.getLogger(ContextureServer.class.getName()).log(System.Logger.Level.WARNING, line);
  }

  /**
   * @param requests whether each request is logged, not only failures
   */
  public ServerOptions withLog(Consumer<String> log, boolean requests) {
    return new ServerOptions(
        host,
        port,
        version,
        store,
        data,
        idle,
        stop,
        keys,
        log,
        requests,
        limits,
        lastResort,
        duties);
  }

  public ServerOptions withLimits(ServerLimits limits) {
    return new ServerOptions(
        host,
        port,
        version,
        store,
        data,
        idle,
        stop,
        keys,
        log,
        logRequests,
        limits,
        lastResort,
        duties);
  }

  public ServerOptions withLastResort(Runnable lastResort) {
    return new ServerOptions(
        host,
        port,
        version,
        store,
        data,
        idle,
        stop,
        keys,
        log,
        logRequests,
        limits,
        lastResort,
        duties);
  }

  public ServerOptions withDuties(ServerDuties duties) {
    return new ServerOptions(
        host,
        port,
        version,
        store,
        data,
        idle,
        stop,
        keys,
        log,
        logRequests,
        limits,
        lastResort,
        duties);
  }
}
