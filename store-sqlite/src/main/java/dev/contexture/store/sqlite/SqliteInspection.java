package dev.contexture.store.sqlite;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.store.jdbc.Db;
import dev.contexture.store.jdbc.RowCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * The findings of an inspection of a store, from outside, whichever process owns it. It changes
 * nothing.
 *
 * @param sizeBytes of the database
 * @param schema that it has; 0 if it is empty
 * @param newestSchema that this version writes; an older store is brought there when it is opened
 * @param conversations how many there are, of all tenants
 * @param memoryBlocks how many there are, of all tenants
 * @param projects of any tenant that have something to be found
 * @param erasures that are not finished: of some, copies may still be in the files
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record SqliteInspection(
    long sizeBytes,
    int schema,
    int newestSchema,
    long conversations,
    long memoryBlocks,
    long projects,
    long erasures) {
  /** The thoroughness of an inspection. */
  public enum Depth {
    /** Only whether it is a store of ours. */
    FACTS,
    /** Also its structure as a database. */
    STRUCTURE,
    /** Also every row, against its checksum; rows of an older schema are left out. */
    ROWS
  }

  /**
   * Looks at the store in a directory.
   *
   * @throws ContextureException {@code not_found} if there is none; {@code store_foreign}, {@code
   *     store_newer}, {@code store_damaged} with the first damage, {@code store_unavailable}
   */
  public static SqliteInspection of(Path directory, Depth depth) {
    Path file = directory.resolve(SqliteStore.FILE);
    if (!Files.isRegularFile(file)) {
      throw new ContextureException(
          ErrorCode.NOT_FOUND,
          "there is no store in " + directory + "; give the directory of one",
          Map.of("directory", directory.toString()),
          null);
    }
    try (Db db = SqliteDb.reader(file)) {
      return look(db, file, depth);
    } catch (SQLException failed) {
      // Not before: closing a file drops the locks that SQLite has on it in this process.
      Schema.checkFile(file);
      throw SqliteErrors.of(failed, file);
    } catch (IOException unreadable) {
      throw new ContextureException(
          ErrorCode.STORE_UNAVAILABLE,
          file + " cannot be read: " + unreadable,
          Map.of(),
          unreadable);
    }
  }

  private static SqliteInspection look(Db db, Path file, Depth depth)
      throws SQLException, IOException {
    int schema = Schema.found(db, file);
    if (depth != Depth.FACTS) {
      SqliteDb.checkStructure(db, file);
    }
    if (depth == Depth.ROWS && schema == Schema.newest()) {
      RowCheck.run(db);
    }
    return new SqliteInspection(
        Files.size(file),
        schema,
        Schema.newest(),
        count(db, "conversations", "*"),
        count(db, "memory_blocks", "*"),
        count(db, "outbox", "DISTINCT tenant || '/' || project"),
        count(db, "erasures", "*"));
  }

  /** An older schema may lack a table. */
  private static long count(Db db, String table, String what) throws SQLException {
    boolean there =
        db.sql("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").exists(table);
    return there
        ? db.sql("SELECT count(" + what + ") FROM " + table).one(row -> row.getLong(1)).orElse(0L)
        : 0;
  }
}
