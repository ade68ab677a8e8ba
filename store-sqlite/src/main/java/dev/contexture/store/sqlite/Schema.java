package dev.contexture.store.sqlite;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.store.OwnerOnly;
import dev.contexture.store.jdbc.Db;
import dev.contexture.store.jdbc.RowChecksum;
import dev.contexture.store.jdbc.copy.CopySide;
import dev.contexture.store.jdbc.schema.Migrations;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The tables, made by numbered scripts. A database knows which scripts it was made by, and their
 * checksums; one that is newer than this version, or not ours, is refused and left as it is.
 */
final class Schema {
  /** What marks a database as ours: "CTXT". */
  static final int APPLICATION_ID = 0x43545854;

  private static final byte[] MAGIC = "SQLite format 3\0".getBytes(StandardCharsets.US_ASCII);
  private static final Migrations MIGRATIONS =
      new Migrations(
          Schema.class,
          List.of(
              "001_conversations.sql",
              "002_memory.sql",
              "003_epochs.sql",
              "004_request_memory.sql",
              "005_activity.sql",
              "006_erasures.sql",
              "007_covered_turns.sql",
              "008_pins.sql",
              "009_secrets.sql",
              "010_user_memory.sql"));

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
    return MIGRATIONS.newest();
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
      try (Db db = SqliteDb.writer(partial, tuning.maxPages(), tuning.faults())) {
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

  /** Makes the tables that a database lacks. */
  static void bringUp(Db db, int from) throws SQLException {
    if (from == 0) {
      db.execute("PRAGMA application_id = " + APPLICATION_ID);
      Migrations.prepare(db);
    }
    for (int number = from + 1; number <= newest(); number++) {
      MIGRATIONS.apply(db, number);
      db.execute("PRAGMA user_version = " + number);
      db.commit();
    }
  }

  /**
   * The schema that the database has; 0 if it is empty.
   *
   * @throws ContextureException {@code store_foreign} or {@code store_newer}
   */
  static int found(Db db, Path file) throws SQLException {
    long application = pragma(db, "application_id");
    boolean empty = !db.sql("SELECT 1 FROM sqlite_master").exists();
    if (application != APPLICATION_ID && !empty) {
      throw foreign(file, "it is a database of another program");
    }
    if (db.sql("SELECT 1 FROM sqlite_master WHERE name = ?").exists(CopySide.PROGRESS)) {
      throw new ContextureException(
          ErrorCode.STORE_UNAVAILABLE, CopySide.unfinished(file.toString()));
    }
    long found = pragma(db, "user_version");
    if (found > newest()) {
      throw new ContextureException(
          ErrorCode.STORE_NEWER,
          file
              + " has schema "
              + found
              + ", this version knows "
              + newest()
              + "; use the version of Contexture that wrote it, or a newer one",
          Map.of("file", file.toString(), "schema", found),
          null);
    }
    if (found > 0) {
      Optional<String> problem = MIGRATIONS.problem(db, (int) found);
      if (problem.isPresent()) {
        throw foreign(file, problem.get());
      }
    }
    return (int) found;
  }

  private static long pragma(Db db, String name) throws SQLException {
    return db.sql("PRAGMA " + name).one(row -> row.getLong(1)).orElse(0L);
  }

  private static ContextureException foreign(Path file, String why) {
    return new ContextureException(
        ErrorCode.STORE_FOREIGN,
        file + " is no store of Contexture: " + why + "; give another directory",
        Map.of("file", file.toString()),
        null);
  }
}
