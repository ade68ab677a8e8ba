package dev.contexture.store.postgres;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.logging.Level;
import java.util.logging.Logger;

/** A server of one version, which all tests of a JVM share; each class has databases of its own. */
final class PostgresServer {
  /** The role of the store: it owns its database, and no more. */
  static final String ROLE = "contexture_app";

  private static final Logger ROOT = Logger.getLogger("");

  private final EmbeddedPostgres server;
  private final Set<String> databases = new HashSet<>();

  private PostgresServer(String jar) {
    ROOT.setLevel(Level.WARNING); // the server and the pool tell all that they do
    Path binaries = Path.of(System.getProperty("contexture.postgres.servers"), jar);
    try {
      server =
          EmbeddedPostgres.builder()
              .setServerConfig("autovacuum", "off") // its transactions hold up readers a little
              .setPgBinaryResolver((system, machine) -> binaries(binaries))
              .start();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    admin("postgres", "CREATE ROLE " + ROLE + " LOGIN");
  }

  /** The newest server, packed. */
  static InputStream newestBinaries() throws IOException {
    return binaries(Path.of(System.getProperty("contexture.postgres.servers"), "newest.jar"));
  }

  private static InputStream binaries(Path jar) throws IOException {
    JarFile file = new JarFile(jar.toFile());
    JarEntry packed =
        file.stream().filter(entry -> entry.getName().endsWith(".txz")).findFirst().orElseThrow();
    return file.getInputStream(packed);
  }

  private static final class Oldest {
    static final PostgresServer SERVER = new PostgresServer("oldest.jar");
  }

  private static final class Newest {
    static final PostgresServer SERVER = new PostgresServer("newest.jar");
  }

  static PostgresServer oldest() {
    return Oldest.SERVER;
  }

  static PostgresServer newest() {
    return Newest.SERVER;
  }

  /** A database without any rows, made if it is not there. */
  PostgresSettings empty(String database) {
    if (databases.add(database)) {
      admin("postgres", "CREATE DATABASE " + database + " OWNER " + ROLE);
    } else {
      clear(database);
    }
    return settings(database);
  }

  PostgresSettings settings(String database) {
    return PostgresSettings.of("jdbc:postgresql://127.0.0.1:" + port() + "/" + database)
        .login(ROLE, null);
  }

  int port() {
    return server.getPort();
  }

  private void clear(String database) {
    String tables =
        "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN"
            + " ('r', 'p') AND NOT relispartition AND relname NOT IN ('migrations', 'clock')";
    StringBuilder deletes = new StringBuilder();
    query(database, "postgres", tables)
        .forEach(table -> deletes.append("DELETE FROM ").append(table).append("; "));
    if (!deletes.isEmpty()) {
      admin(database, deletes.toString());
    }
  }

  /** Makes a role that can log in, if it is not there. */
  void role(String name, String attributes) {
    if (query("postgres", "postgres", "SELECT 1 FROM pg_roles WHERE rolname = '" + name + "'")
        .isEmpty()) {
      admin("postgres", "CREATE ROLE " + name + " LOGIN " + attributes);
    }
  }

  /** Runs statements as the owner of the server, whom row-level security does not bind. */
  void admin(String database, String sql) {
    try (Connection connection = connect(database, "postgres");
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException failed) {
      throw new IllegalStateException(sql, failed);
    }
  }

  Connection connect(String database, String role) throws SQLException {
    return server.getDatabase(role, database).getConnection();
  }

  /** The only value that a query gives. */
  String one(Statement statement, String sql) throws SQLException {
    try (ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getString(1);
    }
  }

  /** The first column of what a role is shown. */
  List<String> query(String database, String role, String sql) {
    try (Connection connection = connect(database, role);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<String> found = new ArrayList<>();
      while (rows.next()) {
        found.add(rows.getString(1));
      }
      return found;
    } catch (SQLException failed) {
      throw new IllegalStateException(sql, failed);
    }
  }
}
