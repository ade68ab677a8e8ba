package dev.contexture.cli;

import dev.contexture.engine.Contexture;
import dev.contexture.server.ContextureServer;
import dev.contexture.server.ServerOptions;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import java.util.logging.Level;
import java.util.logging.Logger;

/** A server inside this process, for itself, on a free port of loopback. */
final class LocalServer implements AutoCloseable {
  /** Named here, because a logger that nobody holds forgets its level. */
  private static final Logger JETTY = Logger.getLogger("org.eclipse.jetty");

  private static final Logger JAVALIN = Logger.getLogger("io.javalin");

  private final Contexture engine;
  private final ContextureServer server;

  private LocalServer(Contexture engine, ContextureServer server) {
    this.engine = engine;
    this.server = server;
  }

  static LocalServer open(Path data, UnaryOperator<Contexture.Builder> settings) {
    quiet();
    Contexture engine = Contexture.open(data, settings);
    try {
      ServerOptions options = ServerOptions.local(Version.text()).withPort(0);
      return new LocalServer(engine, ContextureServer.start(engine, options));
    } catch (RuntimeException refused) {
      engine.close();
      throw refused;
    }
  }

  /** Keeps what libraries say at their start to themselves. */
  static void quiet() {
    JETTY.setLevel(Level.WARNING);
    JAVALIN.setLevel(Level.WARNING);
    Embedders.quiet();
  }

  String address() {
    return server.address();
  }

  @Override
  public void close() {
    try {
      server.close();
    } finally {
      engine.close();
    }
  }
}
