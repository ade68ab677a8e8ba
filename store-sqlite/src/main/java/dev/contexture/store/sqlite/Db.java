package dev.contexture.store.sqlite;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteOpenMode;

/** A connection that keeps its prepared statements. Confined to one thread at a time. */
final class Db implements AutoCloseable {
  /** Reads one row. */
  interface Mapper<T> {
    T map(ResultSet row) throws SQLException;
  }

  /** Where a test makes a write fail; reached before each of them. */
  interface FaultPoint {
    void reach(String point) throws SQLException;

    FaultPoint NONE = point -> {};
  }

  private static final int WAL_PAGES = 4_000; // 16 MiB between checkpoints
  private static final long MOST_PAGES = 4_294_967_294L; // what SQLite can count
  private static final int BUSY_MILLIS = 10_000;

  private final Connection connection;
  private final FaultPoint faults;
  private final Map<String, PreparedStatement> statements = new HashMap<>();
  private long writes;

  private Db(Connection connection, FaultPoint faults) {
    this.connection = connection;
    this.faults = faults;
  }

  /**
   * Opens a connection that writes.
   *
   * @param maxPages how large the file may become; 0: as large as it needs
   */
  static Db writer(Path file, long maxPages, FaultPoint faults) throws SQLException {
    SQLiteConfig config = new SQLiteConfig();
    config.setBusyTimeout(BUSY_MILLIS);
    config.setPragma(SQLiteConfig.Pragma.JOURNAL_MODE, "WAL");
    config.setPragma(SQLiteConfig.Pragma.SYNCHRONOUS, "FULL");
    config.setPragma(SQLiteConfig.Pragma.SECURE_DELETE, "ON");
    config.setGetGeneratedKeys(false); // else the driver asks for the key after each insert
    Db db = new Db(connect(config, file.toString()), faults);
    String room = "PRAGMA max_page_count = " + (maxPages > 0 ? maxPages : MOST_PAGES);
    return db.prepared("PRAGMA wal_autocheckpoint = " + WAL_PAGES, room);
  }

  /** Opens a connection that only reads. */
  static Db reader(Path file) throws SQLException {
    Db db = new Db(connect(readerConfig(), address(file)), FaultPoint.NONE);
    return db.prepared("PRAGMA query_only = ON");
  }

  /** Connects to a file that exists: a database is made in one place only. */
  private static Connection connect(SQLiteConfig config, String address) throws SQLException {
    config.resetOpenMode(SQLiteOpenMode.CREATE);
    config.setTempStore(SQLiteConfig.TempStore.MEMORY); // no file of content elsewhere
    return config.createConnection("jdbc:sqlite:" + address);
  }

  private static SQLiteConfig readerConfig() {
    SQLiteConfig config = new SQLiteConfig();
    config.setBusyTimeout(BUSY_MILLIS);
    return config;
  }

  /**
   * Where a database is to be read. SQLite shares one through files beside it; where none can be
   * made, as on read-only media, and none is there, nobody writes and the file is read as it is.
   */
  private static String address(Path file) {
    Path directory = file.toAbsolutePath().getParent();
    boolean shared =
        Files.isWritable(directory) || Files.exists(Path.of(file + "-wal")) || !Files.exists(file);
    return shared ? file.toString() : fixed(file);
  }

  /** A database that does not change while it is read. */
  static String fixed(Path file) {
    return "file:" + file.toAbsolutePath().toUri().getRawPath() + "?immutable=1";
  }

  /**
   * Sets the connection up and reads once. From then on it has every file that it needs, whatever
   * else takes the descriptors of this process.
   */
  private Db prepared(String... settings) throws SQLException {
    try {
      for (String setting : settings) {
        execute(setting);
      }
      exists("SELECT 1 FROM sqlite_master");
      connection.setAutoCommit(false);
      return this;
    } catch (SQLException unusable) {
      try {
        close();
      } catch (SQLException second) {
        unusable.addSuppressed(second);
      }
      throw unusable;
    }
  }

  /**
   * Writes what a database holds at this moment into a new file, while others go on writing. What
   * was deleted is not in it. The file is not forced to the disk.
   */
  static void copy(Path file, Path to) throws SQLException {
    copy(address(file), to);
  }

  static void copy(String address, Path to) throws SQLException {
    try (Connection connection = connect(readerConfig(), address);
        PreparedStatement statement = connection.prepareStatement("VACUUM INTO ?")) {
      statement.setString(1, to.toString());
      statement.execute();
    }
  }

  /** Runs statements that return nothing of interest, outside of what faults reach. */
  void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** How often something was written, or was tried to. */
  long writes() {
    return writes;
  }

  int update(String sql, @Nullable Object... arguments) throws SQLException {
    writes++;
    faults.reach(sql);
    return bound(sql, arguments).executeUpdate();
  }

  /** Inserts a row and returns its key. */
  long insert(String sql, @Nullable Object... arguments) throws SQLException {
    update(sql, arguments);
    return one("SELECT last_insert_rowid()", row -> row.getLong(1)).orElseThrow();
  }

  <T> List<T> list(String sql, Mapper<T> mapper, @Nullable Object... arguments)
      throws SQLException {
    try (ResultSet rows = bound(sql, arguments).executeQuery()) {
      List<T> found = new ArrayList<>();
      while (rows.next()) {
        found.add(mapper.map(rows));
      }
      return found;
    }
  }

  <T> Optional<T> one(String sql, Mapper<T> mapper, @Nullable Object... arguments)
      throws SQLException {
    try (ResultSet rows = bound(sql, arguments).executeQuery()) {
      return rows.next() ? Optional.of(mapper.map(rows)) : Optional.empty();
    }
  }

  boolean exists(String sql, @Nullable Object... arguments) throws SQLException {
    return one(sql, row -> true, arguments).isPresent();
  }

  private PreparedStatement bound(String sql, @Nullable Object... arguments) throws SQLException {
    PreparedStatement statement = statements.get(sql);
    if (statement == null) {
      statement = connection.prepareStatement(sql);
      statements.put(sql, statement);
    }
    for (int i = 0; i < arguments.length; i++) {
      Object argument = arguments[i];
      switch (argument) {
        case null -> statement.setNull(i + 1, java.sql.Types.NULL);
        case Long number -> statement.setLong(i + 1, number);
        case Integer number -> statement.setInt(i + 1, number);
        case String text -> statement.setString(i + 1, text);
        case byte[] bytes -> statement.setBytes(i + 1, bytes);
        default -> throw new IllegalArgumentException("no column type for " + argument.getClass());
      }
    }
    return statement;
  }

  void commit() throws SQLException {
    faults.reach("COMMIT");
    connection.commit();
    faults.reach("COMMITTED");
  }

  void rollback() throws SQLException {
    connection.rollback();
  }

  /**
   * Moves everything into the database file and leaves an empty log behind, outside a transaction.
   *
   * @param waitMillis how long it waits for those who read the log
   * @return false if somebody still reads it
   */
  boolean truncateLog(int waitMillis) throws SQLException {
    connection.setAutoCommit(true);
    execute("PRAGMA busy_timeout = " + waitMillis);
    try (Statement statement = connection.createStatement();
        ResultSet busy = statement.executeQuery("PRAGMA wal_checkpoint(TRUNCATE)")) {
      return busy.next() && busy.getInt(1) == 0;
    } finally {
      execute("PRAGMA busy_timeout = " + BUSY_MILLIS);
      connection.setAutoCommit(false);
    }
  }

  @Override
  public void close() throws SQLException {
    for (PreparedStatement statement : statements.values()) {
      statement.close();
    }
    connection.close();
  }
}
