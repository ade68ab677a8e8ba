package dev.contexture.cli.mcp;

import dev.contexture.Contexture;
import dev.contexture.cli.support.LocalServer;
import dev.contexture.cli.support.PinnedAddress;
import dev.contexture.cli.support.PostgresNode;
import dev.contexture.cli.support.StoreFlags;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.store.sqlite.DirectoryLock;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Finds the server of a store, or opens the store and serves it. A command that has the store open
 * for a moment is waited for.
 */
public final class McpLocator {
  private static final Duration MOST = Duration.ofSeconds(20);
  private static final Duration LOOK_AGAIN = Duration.ofMillis(50);

  private final StoreFlags store;
  private final UnaryOperator<Contexture.Builder> settings;
  private final String query;

  /**
   * @param settings for the engine, if this process opens the store
   * @param query what the session is for
   */
  public McpLocator(StoreFlags store, UnaryOperator<Contexture.Builder> settings, String query) {
    this.store = store;
    this.settings = settings;
    this.query = query;
  }

  /**
   * The server, which the caller closes if it is its own.
   *
   * @throws ContextureException {@code store_in_use} if somebody has the store open who does not
   *     serve it, {@code not_found} if it is a database whose server does not run, or another
   *     {@code store_} code
   */
  McpEndpoint locate() {
    long deadline = System.nanoTime() + MOST.toNanos();
    while (true) {
      Optional<McpEndpoint> running = running();
      if (running.isPresent()) {
        return running.get();
      }
      PostgresNode.refuse(store.data());
      try {
        return own();
      } catch (ContextureException refused) {
        if (refused.code() != ErrorCode.STORE_IN_USE || System.nanoTime() > deadline) {
          throw refused;
        }
      }
      LockSupport.parkNanos(LOOK_AGAIN.toNanos());
    }
  }

  private Optional<McpEndpoint> running() {
    return DirectoryLock.owner(store.data())
        .filter(owner -> owner.server() != null)
        .map(
            owner ->
                endpoint(
                    Objects.requireNonNull(owner.server()), store.headersFor(owner.key()), null));
  }

  private McpEndpoint own() {
    LocalServer server = LocalServer.open(store.data(), settings);
    try {
      server.announce();
      return endpoint(server.address(), store.headersWith(server.key()), server);
    } catch (RuntimeException refused) {
      server.close();
      throw refused;
    }
  }

  private McpEndpoint endpoint(
      String announced, Map<String, String> headers, @Nullable LocalServer own) {
    PinnedAddress pinned = PinnedAddress.of(announced);
    return new McpEndpoint(
        URI.create(pinned.address() + "/mcp?" + query), headers, pinned.client(), own);
  }
}
