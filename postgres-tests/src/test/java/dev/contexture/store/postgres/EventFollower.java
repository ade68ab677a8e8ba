package dev.contexture.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;

/**
 * A reader of the events of a conversation, who goes on at the other server from the last id
 * whenever its stream ends. Thread-safe.
 */
final class EventFollower implements AutoCloseable {
  private static final String ID = "id: ";
  private static final String DATA = "data: ";
  private static final long PAUSE_MILLIS = 100;

  private final NodePair nodes;
  private final String path;
  private final Set<Long> versions = new LinkedHashSet<>(); // guarded by itself
  private final Set<Long> seqs = new LinkedHashSet<>(); // guarded by versions
  private final Thread thread;
  private volatile boolean closed;
  private volatile InputStream open = InputStream.nullInputStream();

  /** How often a stream was begun. */
  final AtomicInteger begun = new AtomicInteger();

  EventFollower(NodePair nodes, String conversation) {
    this.nodes = nodes;
    this.path = NodePair.USER + conversation + "/events";
    this.thread = Thread.ofVirtual().start(this::run);
  }

  private void run() {
    String last = "0";
    for (int node = 0; !closed; node++) {
      try {
        HttpResponse<InputStream> stream = nodes.node(node).stream(path, "Last-Event-ID", last);
        open = stream.body();
        if (stream.statusCode() == 200) {
          begun.incrementAndGet();
          last = read(stream.body(), last);
        }
      } catch (IOException ended) {
        assertThat(ended).isNotNull(); // its server or its database went: the other one goes on
      }
      pause();
    }
  }

  private String read(InputStream body, String from) {
    String last = from;
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null && !closed; line = lines.readLine()) {
        if (line.startsWith(ID)) {
          last = line.substring(ID.length());
        } else if (line.startsWith(DATA)) {
          take((JsonObject) JsonValue.parse(line.substring(DATA.length())));
        }
      }
      return last;
    } catch (IOException ended) {
      return last;
    }
  }

  private void take(JsonObject event) {
    synchronized (versions) {
      versions.add(number(event, "version"));
      if (event.has("seq")) {
        seqs.add(number(event, "seq"));
      }
    }
  }

  private static long number(JsonObject event, String name) {
    return ((JsonNumber) event.find(name).orElseThrow()).decimal().longValueExact();
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits for all up to a version: each was told, in order, with all blocks. */
  void assertToldUpTo(long version, long lastSeq) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
    while (!has(version)) {
      assertThat(System.nanoTime()).as("version " + version + " told").isLessThan(end);
      Thread.sleep(PAUSE_MILLIS);
    }
    synchronized (versions) {
      assertThat(versions)
          .containsExactlyElementsOf(LongStream.rangeClosed(1, version).boxed().toList());
      assertThat(seqs)
          .containsExactlyElementsOf(LongStream.rangeClosed(1, lastSeq).boxed().toList());
    }
  }

  private boolean has(long version) {
    synchronized (versions) {
      return versions.contains(version);
    }
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    try {
      open.close();
    } catch (IOException gone) {
      assertThat(gone).isNotNull(); // it had ended
    }
    try {
      assertThat(thread.join(Duration.ofMinutes(1))).as("the reader ends").isTrue();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }
}
