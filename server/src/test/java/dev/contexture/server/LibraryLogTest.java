package dev.contexture.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** What libraries and threads say becomes lines of the server's log. */
@SuppressWarnings("try") // a log is installed for the time of a block, and not called in it
class LibraryLogTest {
  private static final String SECRET = "xylophone";
  private static final Logger LIBRARY = Logger.getLogger("org.example.library");
  private static final Logger OWN = Logger.getLogger("dev.contexture.engine.search.Example");

  private final List<String> lines = new CopyOnWriteArrayList<>();

  private LibraryLog installed() {
    return LibraryLog.install(lines::add, InstantSource.fixed(Instant.EPOCH));
  }

  private JsonObject only() {
    assertThat(lines).hasSize(1);
    assertThat(lines.getFirst()).doesNotContain("\n", "\r", SECRET);
    return (JsonObject) JsonValue.parse(lines.getFirst());
  }

  @Test
  void saysWhichLibraryFailedWithoutItsWords() {
    try (LibraryLog unused = installed()) {
      LIBRARY.log(Level.WARNING, "cannot serve /" + SECRET, new IllegalStateException(SECRET));
    }
    JsonObject line = only();
    assertThat(line.keys()).containsExactly("ts", "event", "level", "logger", "trace");
    assertThat(line.string("event")).contains("log");
    assertThat(line.string("level")).contains("warning");
    assertThat(line.string("logger")).contains("org.example.library");
    assertThat(lines.getFirst())
        .contains("java.lang.IllegalStateException", "at dev.contexture.server.LibraryLogTest");
  }

  @Test
  void repeatsWhatTheProductItselfSays() {
    try (LibraryLog unused = installed()) {
      OWN.log(Level.WARNING, "indexing of {0} failed", new Object[] {"acme/shop"});
    }
    assertThat(only().string("message")).contains("indexing of acme/shop failed");
  }

  @Test
  void saysThatAThreadDied() throws InterruptedException {
    Thread dying =
        Thread.ofPlatform()
            .name("some-thread")
            .unstarted(
                () -> {
                  throw new IllegalStateException(SECRET);
                });
    try (LibraryLog unused = installed()) {
      dying.start();
      dying.join();
    }
    assertThat(only().string("event")).contains("thread_died");
    assertThat(only().string("thread")).contains("some-thread");
  }

  private static void die(Throwable thrown) {
    switch (thrown) {
      case Error error -> throw error;
      case RuntimeException failure -> throw failure;
      default -> throw new AssertionError(thrown);
    }
  }

  @Test
  void leavesAThreadThatDiedOfMemoryToWhoLookedAfterItBefore() throws InterruptedException {
    Thread.UncaughtExceptionHandler uncaught = Thread.getDefaultUncaughtExceptionHandler();
    AtomicInteger ended = new AtomicInteger();
    OutOfMemoryExit.install(ended::incrementAndGet);
    try (LibraryLog unused = installed()) {
      for (Throwable thrown :
          List.of(new OutOfMemoryError(SECRET), new IllegalStateException(SECRET))) {
        Thread dying = Thread.ofPlatform().unstarted(() -> die(thrown));
        dying.start();
        dying.join();
      }
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(uncaught);
    }
    assertThat(ended).hasValue(1);
    assertThat(lines)
        .hasSize(2)
        .allSatisfy(line -> assertThat(line).contains("thread_died").doesNotContain(SECRET));
  }

  @Test
  void givesBackWhatStoodThereBefore() {
    Handler[] before = Logger.getLogger("").getHandlers();
    Thread.UncaughtExceptionHandler uncaught = Thread.getDefaultUncaughtExceptionHandler();
    try (LibraryLog unused = installed()) {
      assertThat(Logger.getLogger("").getHandlers()).hasSize(1).doesNotContain(before);
    }
    assertThat(Logger.getLogger("").getHandlers()).containsExactly(before);
    assertThat(Thread.getDefaultUncaughtExceptionHandler()).isSameAs(uncaught);
  }
}
