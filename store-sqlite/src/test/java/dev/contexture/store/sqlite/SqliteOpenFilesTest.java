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
import dev.contexture.store.jdbc.Db;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** Files that vanish or break under an open store: nothing is acknowledged that would be lost. */
class SqliteOpenFilesTest {
  private static final TurnId T1 = turn("t1");

  @TempDir Path directory;

  private Path database() {
    return directory.resolve(SqliteStore.FILE);
  }

  private static ContextureException refused(ErrorCode code, ThrowingCallable call) {
    ContextureException refusal = catchThrowableOfType(ContextureException.class, call);
    assertThat(refusal).isNotNull();
    assertThat(refusal.code()).as(refusal.getMessage()).isEqualTo(code);
    return refusal;
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-wal", "-shm"})
  void aFileThatWasRemovedStopsWritesAndReads(String suffix) throws IOException {
    Path file = directory.resolve(SqliteStore.FILE + suffix);
    try (SqliteStore store = SqliteStore.open(directory)) {
      applied(store, opening(CHAT, T1, block(T1, "kept")));
      assertThat(store.writeProblem()).isEmpty();
      Files.delete(file);
      ContextureException write =
          refused(
              ErrorCode.STORE_UNAVAILABLE,
              () -> applied(store, appending(CHAT, block(T1, "lost"))));
      assertThat(write).hasMessageContaining(file.getFileName() + " was removed");
      refused(ErrorCode.STORE_UNAVAILABLE, () -> store.head(CHAT));
      assertThat(store.writeProblem())
          .hasValueSatisfying(
              problem -> assertThat(problem).hasMessageContaining("was removed or replaced"));
      assertThat(file).doesNotExist();
    }
  }

  @Test
  void aReplacedDatabaseIsNotWrittenTo() throws IOException {
    Path other = directory.resolve("other");
    SqliteStore.open(other).close();
    try (SqliteStore store = SqliteStore.open(directory)) {
      applied(store, opening(CHAT, T1, block(T1, "one")));
      Files.move(database(), directory.resolve("aside"));
      Files.move(other.resolve(SqliteStore.FILE), database());
      long size = Files.size(database());
      refused(ErrorCode.STORE_UNAVAILABLE, () -> applied(store, appending(CHAT, block(T1, "two"))));
      refused(ErrorCode.STORE_UNAVAILABLE, () -> store.load(CHAT));
      assertThat(Files.size(database())).isEqualTo(size);
    }
  }

  @Test
  void aDatabaseThatIsPutBackIsUsedAgain() throws IOException {
    try (SqliteStore store = SqliteStore.open(directory)) {
      applied(store, opening(CHAT, T1, block(T1, "one")));
      Path aside = directory.resolve("aside");
      Files.move(database(), aside);
      refused(ErrorCode.STORE_UNAVAILABLE, () -> applied(store, appending(CHAT, block(T1, "no"))));
      Files.move(aside, database());
      assertThat(store.writeProblem()).isEmpty();
      applied(store, appending(CHAT, block(T1, "two")));
      assertThat(store.readRange(CHAT, 1, 9, 9)).hasSize(2);
    }
    try (SqliteStore store = SqliteStore.open(directory)) {
      store.check();
      assertThat(store.readRange(CHAT, 1, 9, 9)).hasSize(2);
    }
  }

  @Test
  void aBrokenReadConnectionIsOpenedAgain() throws SQLException {
    SqliteStore.open(directory).close();
    try (Db keepsLog = SqliteDb.reader(database());
        Readers readers =
            new Readers(
                new DatabaseFiles(database(), () -> {}), 1, () -> SqliteDb.reader(database()))) {
      assertThat(keepsLog.sql("SELECT 1 FROM migrations").exists()).isTrue();
      refused(
          ErrorCode.STORE_UNAVAILABLE,
          () ->
              readers.read(
                  db -> {
                    db.close();
                    return db.sql("SELECT 1 FROM migrations").exists();
                  }));
      AtomicBoolean broken = new AtomicBoolean();
      Boolean read =
          readers.read(
              db -> {
                if (broken.compareAndSet(false, true)) {
                  db.close(); // what reads next on this connection fails
                }
                return db.sql("SELECT 1 FROM migrations").exists();
              });
      assertThat(read).isTrue();
    }
  }

  private final AtomicBoolean broken = new AtomicBoolean();

  private SqliteStore open(WriteProbe.Disk disk, Duration idle) {
    Db.FaultPoint faults =
        point -> {
          if (broken.get() && point.equals("COMMIT")) {
            throw new SQLiteException("made to fail", SQLiteErrorCode.SQLITE_FULL);
          }
        };
    return SqliteStore.open(directory, new SqliteStore.Tuning(0, 2, faults, disk, idle));
  }

  private static void hasProblem(SqliteStore store, ErrorCode code) {
    assertThat(store.writeProblem())
        .hasValueSatisfying(problem -> assertThat(problem.code()).isEqualTo(code));
  }

  @Test
  void aWriteProblemLastsUntilAWriteWorks() {
    try (SqliteStore store = open(WriteProbe.Disk.REAL, Duration.ofDays(1))) {
      applied(store, opening(CHAT, T1));
      broken.set(true);
      assertThat(store.writeProblem()).as("one was made just now").isEmpty();
      refused(ErrorCode.STORE_FULL, () -> applied(store, appending(CHAT, block(T1, "x"))));
      hasProblem(store, ErrorCode.STORE_FULL);
      broken.set(false);
      assertThat(store.writeProblem()).isEmpty();
    }
    SqliteStore closed = SqliteStore.open(directory);
    closed.close();
    assertThat(closed.writeProblem()).isPresent();
  }

  @Test
  void aWriteProblemShowsAlthoughNobodyWrites() {
    try (SqliteStore store = open(WriteProbe.Disk.REAL, Duration.ZERO)) {
      assertThat(store.writeProblem()).isEmpty();
      broken.set(true);
      hasProblem(store, ErrorCode.STORE_FULL);
      broken.set(false);
      assertThat(store.writeProblem()).isEmpty();
      store.check();
    }
  }

  /** To write again what is there already would write nothing, and find out nothing. */
  @Test
  void theProbeReachesTheDisk() throws IOException {
    try (SqliteStore store = open(WriteProbe.Disk.REAL, Duration.ZERO)) {
      assertThat(store.writeProblem()).isEmpty();
      Path log = directory.resolve(SqliteStore.FILE + "-wal");
      long before = Files.size(log);
      assertThat(store.writeProblem()).isEmpty();
      assertThat(Files.size(log)).isGreaterThan(before);
    }
  }

  @Test
  void aDiskThatFillsUpOrMayNotBeWrittenIsSeenWithoutAWrite() {
    AtomicBoolean writable = new AtomicBoolean(true);
    AtomicLong room = new AtomicLong(Long.MAX_VALUE);
    WriteProbe.Disk disk =
        new WriteProbe.Disk() {
          @Override
          public boolean isWritable(Path asked) {
            return writable.get() && asked.equals(directory.toAbsolutePath());
          }

          @Override
          public long usableBytes(Path asked) {
            return room.get();
          }
        };
    try (SqliteStore store = open(disk, Duration.ofDays(1))) {
      assertThat(store.writeProblem()).isEmpty();
      room.set((16 << 20) - 1);
      hasProblem(store, ErrorCode.STORE_FULL);
      room.set(16 << 20);
      assertThat(store.writeProblem()).isEmpty();
      writable.set(false);
      hasProblem(store, ErrorCode.STORE_READ_ONLY);
      writable.set(true);
      assertThat(store.writeProblem()).isEmpty();
    }
  }
}
