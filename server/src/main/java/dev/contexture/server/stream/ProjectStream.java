package dev.contexture.server.stream;

import dev.contexture.Contexture;
import dev.contexture.block.Scope;
import dev.contexture.event.Change;
import dev.contexture.event.Changes;
import dev.contexture.json.JsonObject;
import dev.contexture.server.ServerLimits;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One reader of what happens in the conversations of a project, from now on, in whichever process
 * that shares the store. Each event names a conversation and its version; what it holds is read
 * there. A reader that is too slow is told how many events it missed.
 *
 * <p>{@link #run} is confined to one thread; {@link #close} may be called by any.
 */
final class ProjectStream implements EventRoutes.Stream {
  private static final Change END =
      new Change(Scope.of("end", "end").user("end").conversation("end"), 0, 0, 0, JsonObject.EMPTY);

  private final Contexture engine;
  private final Scope scope;
  private final OutputStream out;
  private final BooleanSupplier admitted;
  private final BlockingQueue<Change> waiting =
      new ArrayBlockingQueue<>(ServerLimits.WAITING_CHANGES);
  private final AtomicLong missed = new AtomicLong();
  private volatile boolean closed;

  ProjectStream(Contexture engine, Scope scope, OutputStream out, BooleanSupplier admitted) {
    this.engine = engine;
    this.scope = scope;
    this.out = out;
    this.admitted = admitted;
  }

  @Override
  public void run(long after, Duration heartbeat) throws IOException {
    Changes.Subscription subscription = engine.follow(scope, this::take);
    try {
      write(": changes of " + scope.project() + "\n\n");
      follow(heartbeat);
    } finally {
      subscription.close();
    }
  }

  private void take(Change change) {
    if (!waiting.offer(change)) {
      missed.incrementAndGet();
    }
  }

  private void follow(Duration heartbeat) throws IOException {
    long quietSince = System.nanoTime();
    while (!closed && admitted.getAsBoolean()) {
      Change change = poll(heartbeat.toMillis());
      if (END.equals(change)) {
        return;
      }
      if (change != null) {
        write("event: change\ndata: " + form(change).toJson() + "\n\n");
        quietSince = System.nanoTime();
      } else if (System.nanoTime() - quietSince >= heartbeat.toNanos()) {
        write(": alive\n\n");
        quietSince = System.nanoTime();
      }
      long lost = missed.getAndSet(0);
      if (lost > 0) {
        write("event: missed\ndata: {\"events\":" + lost + "}\n\n");
      }
    }
  }

  private @Nullable Change poll(long millis) throws IOException {
    try {
      return waiting.poll(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IOException("the stream was interrupted", stopped);
    }
  }

  private static JsonObject form(Change change) {
    JsonObject.Builder form =
        JsonObject.builder()
            .put("user", change.conversation().user())
            .put("conversation", change.conversation().conversation())
            .put("version", change.version());
    if (change.lastSeq() > 0) {
      form.put("first_seq", change.firstSeq()).put("last_seq", change.lastSeq());
    }
    return form.put("note", change.note()).build();
  }

  private void write(String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  @Override
  public void close() {
    closed = true;
    boolean unused = waiting.offer(END); // a reader with a full queue does not wait
  }
}
