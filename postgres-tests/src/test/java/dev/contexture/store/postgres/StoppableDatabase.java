package dev.contexture.store.postgres;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.logging.Level;
import java.util.logging.Logger;

/** A database server that is stopped and started, and loses nothing that it committed. */
final class StoppableDatabase implements AutoCloseable {
  private static final String DATABASE = "stops";
  private static final int END_SECONDS = 60;

  /** Held here, because a logger that nobody holds forgets its level. */
  private static final Logger QUIET = Logger.getLogger(EmbeddedPostgres.class.getName());

  static {
    QUIET.setLevel(Level.OFF); // it reports that nothing was left to be stopped
  }

  private final Path directory;
  private final int port;
  private EmbeddedPostgres server;

  StoppableDatabase(Path directory) throws IOException, SQLException {
    this.directory = directory;
    try (ServerSocket free = new ServerSocket(0)) {
      this.port = free.getLocalPort();
    }
    this.server = launch();
    try (Connection connection = server.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE ROLE " + PostgresServer.ROLE + " LOGIN");
      statement.execute("CREATE DATABASE " + DATABASE + " OWNER " + PostgresServer.ROLE);
    }
  }

  private EmbeddedPostgres launch() throws IOException {
    return EmbeddedPostgres.builder()
        .setDataDirectory(directory)
        .setCleanDataDirectory(false)
        .setPort(port)
        .setServerConfig("synchronous_commit", "on")
        .setServerConfig("fsync", "on")
        .setPgBinaryResolver((system, machine) -> PostgresServer.newestBinaries())
        .start();
  }

  PostgresSettings settings() {
    return PostgresSettings.of("jdbc:postgresql://127.0.0.1:" + port + "/" + DATABASE)
        .login(PostgresServer.ROLE, null);
  }

  /** Ends it as an administrator does: what runs is broken off. */
  void stop() throws IOException {
    server.close();
  }

  /** Ends it without a shutdown, as a power cut does: it recovers from its log when it starts. */
  void crash() throws IOException, InterruptedException {
    long pid = Long.parseLong(Files.readAllLines(directory.resolve("postmaster.pid")).getFirst());
    ProcessHandle postmaster = ProcessHandle.of(pid).orElseThrow();
    new ProcessBuilder("kill", "-QUIT", Long.toString(pid)).start().waitFor();
    try {
      postmaster.onExit().get(END_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException late) {
      throw new IOException("the database did not end", late);
    }
    server.close(); // nothing is left to be stopped
  }

  void startAgain() throws IOException {
    server = launch();
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
