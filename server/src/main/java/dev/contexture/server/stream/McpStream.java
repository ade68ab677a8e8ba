package dev.contexture.server.stream;

import dev.contexture.json.JsonObject;
import dev.contexture.mcp.McpSession;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Sends a host what it is to be told. {@link #run} is confined to one thread; {@link #close} may be
 * called by any.
 */
final class McpStream implements EventRoutes.Stream {
  private final McpSession session;
  private final OutputStream out;
  private final BooleanSupplier admitted;
  private volatile boolean closed;

  McpStream(McpSession session, OutputStream out, BooleanSupplier admitted) {
    this.session = session;
    this.out = out;
    this.admitted = admitted;
  }

  @Override
  public void run(long after, Duration heartbeat) throws IOException {
    write(": open\n\n"); // the host sees that it is connected
    long quietSince = System.nanoTime();
    while (!closed && admitted.getAsBoolean()) {
      Optional<JsonObject> message = next(heartbeat);
      if (message.isPresent()) {
        write("event: message\ndata: " + message.get().toJson() + "\n\n");
        quietSince = System.nanoTime();
      } else if (System.nanoTime() - quietSince >= heartbeat.toNanos()) {
        write(": alive\n\n");
        quietSince = System.nanoTime();
      }
    }
  }

  private Optional<JsonObject> next(Duration wait) throws IOException {
    try {
      return session.nextNotification(wait);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IOException("the stream was interrupted", stopped);
    }
  }

  private void write(String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  @Override
  public void close() {
    closed = true;
    session.wakeUp();
  }

  /** A stream that the sessions know of while it runs. */
  record Followed(McpStream stream, McpSessions sessions, String id, McpSessions.Holder holder)
      implements EventRoutes.Stream {
    @Override
    public void run(long after, Duration heartbeat) throws IOException {
      sessions.followed(id, holder, this);
      try {
        stream.run(after, heartbeat);
      } finally {
        sessions.unfollowed(id, this);
      }
    }

    @Override
    public void close() {
      stream.close();
    }
  }
}
