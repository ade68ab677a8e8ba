package dev.contexture.server.load;

import dev.contexture.error.UncaughtErrors;
import dev.contexture.server.ServerTimes;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apiguardian.api.API;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.jspecify.annotations.Nullable;

/**
 * The open connections of a server, and the watch over their times.
 *
 * <p>There are at most so many, also by the descriptors that the process may open. Where one more
 * comes, one is closed that does nothing: first those that never sent a whole request, the oldest
 * first, so that connections that send nothing, or a header byte by byte, keep nobody out.
 *
 * <p>Thread-safe; closing it ends the watch.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Connections implements Connection.Listener, AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Connections.class.getName());
  private static final long LOOKS_PER_TIME = 4;
  private static final long MIN_LOOK_MILLIS = 10;
  private static final long MAX_LOOK_MILLIS = 1_000;
  private static final long STOP_LOOK_MILLIS = 50;
  private static final long STOP_QUIET_NANOS = Duration.ofSeconds(1).toNanos();

  private final int most;
  private final ServerTimes times;
  private final Map<Connection, ClientConnection> open = new ConcurrentHashMap<>();
  private final ScheduledExecutorService watch =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("contexture-watch").daemon().factory());

  /**
   * @param most how many may be open
   */
  public Connections(int most, ServerTimes times) {
    this.most = most;
    this.times = times;
    long shortest = times.shortest().toMillis();
    long every = Math.clamp(shortest / LOOKS_PER_TIME, MIN_LOOK_MILLIS, MAX_LOOK_MILLIS);
    ScheduledFuture<?> unused = // ends with the watch
        watch.scheduleWithFixedDelay(this::watch, every, every, TimeUnit.MILLISECONDS);
  }

  int count() {
    return open.size();
  }

  /** The connection that a request came on. One that is gone meanwhile is not watched again. */
  public ClientConnection of(Connection connection) {
    @Nullable ClientConnection known = open.get(connection);
    return known == null ? new ClientConnection(connection) : known;
  }

  @Override
  public void onOpened(Connection connection) {
    if (connection instanceof SslConnection) {
      return; // what it carries is opened too, and counts
    }
    ClientConnection added = new ClientConnection(connection);
    open.put(connection, added);
    if (open.size() > most) {
      ClientConnection one = spare(added).orElse(added);
      open.values().remove(one); // at once: it closes later, and the next one must find another
      one.close();
    }
  }

  private Optional<ClientConnection> spare(ClientConnection except) {
    return open.values().stream()
        .filter(peer -> peer != except && peer.isSpare())
        .min(
            Comparator.comparing(ClientConnection::isProven)
                .thenComparingLong(ClientConnection::quietSince));
  }

  @Override
  public void onClosed(Connection connection) {
    @Nullable ClientConnection gone = open.remove(connection);
    if (gone != null) {
      gone.left();
    }
  }

  private void watch() {
    long now = System.nanoTime();
    Duration header = times.header();
    open.values().forEach(peer -> tried(() -> peer.watch(now, header)));
  }

  /** One connection that fails does not end the watch over the others. */
  private static void tried(Runnable look) {
    try {
      look.run();
    } catch (RuntimeException failed) {
      LOG.log(Level.WARNING, "a connection could not be looked at", failed);
    } catch (Error broken) {
      UncaughtErrors.tell(broken);
    }
  }

  /**
   * Closes connections while the server stops: those that do nothing soon, all after a time. Jetty
   * alone would wait for a client that neither reads nor leaves.
   *
   * @param most how long requests that run may go on
   */
  public void stop(Duration most) {
    if (watch.isShutdown()) { // it was stopped before
      return;
    }
    long end = System.nanoTime() + most.toNanos();
    ScheduledFuture<?> unused = // ends with the watch
        watch.scheduleWithFixedDelay(
            () -> stopOthers(end), 0, STOP_LOOK_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void stopOthers(long end) {
    long now = System.nanoTime();
    for (ClientConnection peer : open.values()) {
      if (now - end >= 0 || (peer.isSpare() && now - peer.quietSince() > STOP_QUIET_NANOS)) {
        tried(peer::close);
      }
    }
  }

  @Override
  public void close() {
    watch.shutdownNow();
  }
}
