package dev.contexture.cli.support;

import dev.contexture.Contexture;
import dev.contexture.server.ContextureServer;
import dev.contexture.server.ServerDuties;
import dev.contexture.server.ServerOptions;
import dev.contexture.server.audit.AuditLog;
import dev.contexture.server.keys.KeyRing;
import dev.contexture.store.sqlite.SqliteStore;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.function.UnaryOperator;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.random.RandomGenerator;

/**
 * A server inside this process, for itself: on a free port of loopback, with a key that nobody else
 * knows, because other users of the machine reach the port too.
 */
public final class LocalServer implements AutoCloseable {
  private static final int KEY_BYTES = 32;

  /** Named here, because a logger that nobody holds forgets its level. */
  private static final Logger JETTY = Logger.getLogger("org.eclipse.jetty");

  private static final Logger JAVALIN = Logger.getLogger("io.javalin");
  private static final Logger POOL = Logger.getLogger("com.zaxxer.hikari");

  private final Contexture engine;
  private final ContextureServer server;
  private final String key;

  private LocalServer(Contexture engine, ContextureServer server, String key) {
    this.engine = engine;
    this.server = server;
    this.key = key;
  }

  public static LocalServer open(Path data, UnaryOperator<Contexture.Builder> settings) {
    quiet();
    Contexture engine = Contexture.open(data, settings);
    try {
      String key = newKey();
      ServerOptions options =
          ServerOptions.local(BuildVersion.text())
              .withKeys(KeyRing.withAdmin(key, null))
              .withDuties(ServerDuties.NONE.withAudit(new AuditLog(data.resolve(AuditLog.FILE))))
              .withPort(0);
      return new LocalServer(engine, ContextureServer.start(engine, options), key);
    } catch (RuntimeException refused) {
      engine.close();
      throw refused;
    }
  }

  /** Tells others who may read the directory that they can ask this server. */
  public void announce() {
    if (engine.store() instanceof SqliteStore sqlite) {
      sqlite.announceServer(server.address(), key);
    }
  }

  private static String newKey() {
    byte[] bytes = new byte[KEY_BYTES];
    RandomGenerator secret = new SecureRandom();
    secret.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  /** Keeps what libraries say at their start to themselves. */
  public static void quiet() {
    JETTY.setLevel(Level.WARNING);
    JAVALIN.setLevel(Level.OFF); // what it says is said by who started it, too
    POOL.setLevel(Level.SEVERE); // what fails there is said by what failed for it
    Embedders.quiet();
  }

  public String address() {
    return server.address();
  }

  public String key() {
    return key;
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
