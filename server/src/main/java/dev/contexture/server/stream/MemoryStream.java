package dev.contexture.server.stream;

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
 * notice only wakes the reader up. Commits of other processes are looked for every second, and when
 * the store hears of them; where nobody but this process writes, a quiet stream reads nothing.
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
  private final boolean shared;
  private final Semaphore wake = new Semaphore(0);
  private volatile boolean closed;

  /**
   * @param memory for everybody, so that what others do is passed over once and not read again
   * @param wanted what the reader may see
   * @param admitted whether the reader may still read; the stream ends when it may not
   * @param shared whether other processes write too, whom nobody hears
   */
  MemoryStream(
      MemoryStore memory,
      Predicate<MemoryNotice.Changed> wanted,
      String agent,
      OutputStream out,
      BooleanSupplier admitted,
      boolean shared) {
    this.memory = memory;
    this.wanted = wanted;
    this.agent = agent;
    this.out = out;
    this.admitted = admitted;
    this.shared = shared;
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
    boolean look = true;
    Duration wait = shared && heartbeat.compareTo(LOOK_AGAIN) > 0 ? LOOK_AGAIN : heartbeat;
    while (!closed && admitted.getAsBoolean()) {
      List<MemoryNotice.Changed> page = look ? memory.notices(sent, PAGE) : List.of();
      for (MemoryNotice.Changed notice : page) {
        sent = notice.number();
        if (wanted.test(notice)) {
          write(event(notice));
          quietSince = System.nanoTime();
        }
      }
      if (page.isEmpty()) {
        look = await(wait) || shared;
        if (System.nanoTime() - quietSince >= heartbeat.toNanos() && admitted.getAsBoolean()) {
          write(": alive\n\n");
          quietSince = System.nanoTime();
        }
      }
    }
  }

  /** Waits until something happened; false if nothing did for that long. */
  private boolean await(Duration atMost) throws IOException {
    try {
      boolean woken = wake.tryAcquire(atMost.toMillis(), TimeUnit.MILLISECONDS);
      wake.drainPermits();
      return woken;
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
