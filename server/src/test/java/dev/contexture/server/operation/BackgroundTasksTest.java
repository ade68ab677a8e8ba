package dev.contexture.server.operation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a server does by itself goes on whatever fails, and memory that is gone is told. */
class BackgroundTasksTest {
  private static final String SECRET = "xylophone";

  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final LogLines log = new LogLines(lines::add, false, InstantSource.fixed(Instant.EPOCH));

  @Test
  void aTaskThatFailsIsLoggedAndTriedAgain() throws InterruptedException {
    CountDownLatch runs = new CountDownLatch(3);
    try (BackgroundTasks tasks = new BackgroundTasks(log)) {
      tasks.every(
          Duration.ZERO,
          Duration.ofMillis(1),
          "some",
          () -> {
            runs.countDown();
            throw new IllegalStateException(SECRET);
          });
      assertThat(runs.await(1, TimeUnit.MINUTES)).isTrue();
    }
    assertThat(lines)
        .hasSizeGreaterThanOrEqualTo(2)
        .allSatisfy(line -> assertThat(line).contains("task_failed").doesNotContain(SECRET));
  }

  @Test
  void anErrorIsToldToWhoLooksAfterDyingThreadsAndTheTaskTriedAgain() throws InterruptedException {
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    CountDownLatch told = new CountDownLatch(2);
    OutOfMemoryError gone = new OutOfMemoryError("no heap left, says the test");
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, thrown) -> {
          if (thrown == gone) {
            told.countDown();
          }
        });
    try (BackgroundTasks tasks = new BackgroundTasks(log)) {
      tasks.every(
          Duration.ZERO,
          Duration.ofMillis(1),
          "some",
          () -> {
            throw gone;
          });
      assertThat(told.await(1, TimeUnit.MINUTES)).isTrue();
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
  }
}
