package dev.contexture.server;

import dev.contexture.engine.memory.MemoryNotice;
import dev.contexture.engine.memory.MemoryStore;
import dev.contexture.event.Changes;
import dev.contexture.json.JsonObject;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * One reader of the changes of an agent's memory.
 *
 * <p>As with a conversation, what is sent is read from the store, in the order of its commits; a
 * notice only wakes the reader up. Commits of other processes are looked for every second.
 *
 * <p>{@link #run} is confined to one thread; {@link #close} may be called by any.
 */
final class MemoryStream implements EventRoutes.Stream {
  private static final int PAGE = 100;
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

  private final MemoryStore memory;
  private final Predicate<MemoryNotice.Changed> wanted;
  private final String agent;
  private final OutputStream out;
  private final BooleanSupplier admitted;
  private final Semaphore wake = new Semaphore(0);
  private volatile boolean closed;

  /**
   * @param memory for everybody, so that what others do is passed over once and not read again
   * @param wanted what the reader may see
   * @param admitted whether the reader may still read; the stream ends when it may not
   */
  MemoryStream(
      MemoryStore memory,
      Predicate<MemoryNotice.Changed> wanted,
      String agent,
      OutputStream out,
      BooleanSupplier admitted) {
    this.memory = memory;
    this.wanted = wanted;
    this.agent = agent;
    this.out = out;
    this.admitted = admitted;
  }

  @Override
  public void run(long after, Duration heartbeat) throws IOException {
    write(": memory of " + agent + "\n\n");
    Changes.Subscription subscription = memory.subscribe(agent, "*", notice -> wake.release());
    try {
      follow(after, heartbeat);
    } finally {
      subscription.close();
    }
  }

  private void follow(long after, Duration heartbeat) throws IOException {
    long sent = after;
    long quietSince = System.nanoTime();
    while (!closed && admitted.getAsBoolean()) {
      List<MemoryNotice.Changed> page = memory.notices(sent, PAGE);
      for (MemoryNotice.Changed notice : page) {
        sent = notice.number();
        if (wanted.test(notice)) {
          write(event(notice));
          quietSince = System.nanoTime();
        }
      }
      if (page.isEmpty()) {
        await(heartbeat.compareTo(LOOK_AGAIN) < 0 ? heartbeat : LOOK_AGAIN);
        if (System.nanoTime() - quietSince >= heartbeat.toNanos() && admitted.getAsBoolean()) {
          write(": alive\n\n");
          quietSince = System.nanoTime();
        }
      }
    }
  }

  private void await(Duration atMost) throws IOException {
    try {
      if (wake.tryAcquire(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
        wake.drainPermits();
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IOException("the stream was interrupted", stopped);
    }
  }

  private static String event(MemoryNotice.Changed notice) {
    JsonObject data =
        JsonObject.builder()
            .put("type", notice.kind().wireName())
            .put("id", notice.block())
            .put("owner", notice.owner())
            .putIfPresent("user", notice.user())
            .put("label", notice.label())
            .put("version", notice.seq())
            .put("actor", notice.actor().toString())
            .put("operation", notice.operation())
            .put("message", notice.message())
            .put("ts", notice.at().toString())
            .build();
    return "id: "
        + notice.number()
        + "\nevent: "
        + notice.kind().wireName()
        + "\ndata: "
        + data.toJson()
        + "\n\n";
  }

  private void write(String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  @Override
  public void close() {
    closed = true;
    wake.release();
  }
}
