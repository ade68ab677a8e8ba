package dev.contexture.store.sqlite;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.store.OwnerOnly;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * The tables, made by numbered scripts. A database knows which scripts it was made by, and their
 * checksums; one that is newer than this version, or not ours, is refused and left as it is.
 */
final class Schema {
  /** What marks a database as ours: "CTXT". */
  static final int APPLICATION_ID = 0x43545854;

  private static final byte[] MAGIC = "SQLite format 3\0".getBytes(StandardCharsets.US_ASCII);
  private static final List<String> SCRIPTS =
      List.of(
          "001_conversations.sql",
          "002_memory.sql",
          "003_epochs.sql",
          "004_request_memory.sql",
          "005_activity.sql",
          "006_erasures.sql");

  private Schema() {}

  /**
   * Refuses a file that is no SQLite database, before SQLite touches it.
   *
   * @throws ContextureException {@code store_foreign}
   */
  static void checkFile(Path file) {
    if (!Files.exists(file)) {
      return;
    }
    try (InputStream in = Files.newInputStream(file)) {
      byte[] start = in.readNBytes(MAGIC.length);
      if (start.length > 0 && !Arrays.equals(start, MAGIC)) {
        throw foreign(file, "it is no SQLite database");
      }
    } catch (IOException unreadable) {
      throw new ContextureException(
          ErrorCode.STORE_UNAVAILABLE,
          file + " cannot be read: " + unreadable + "; check its permissions",
          Map.of("file", file.toString()),
          unreadable);
    }
  }

  /** The schema that this version writes. */
  static int newest() {
    return SCRIPTS.size();
  }

  /**
   * Makes a database, which has its name when it is whole: an empty one is never ours. Only its
   * owner may read it; SQLite makes the files beside it likewise.
   */
  static void create(Path file, SqliteStore.Tuning tuning) throws IOException, SQLException {
    Path partial = file.resolveSibling("." + file.getFileName() + ".new");
    for (String suffix : List.of("", "-wal", "-shm")) { // of a process that was killed
      Files.deleteIfExists(partial.resolveSibling(partial.getFileName() + suffix));
    }
    OwnerOnly.createFile(partial);
    try {
      try (Db db = Db.writer(partial, tuning.maxPages(), tuning.faults())) {
        bringUp(db, 0);
      }
      Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(partial);
    }
  }

  /**
   * Brings the database to the newest schema.
   *
   * @throws ContextureException {@code store_foreign}, {@code store_newer}, or {@code
   *     store_damaged} if it holds nothing at all
   */
  static void migrate(Db db, Path file) throws SQLException {
    int found = found(db, file);
    if (found == 0) {
      throw RowChecksum.damaged("database", file.toString(), "holds no tables", null);
    }
    bringUp(db, found);
  }

  private static void bringUp(Db db, int from) throws SQLException {
    for (int number = from + 1; number <= SCRIPTS.size(); number++) {
      apply(db, number);
    }
  }

  /**
   * The schema that the database has; 0 if it is empty.
   *
   * @throws ContextureException {@code store_foreign} or {@code store_newer}
   */
  static int found(Db db, Path file) throws SQLException {
    long application = pragma(db, "application_id");
    boolean empty = !db.exists("SELECT 1 FROM sqlite_master");
    if (application != APPLICATION_ID && !empty) {
      throw foreign(file, "it is a database of another program");
    }
    long found = pragma(db, "user_version");
    if (found > SCRIPTS.size()) {
      throw new ContextureException(
          ErrorCode.STORE_NEWER,
          file
              + " has schema "
              + found
              + ", this version knows "
              + SCRIPTS.size()
              + "; use the version of Contexture that wrote it, or a newer one",
          Map.of("file", file.toString(), "schema", found),
          null);
    }
    if (found > 0) {
      checkScripts(db, file, (int) found);
    }
    return (int) found;
  }

  private static void checkScripts(Db db, Path file, int upTo) throws SQLException {
    for (int number = 1; number <= upTo; number++) {
      String expected = checksum(script(number));
      String actual =
          db.one(
                  "SELECT checksum FROM migrations WHERE number = ?",
                  row -> row.getString(1),
                  number)
              .orElse("none");
      if (!expected.equals(actual)) {
        throw foreign(
            file, "migration " + number + " has checksum " + actual + ", expected " + expected);
      }
    }
  }

  private static void apply(Db db, int number) throws SQLException {
    if (number == 1) {
      db.execute("PRAGMA application_id = " + APPLICATION_ID);
      db.update(
          "CREATE TABLE migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL,"
              + " checksum TEXT NOT NULL)");
    }
    String script = script(number);
    for (String statement : script.replaceAll("(?m)^--.*\n", "").split(";\n", -1)) {
      if (!statement.isBlank()) {
        db.update(statement);
      }
    }
    db.update(
        "INSERT INTO migrations VALUES (?, ?, ?)",
        number,
        SCRIPTS.get(number - 1),
        checksum(script));
    db.execute("PRAGMA user_version = " + number);
    db.commit();
  }

  /**
   * Writes and takes it back: whether that works is what the caller wants to know. To write again
   * what is there would not do, since SQLite then writes nothing.
   */
  static int touch(Db db) throws SQLException {
    db.update("INSERT INTO migrations VALUES (0, '', '')");
    return db.update("DELETE FROM migrations WHERE number = 0");
  }

  private static long pragma(Db db, String name) throws SQLException {
    return db.one("PRAGMA " + name, row -> row.getLong(1)).orElse(0L);
  }

  private static String checksum(String script) {
    return HexFormat.of().toHexDigits(RowChecksum.crc(script));
  }

  private static String script(int number) {
    String name = SCRIPTS.get(number - 1);
    try (InputStream in = Schema.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("the jar lacks " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException broken) {
      throw new UncheckedIOException("the jar's " + name + " cannot be read", broken);
    }
  }

  private static ContextureException foreign(Path file, String why) {
    return new ContextureException(
        ErrorCode.STORE_FOREIGN,
        file + " is no store of Contexture: " + why + "; give another directory",
        Map.of("file", file.toString()),
        null);
  }
}
