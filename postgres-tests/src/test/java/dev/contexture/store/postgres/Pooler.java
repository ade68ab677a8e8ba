package dev.contexture.store.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A pgbouncer between a store and its database, which gives each transaction one of few
 * connections.
 */
final class Pooler implements AutoCloseable {
  private static final int CONNECTIONS = 3; // fewer than a store has
  private static final int MAX_LOOKS = 600;
  private static final List<Path> PLACES =
      Stream.concat(
              Stream.of(System.getenv("PATH").split(":", -1)).map(Path::of),
              Stream.of(Path.of("/usr/sbin")))
          .map(folder -> folder.resolve("pgbouncer"))
          .toList();

  private final Process process;
  private final int port;

  /**
   * Starts it.
   *
   * @param folder for its settings, which the user that it runs as may read
   */
  Pooler(Path folder, int databasePort) throws IOException, InterruptedException {
    try (ServerSocket free = new ServerSocket(0)) {
      this.port = free.getLocalPort();
    }
    Path users = folder.resolve("users.txt");
    Files.writeString(users, "\"" + PostgresServer.ROLE + "\" \"\"\n");
    Path settings = folder.resolve("pgbouncer.ini");
    Files.writeString(
        settings,
        String.join(
            "\n",
            "[databases]",
            "* = host=127.0.0.1 port=" + databasePort,
            "[pgbouncer]",
            "listen_addr = 127.0.0.1",
            "listen_port = " + port,
            "unix_socket_dir =",
            "auth_type = trust",
            "auth_file = " + users,
            "pool_mode = transaction",
            "default_pool_size = " + CONNECTIONS,
            "max_client_conn = 100",
            "ignore_startup_parameters = extra_float_digits",
            ""));
    for (Path each : List.of(folder, users, settings)) {
      Files.setPosixFilePermissions(each, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    this.process = start(settings);
    awaitReady();
  }

  private static Process start(Path settings) throws IOException {
    Path binary =
        PLACES.stream()
            .filter(Files::isExecutable)
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "there is no pgbouncer in PATH; on Debian: apt-get install pgbouncer"));
    List<String> command = new ArrayList<>(List.of(binary.toString(), "-q"));
    if (System.getProperty("user.name").equals("root")) { // it refuses to be
      command.addAll(List.of("-u", "nobody"));
    }
    command.add(settings.toString());
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  private void awaitReady() throws IOException, InterruptedException {
    for (int look = 0; look < MAX_LOOKS; look++) {
      if (!process.isAlive()) {
        throw new IOException(
            "pgbouncer ended: "
                + new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
      }
      try (Socket socket = new Socket()) {
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return;
      } catch (IOException notYet) {
        Thread.sleep(100);
      }
    }
    throw new IOException("pgbouncer does not listen");
  }

  /** The same database by way of the pooler, whose version knows no prepared statements. */
  PostgresSettings through(String database) {
    return PostgresSettings.of(
            "jdbc:postgresql://127.0.0.1:" + port + "/" + database + "?prepareThreshold=0")
        .login(PostgresServer.ROLE, null);
  }

  static Pooler start(Path folder, PostgresServer database) {
    try {
      return new Pooler(folder, database.port());
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(stopped);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
