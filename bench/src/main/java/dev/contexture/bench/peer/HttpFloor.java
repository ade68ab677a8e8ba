package dev.contexture.bench.peer;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.sqlite.SQLiteConfig;

/**
 * What no server that is durable can be cheaper than: a bare Javalin handler that inserts the body
 * of a request as one row. One thread inserts all rows that wait and commits them together, with
 * the settings of the store. To render writes nothing and is answered at once.
 */
public final class HttpFloor {
  private static final String RENDER = "/render";

  private final BlockingQueue<Row> waiting = new LinkedBlockingQueue<>();

  private record Row(String body, CompletableFuture<Long> number) {}

  private HttpFloor() {}

  /** Serves on a free port until the process is ended. */
  public static void main(String[] args) throws SQLException {
    HttpFloor floor = new HttpFloor();
    Connection connection = open(Path.of(args[0]).resolve("floor.db"));
    Thread.ofPlatform().name("floor-writer").daemon().start(() -> floor.write(connection));
    Javalin server = Javalin.create(floor::configure).start("127.0.0.1", 0);
    PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, UTF_8);
    out.println("contexture ready on http://127.0.0.1:" + server.port() + " store=floor");
  }

  private static Connection open(Path file) throws SQLException {
    SQLiteConfig config = new SQLiteConfig();
    config.setPragma(SQLiteConfig.Pragma.JOURNAL_MODE, "WAL");
    config.setPragma(SQLiteConfig.Pragma.SYNCHRONOUS, "FULL");
    config.setPragma(SQLiteConfig.Pragma.SECURE_DELETE, "ON");
    Connection connection = config.createConnection("jdbc:sqlite:" + file);
    try (var settings = connection.createStatement()) {
      settings.execute("PRAGMA wal_autocheckpoint = 4000");
      settings.execute("CREATE TABLE rows (id INTEGER PRIMARY KEY, body TEXT NOT NULL)");
    }
    connection.setAutoCommit(false);
    return connection;
  }

  private void configure(JavalinConfig config) {
    config.concurrency.useVirtualThreads = true;
    config.startup.showJavalinBanner = false;
    config.routes.post("/v1/users/{user}/conversations/{conversation}/turns", this::insert);
    config.routes.post("/v1/users/{user}/conversations/{conversation}/blocks", this::insert);
    config.routes.post(
        "/v1/users/{user}/conversations/{conversation}/turns/{turn}/finish", this::insert);
    config.routes.post(
        "/v1/users/{user}/conversations/{conversation}" + RENDER, context -> answer(context, 0));
  }

  private void insert(Context context) {
    Row row = new Row(context.body(), new CompletableFuture<>());
    waiting.add(row);
    answer(context, row.number.join());
  }

  private static void answer(Context context, long number) {
    String text = "{\"seqs\":[" + number + "]}\n";
    context.contentType("application/json").result(text.getBytes(UTF_8));
  }

  /** Inserts what waits, commits it, and then answers. */
  private void write(Connection connection) {
    List<Row> group = new ArrayList<>();
    long number = 0;
    try (PreparedStatement insert = connection.prepareStatement("INSERT INTO rows VALUES (?, ?)")) {
      while (true) {
        group.clear();
        group.add(waiting.take());
        waiting.drainTo(group);
        for (int i = 0; i < group.size(); i++) {
          insert.setLong(1, number + i + 1);
          insert.setString(2, group.get(i).body);
          insert.executeUpdate();
        }
        connection.commit();
        for (Row row : group) {
          number++;
          row.number.complete(number);
        }
      }
    } catch (SQLException | InterruptedException failed) {
      group.forEach(row -> row.number.completeExceptionally(failed));
      throw new IllegalStateException("the floor cannot write", failed);
    }
  }
}
