package dev.contexture.store.sqlite;

import static dev.contexture.testkit.StoreFixture.CHAT;
import static dev.contexture.testkit.StoreFixture.appending;
import static dev.contexture.testkit.StoreFixture.applied;
import static dev.contexture.testkit.StoreFixture.block;
import static dev.contexture.testkit.StoreFixture.opening;
import static dev.contexture.testkit.StoreFixture.turn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.block.TurnId;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.store.StoredBlock;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class SqliteBackupTest {
  private static final TurnId T1 = turn("t1");
  private static final int BEFORE = 300;

  @TempDir Path folder;

  /** Whatever is written meanwhile: the copy is what the store held at one moment. */
  @Test
  void copiesOneMomentWhileWritesGoOn() throws InterruptedException {
    Path copy = folder.resolve("copy");
    AtomicBoolean enough = new AtomicBoolean();
    AtomicInteger written = new AtomicInteger();
    int acknowledged;
    int inAll;
    try (SqliteStore store = SqliteStore.open(data())) {
      applied(store, opening(CHAT, T1, block(T1, text(1))));
      written.set(1);
      Thread writing =
          Thread.ofPlatform()
              .start(
                  () -> {
                    while (!enough.get()) {
                      int next = written.get() + 1;
                      applied(store, appending(CHAT, block(T1, text(next))));
                      written.set(next);
                    }
                  });
      while (written.get() < BEFORE) {
        Thread.onSpinWait();
      }
      acknowledged = written.get();
      SqliteInspection taken = SqliteBackup.take(data(), copy, (done, total) -> {});
      inAll = written.get() + 1; // one more may be under way
      enough.set(true);
      writing.join();
      assertThat(taken.conversations()).isEqualTo(1);
      assertThat(taken.schema()).isEqualTo(taken.newestSchema());
    }
    try (SqliteStore store = SqliteStore.open(copy)) {
      store.check();
      List<String> texts = texts(store);
      assertThat(texts).hasSizeBetween(acknowledged, inAll);
      for (int i = 0; i < texts.size(); i++) {
        assertThat(texts.get(i)).isEqualTo(text(i + 1));
      }
      applied(store, appending(CHAT, block(T1, "goes on")));
    }
    try (SqliteStore store = SqliteStore.open(data())) {
      assertThat(texts(store)).hasSizeGreaterThanOrEqualTo(acknowledged);
    }
  }

  private static List<String> texts(SqliteStore store) {
    List<String> texts = new ArrayList<>();
    List<StoredBlock> page = store.readRange(CHAT, 1, Long.MAX_VALUE, 500);
    while (!page.isEmpty()) {
      page.forEach(block -> texts.add(block.block().text().orElse("")));
      page = store.readRange(CHAT, page.getLast().seq() + 1, Long.MAX_VALUE, 500);
    }
    return texts;
  }

  private static String text(int number) {
    return "block " + number + " " + "x".repeat(600);
  }

  @Test
  void overwritesNothingAndLeavesNothingBehind() throws IOException {
    fill();
    Path there = Files.createDirectory(folder.resolve("there"));
    refused(ErrorCode.INVALID_ARGUMENT, there, "never overwrites");
    refused(
        ErrorCode.INVALID_ARGUMENT, Files.createFile(folder.resolve("file")), "never overwrites");
    refused(ErrorCode.INVALID_ARGUMENT, folder.resolve("no/where"), "in one that exists");
    assertThatThrownBy(() -> SqliteBackup.take(there, folder.resolve("b"), (done, total) -> {}))
        .hasMessageContaining("there is no store in");
    SqliteBackup.take(data(), folder.resolve("copy"), (done, total) -> {});
    assertThat(names()).containsExactlyInAnyOrder("data", "there", "file", "copy");
    try (Stream<Path> files = Files.list(folder.resolve("copy"))) {
      assertThat(files).containsExactly(folder.resolve("copy").resolve(SqliteStore.FILE));
    }
  }

  /** A killed backup holds all content: it must not lie around for ever. */
  @Test
  void removesWhatKilledBackupsLeftBehindAndNothingElse() throws IOException {
    fill();
    Path killed = partial(".other.partial-123", "backup.lock", SqliteStore.FILE);
    Path old = partial(".copy.partial-7", SqliteStore.FILE);
    Files.setLastModifiedTime(old, FileTime.from(Instant.EPOCH));
    Path young = partial(".copy.partial-8", SqliteStore.FILE);
    Path foreign = partial(".copy.partial-9", "backup.lock", "letters.txt");
    Path named = partial(".copy.partial-x", "backup.lock", SqliteStore.FILE);
    Path live = partial(".live.partial-1", "backup.lock", SqliteStore.FILE);
    try (FileChannel channel =
            FileChannel.open(live.resolve("backup.lock"), StandardOpenOption.WRITE);
        FileLock held = channel.lock()) {
      assertThat(held.isValid()).isTrue();
      SqliteBackup.take(data(), folder.resolve("copy"), (done, total) -> {});
    }
    assertThat(killed).doesNotExist();
    assertThat(old).doesNotExist();
    assertThat(List.of(young, foreign, named, live)).allMatch(Files::exists);
    SqliteBackup.take(data(), folder.resolve("again"), (done, total) -> {});
    assertThat(live).as("its process is gone now").doesNotExist();
  }

  private Path partial(String name, String... files) throws IOException {
    Path made = Files.createDirectory(folder.resolve(name));
    for (String file : files) {
      Files.writeString(made.resolve(file), "x");
    }
    return made;
  }

  @Test
  void refusesToKeepACopyOfADamagedStore() throws IOException {
    fill();
    try (RandomAccessFile file =
        new RandomAccessFile(data().resolve(SqliteStore.FILE).toFile(), "rw")) {
      byte[] all = new byte[(int) file.length()];
      file.readFully(all);
      byte[] text = "block 1 ".getBytes(StandardCharsets.UTF_8);
      file.seek(indexOf(all, text));
      file.write('B');
    }
    refused(ErrorCode.STORE_DAMAGED, folder.resolve("copy"), "");
    assertThat(names()).containsExactly("data");
  }

  private static int indexOf(byte[] all, byte[] part) {
    for (int i = 0; i + part.length <= all.length; i++) {
      if (Arrays.equals(all, i, i + part.length, part, 0, part.length)) {
        return i;
      }
    }
    throw new AssertionError("the text is not in the file");
  }

  /** On read-only media SQLite can make no files beside the database. */
  @Test
  void copiesWhatLiesOnReadOnlyMedia() throws IOException, SQLException {
    fill();
    Path file = data().resolve(SqliteStore.FILE);
    Files.createDirectory(data().resolve(SqliteStore.FILE + "-wal")); // no log can be made
    Path copy = Files.createDirectory(folder.resolve("copy"));
    assertThatThrownBy(() -> SqliteDb.copy(file.toString(), copy.resolve("shared")))
        .isInstanceOf(SQLException.class);
    SqliteDb.copy(SqliteDb.fixed(file), copy.resolve(SqliteStore.FILE));
    try (SqliteStore store = SqliteStore.open(copy)) {
      assertThat(texts(store)).containsExactly(text(1));
    }
  }

  @Test
  void aLookFindsWhatIsWrong() throws IOException {
    Path empty = Files.createDirectory(folder.resolve("empty"));
    assertThatThrownBy(() -> SqliteInspection.of(empty, SqliteInspection.Depth.FACTS))
        .hasMessageContaining("there is no store in");
    Files.writeString(empty.resolve(SqliteStore.FILE), "this is a letter, not a database");
    assertThatThrownBy(() -> SqliteInspection.of(empty, SqliteInspection.Depth.FACTS))
        .isInstanceOfSatisfying(
            ContextureException.class,
            refused -> assertThat(refused.code()).isEqualTo(ErrorCode.STORE_FOREIGN));
    fill();
    SqliteInspection found = SqliteInspection.of(data(), SqliteInspection.Depth.ROWS);
    assertThat(found.conversations()).isEqualTo(1);
    assertThat(found.sizeBytes()).isPositive();
  }

  private void refused(ErrorCode code, Path destination, String message) {
    assertThatThrownBy(() -> SqliteBackup.take(data(), destination, (done, total) -> {}))
        .isInstanceOfSatisfying(
            ContextureException.class, refused -> assertThat(refused.code()).isEqualTo(code))
        .hasMessageContaining(message);
  }

  private void fill() {
    try (SqliteStore store = SqliteStore.open(data())) {
      applied(store, opening(CHAT, T1, block(T1, text(1))));
    }
  }

  private Path data() {
    return folder.resolve("data");
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }
}
