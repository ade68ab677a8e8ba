package dev.contexture.store.sqlite;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.store.jdbc.Db;
import dev.contexture.store.jdbc.copy.CopiedTable;
import dev.contexture.store.jdbc.copy.CopySide;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/** The store of a directory, which is copied or filled while no server has it. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class SqliteCopySide extends CopySide {
  private final Path file;
  private final DirectoryLock lock;

  private SqliteCopySide(Path file, DirectoryLock lock, Connection connection) {
    super(connection);
    this.file = file;
    this.lock = lock;
  }

  /**
   * Opens a store that is there, to be copied.
   *
   * @throws ContextureException {@code not_found}, {@code store_in_use}, {@code store_newer};
   *     {@code invalid_argument} if its schema is older
   */
  public static SqliteCopySide source(Path directory) {
    SqliteInspection found = SqliteInspection.of(directory, SqliteInspection.Depth.FACTS);
    if (found.schema() < found.newestSchema()) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT,
          "--from",
          directory,
          "a store that this version has opened once; its schema is " + found.schema());
    }
    return open(directory);
  }

  /** Opens a store to be filled, which is made if it is not there. */
  public static SqliteCopySide target(Path directory) {
    if (!Files.exists(directory.resolve(SqliteStore.FILE))) {
      SqliteStore.open(directory).close();
    }
    return open(directory);
  }

  private static SqliteCopySide open(Path directory) {
    Path file = directory.resolve(SqliteStore.FILE);
    DirectoryLock lock = DirectoryLock.take(directory);
    try {
      Db db = SqliteDb.writer(file, 0, Db.FaultPoint.NONE);
      return new SqliteCopySide(file, lock, db.connection());
    } catch (SQLException failed) {
      lock.close();
      throw SqliteErrors.of(failed, file);
    } catch (RuntimeException refused) {
      lock.close();
      throw refused;
    }
  }

  @Override
  public String name() {
    return "sqlite:" + file.toAbsolutePath().normalize().getParent();
  }

  @Override
  protected Optional<String> tenantOf(CopiedTable table) {
    return switch (table.place()) {
      case OWN -> Optional.empty();
      case NONE -> Optional.of("'*'");
      case CONVERSATION -> Optional.of(owner("conversations", "r.conv"));
      case CONVERSATION_OF_ID -> Optional.of(owner("conversations", "r.id >> 32"));
      case CONVERSATION_OF_BLOCK -> Optional.of(owner("conversations", "r.block >> 32"));
      case MEMORY -> Optional.of(owner("memory_blocks", "r.mem"));
      case MEMORY_OF_ID -> Optional.of(owner("memory_blocks", "r.id >> 32"));
    };
  }

  private static String owner(String table, String id) {
    return "(SELECT o.tenant FROM " + table + " AS o WHERE o.id = " + id + ")";
  }

  @Override
  protected void use(String tenant) {} // all rows are readable

  @Override
  protected boolean isEmpty(CopiedTable table) throws SQLException {
    try (var statement = connection().createStatement();
        var row = statement.executeQuery("SELECT 1 FROM " + table.table() + " LIMIT 1")) {
      return !row.next();
    }
  }

  @Override
  protected void numberBehind(Map<CopiedTable, Long> lastIds, long lastNumber) {} // as it is

  @Override
  protected ContextureException failed(SQLException failure) {
    return SqliteErrors.of(failure, file);
  }

  @Override
  public void close() {
    try {
      super.close();
    } finally {
      lock.close();
    }
  }
}
