package dev.contexture.bench.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ThreadTimesTest {
  @TempDir Path tasks;

  @Test
  void addsTheTimesOfThreadsWithOnePurpose() throws IOException {
    thread(10, "ForkJoinPool-1-", 100, 20);
    thread(11, "ForkJoinPool-1-", 10, 0);
    thread(12, "contexture-sqli", 7, 3);
    thread(13, "C2 CompilerThre", 50, 0);
    thread(14, "a) strange (one", 1, 1);

    assertThat(ThreadTimes.in(tasks))
        .isEqualTo(
            Map.of(
                ThreadTimes.Group.REQUESTS, 1.3,
                ThreadTimes.Group.STORE, 0.1,
                ThreadTimes.Group.COMPILERS, 0.5,
                ThreadTimes.Group.OTHERS, 0.02));
  }

  @Test
  void saysNothingWhereTheSystemDoesNot() {
    assertThat(ThreadTimes.in(tasks.resolve("absent"))).isEmpty();
  }

  @Test
  void givesWhatWasAddedBetweenTwoLooks() {
    assertThat(
            ThreadTimes.between(
                Map.of(ThreadTimes.Group.INDEX, 1.0, ThreadTimes.Group.STORE, 2.0),
                Map.of(ThreadTimes.Group.INDEX, 0.5, ThreadTimes.Group.STORE, 2.5)))
        .as("a thread that ended takes its time with it")
        .isEqualTo(Map.of(ThreadTimes.Group.INDEX, 0.0, ThreadTimes.Group.STORE, 0.5));
  }

  private void thread(int id, String name, int user, int system) throws IOException {
    Path folder = Files.createDirectory(tasks.resolve(String.valueOf(id)));
    String line =
        id + " (" + name + ") S 1 1 1 0 -1 4194304 5 0 0 0 " + user + " " + system + " 0 0 20 0";
    Files.writeString(folder.resolve("stat"), line + "\n");
  }
}
