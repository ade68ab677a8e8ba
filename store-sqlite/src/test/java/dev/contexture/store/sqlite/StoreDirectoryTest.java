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
import dev.contexture.store.OwnerOnly;
import dev.contexture.store.jdbc.Db;
import dev.contexture.testkit.ChildProcess;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** What a directory must be before a store is opened in it, and who may read it afterwards. */
@Timeout(120)
class StoreDirectoryTest {
  private static final TurnId T1 = turn("t1");

  @TempDir Path folder;

  private Path data() {
    return folder.resolve("data");
  }

  private Path database() {
    return data().resolve(SqliteStore.FILE);
  }

  private void fill() {
    try (SqliteStore store = SqliteStore.open(data())) {
      applied(store, opening(CHAT, T1, block(T1, "one")));
    }
  }

  private ContextureException refused(ErrorCode code) {
    ContextureException refusal =
        catchThrowableOfType(ContextureException.class, () -> SqliteStore.open(data()).close());
    assertThat(refusal).isNotNull();
    assertThat(refusal.code()).as(refusal.getMessage()).isEqualTo(code);
    return refusal;
  }

  @Nested
  class AMissingDatabase {
    @Test
    void besideAnIndexIsNotStartedAsNew() throws IOException {
      Files.createDirectories(data().resolve("index/acme/shop"));
      Files.writeString(data().resolve("index/acme/shop/segments_1"), "x");
      assertThat(refused(ErrorCode.STORE_DAMAGED))
          .hasMessageContaining("is missing, but index is there")
          .hasMessageContaining("restore it from a backup");
      assertThat(database()).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-wal", "-shm"})
    void besideALogIsNotStartedAsNew(String suffix) throws IOException {
      fill();
      Files.delete(database());
      Files.delete(data().resolve(DirectoryLock.FILE));
      Files.writeString(data().resolve(SqliteStore.FILE + suffix), "acknowledged");
      assertThat(refused(ErrorCode.STORE_DAMAGED)).hasMessageContaining(SqliteStore.FILE + suffix);
      assertThat(data().resolve(SqliteStore.FILE + suffix)).hasContent("acknowledged");
    }

    @Test
    void isNotStartedAsNewWhereTheLockFileKnowsOfOne() throws IOException {
      fill();
      Files.delete(database());
      refused(ErrorCode.STORE_DAMAGED);
      refused(ErrorCode.STORE_DAMAGED); // what was refused once is not forgotten
      Files.delete(data().resolve(DirectoryLock.FILE));
      SqliteStore.open(data()).close(); // what the message said
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void orAnEmptyOneIsNeverAStore(boolean alone) throws IOException {
      fill();
      if (alone) {
        Files.delete(data().resolve(DirectoryLock.FILE));
      }
      Files.write(database(), new byte[0]);
      assertThat(refused(ErrorCode.STORE_DAMAGED)).hasMessageContaining("is empty");
      assertThat(database()).isEmptyFile();
    }

    @Test
    void isMadeInADirectoryThatHoldsOtherThings() throws IOException {
      Files.createDirectories(data().resolve("index"));
      Files.writeString(data().resolve("keys"), "{}");
      Files.writeString(data().resolve(DirectoryLock.FILE), ""); // of a start that failed
      fill();
    }

    /** A start that fails or is killed half-way is simply done again. */
    @Test
    void thatWasHalfMadeIsMadeAgain() throws IOException {
      Db.FaultPoint full =
          point -> {
            if (point.contains("CREATE TABLE archival")) {
              throw new SQLiteException("made to fail", SQLiteErrorCode.SQLITE_FULL);
            }
          };
      ContextureException refusal =
          catchThrowableOfType(
              ContextureException.class,
              () -> SqliteStore.open(data(), new SqliteStore.Tuning(0, 2, full)).close());
      assertThat(refusal.code()).isEqualTo(ErrorCode.STORE_FULL);
      assertThat(names()).containsExactly(DirectoryLock.FILE);
      Files.writeString(data().resolve("." + SqliteStore.FILE + ".new"), "half");
      Files.writeString(data().resolve("." + SqliteStore.FILE + ".new-wal"), "half");
      fill();
      assertThat(names()).containsExactlyInAnyOrder(DirectoryLock.FILE, SqliteStore.FILE);
    }

    private List<String> names() throws IOException {
      try (Stream<Path> files = Files.list(data())) {
        return files.map(file -> file.getFileName().toString()).toList();
      }
    }
  }

  /** Where the system knows no owner of a file there is nothing to be shown (Windows). */
  @Nested
  class Permissions {
    private String of(Path path) throws IOException {
      return OwnerOnly.isSupported()
          ? PosixFilePermissions.toString(Files.getPosixFilePermissions(path))
          : "rwx------";
    }

    private void set(Path path, String permissions) throws IOException {
      if (OwnerOnly.isSupported()) {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
      }
    }

    private void assertPrivate(Path path) throws IOException {
      assertThat(of(path)).as(path.toString()).endsWith("------");
    }

    @Test
    void ofANewStoreAreForItsOwnerAlone() throws IOException {
      try (SqliteStore store = SqliteStore.open(data())) {
        applied(store, opening(CHAT, T1, block(T1, "one")));
        assertPrivate(data());
        for (String name : List.of("contexture.db", "contexture.db-wal", "contexture.db-shm")) {
          assertPrivate(data().resolve(name));
        }
        assertPrivate(data().resolve(DirectoryLock.FILE));
        Path copy = folder.resolve("copy");
        SqliteBackup.take(data(), copy, (done, total) -> {});
        assertPrivate(copy);
        assertPrivate(copy.resolve(SqliteStore.FILE));
      }
    }

    @Test
    void ofAnOlderStoreAreTightened() throws IOException {
      fill();
      Files.createDirectory(data().resolve("index"));
      set(data().resolve("index"), "rwxr-xr-x");
      set(data(), "rwxr-xr-x");
      set(database(), "rw-r--r--");
      set(data().resolve(DirectoryLock.FILE), "rw-rw-rw-");
      fillAgain();
      assertPrivate(data());
      assertPrivate(data().resolve("index"));
      assertPrivate(database());
      assertPrivate(data().resolve(DirectoryLock.FILE));
    }

    private void fillAgain() {
      try (SqliteStore store = SqliteStore.open(data())) {
        assertThat(store.readRange(CHAT, 1, 9, 9)).hasSize(1);
      }
    }

    @Test
    void ofAnotherUserThatLetOthersReadAreRefused() throws IOException {
      if (!OwnerOnly.isSupported()) {
        return;
      }
      Path theirs = theirs();
      String before = of(theirs);
      ContextureException refusal =
          catchThrowableOfType(ContextureException.class, () -> SqliteStore.open(theirs).close());
      assertThat(refusal.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
      assertThat(refusal).hasMessageContaining("belongs to").hasMessageContaining("chmod 700");
      assertThat(of(theirs)).isEqualTo(before);
      assertThat(theirs.resolve(SqliteStore.FILE)).doesNotExist();
    }

    /** The superuser can give a directory away; others have the root of the system. */
    private Path theirs() throws IOException {
      Path given = Files.createDirectory(folder.resolve("given"));
      set(given, "rwxr-xr-x");
      try {
        Files.setAttribute(given, "unix:uid", 12_345);
        return given;
      } catch (IOException notAllowed) {
        return Path.of("/");
      }
    }
  }

  @Nested
  class Descriptors {
    /** Takes every descriptor that is left, writes and reads, and says what came of it. */
    static final class Child {
      private Child() {}

      public static void main(String[] args) throws IOException {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        Path directory = Path.of(args[0]);
        try (SqliteStore store = SqliteStore.open(directory)) {
          applied(store, opening(CHAT, T1));
          out.println(work(store, directory)); // loads what it needs while files can be opened
          Path other = Files.writeString(directory.resolve("other"), "x");
          List<InputStream> taken = new ArrayList<>();
          try {
            while (true) {
              taken.add(Files.newInputStream(other));
            }
          } catch (IOException exhausted) {
            out.println(work(store, directory));
          }
          for (InputStream each : taken) {
            each.close();
          }
        }
      }

      private static String work(SqliteStore store, Path directory) {
        for (int i = 0; i < 20; i++) {
          applied(store, appending(CHAT, block(T1, "text ".repeat(2_000))));
        }
        return store.readRange(CHAT, 1, 99, 99).size()
            + " "
            + store.writeProblem().isPresent()
            + " "
            + SqliteErrors.of(
                    new SQLiteException("no open", SQLiteErrorCode.SQLITE_CANTOPEN), directory)
                .getMessage();
      }
    }

    @Test
    void areKeptForTheStoreWhateverTakesTheRest() throws IOException {
      List<String> limited = List.of("bash", "-c", "ulimit -n 96; exec \"$@\"", "limited");
      try (ChildProcess child = ChildProcess.start(limited, Child.class, data().toString())) {
        assertThat(child.line()).startsWith("20 false").contains("cannot be used");
        assertThat(child.line())
            .startsWith("40 false")
            .contains("as many files")
            .contains("not damaged");
      }
      try (SqliteStore store = SqliteStore.open(data())) {
        store.check();
      }
    }

    @Test
    void thatAreThereAreNoExcuse() throws SQLException {
      SQLException cannotOpen = new SQLiteException("x", SQLiteErrorCode.SQLITE_CANTOPEN);
      assertThat(SqliteErrors.of(cannotOpen, folder.resolve("none")))
          .hasMessageContaining("cannot be used");
    }
  }
}
