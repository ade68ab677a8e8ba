package dev.contexture.store.sqlite;

import static dev.contexture.testkit.StoreFixture.CHAT;
import static dev.contexture.testkit.StoreFixture.appending;
import static dev.contexture.testkit.StoreFixture.applied;
import static dev.contexture.testkit.StoreFixture.block;
import static dev.contexture.testkit.StoreFixture.opening;
import static dev.contexture.testkit.StoreFixture.turn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.contexture.block.TurnId;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.testkit.ChildProcess;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Scanner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One process owns a directory, whatever happens to the lock file. */
@Timeout(120)
class SqliteOwnerTest {
  private static final TurnId T1 = turn("t1");

  @TempDir Path directory;

  /** An owner that does what it is told, line by line, and answers with one line each. */
  static final class Child {
    private Child() {}

    public static void main(String[] args) {
      PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
      Scanner in = new Scanner(System.in, StandardCharsets.UTF_8);
      try (SqliteStore store = SqliteStore.open(Path.of(args[0]))) {
        store.announceServer("http://127.0.0.1:1");
        out.println("open");
        while (in.hasNextLine()) {
          String command = in.nextLine();
          if (command.equals("write")) {
            applied(
                store,
                store.head(CHAT).isEmpty()
                    ? opening(CHAT, T1, block(T1, "x"))
                    : appending(CHAT, block(T1, "x")));
          } else if (command.equals("look")) {
            SqliteInspection.of(Path.of(args[0]), SqliteInspection.Depth.ROWS);
          }
          out.println(command + " done");
        }
      } catch (ContextureException refused) {
        out.println(refused.code().wireName() + ": " + refused.getMessage());
      }
    }
  }

  private ContextureException refused() {
    ContextureException refusal =
        catchThrowableOfType(ContextureException.class, () -> SqliteStore.open(directory).close());
    assertThat(refusal).isNotNull();
    assertThat(refusal.code()).as(refusal.getMessage()).isEqualTo(ErrorCode.STORE_IN_USE);
    return refusal;
  }

  private Path lockFile() {
    return directory.resolve(DirectoryLock.FILE);
  }

  @Test
  void aDeletedLockFileLetsNoSecondProcessIn() throws Exception {
    try (ChildProcess first = ChildProcess.start(Child.class, directory.toString())) {
      assertThat(first.line()).isEqualTo("open");
      assertThat(first.ask("write")).isEqualTo("write done");
      Files.delete(lockFile());
      assertThat(refused()).hasMessageContaining("stop that process");
      assertThat(first.ask("look")).isEqualTo("look done"); // closes a connection of the owner
      Files.delete(lockFile());
      refused();
      try (ChildProcess second = ChildProcess.start(Child.class, directory.toString())) {
        assertThat(second.line()).startsWith("store_in_use");
      }
      assertThat(first.ask("write")).isEqualTo("write done");
    }
    try (SqliteStore store = SqliteStore.open(directory)) {
      store.check();
      assertThat(store.readRange(CHAT, 1, 9, 9)).hasSize(2);
    }
  }

  /** On POSIX systems, closing a file anywhere drops all locks that the process has on it. */
  @Test
  void lookingAtItsOwnLockLosesNothing() throws Exception {
    try (SqliteStore store = SqliteStore.open(directory)) {
      store.announceServer("http://127.0.0.1:1");
      assertThat(DirectoryLock.owner(directory)).isPresent();
      refused();
      try (ChildProcess second = ChildProcess.start(Child.class, directory.toString())) {
        assertThat(second.line())
            .startsWith("store_in_use")
            .contains("use its server at http://127.0.0.1:1");
      }
    }
  }

  @Test
  void theOwnerMakesItsLockFileAgain() throws Exception {
    try (ChildProcess first = ChildProcess.start(Child.class, directory.toString())) {
      assertThat(first.line()).isEqualTo("open");
      Files.delete(lockFile());
      assertThat(DirectoryLock.owner(directory)).isEmpty();
      do {
        first.ask("write"); // it looks no more often than each 100 ms
      } while (DirectoryLock.owner(directory).isEmpty());
      assertThat(DirectoryLock.owner(directory))
          .contains(new DirectoryLock.Owner(first.pid(), "http://127.0.0.1:1", null));
      assertThat(refused()).hasMessageContaining("http://127.0.0.1:1");
    }
    assertThat(DirectoryLock.owner(directory)).isEmpty();
  }

  @Test
  void aDeletedLockFileLetsNoSecondStoreOfThisProcessIn() throws IOException {
    try (SqliteStore store = SqliteStore.open(directory)) {
      applied(store, opening(CHAT, T1));
      Files.delete(lockFile());
      refused();
      refused();
      applied(store, appending(CHAT, block(T1, "goes on")));
    }
    SqliteStore.open(directory).close();
  }

  @Test
  void aKilledOwnerLeavesNoLock() throws Exception {
    ChildProcess first = ChildProcess.start(Child.class, directory.toString());
    assertThat(first.line()).isEqualTo("open");
    assertThat(first.ask("write")).isEqualTo("write done");
    first.kill();
    try (SqliteStore store = SqliteStore.open(directory)) {
      assertThat(store.readRange(CHAT, 1, 9, 9)).hasSize(1);
    }
  }
}
