package dev.contexture.store.sqlite;

import dev.contexture.store.jdbc.Db;
import dev.contexture.store.jdbc.OutboxReads;
import dev.contexture.store.jdbc.RowChecksum;
import dev.contexture.store.jdbc.SqlDialect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConnection;
import org.sqlite.SQLiteOpenMode;

/** Connections to SQLite: how they are opened, and what only SQLite does with its files. */
final class SqliteDb {
  private static final SqlDialect DIALECT = (column, key) -> column + " ->> '$." + key + "'";
  private static final int WAL_PAGES = 4_000; // 16 MiB between checkpoints
  private static final long MOST_PAGES = 4_294_967_294L; // what SQLite can count
  private static final int BUSY_MILLIS = 10_000;

  private SqliteDb() {}

  /**
   * Opens a connection that writes.
   *
   * @param maxPages how large the file may become; 0: as large as it needs
   */
  static Db writer(Path file, long maxPages, Db.FaultPoint faults) throws SQLException {
    return writer(file, maxPages, faults, null);
  }

  /**
   * Opens the connection that alone writes.
   *
   * @param outboxReads what it shares with the connections that read
   */
  static Db writer(
      Path file, long maxPages, Db.FaultPoint faults, @Nullable OutboxReads outboxReads)
      throws SQLException {
    SQLiteConfig config = new SQLiteConfig();
    config.setBusyTimeout(BUSY_MILLIS);
    config.setPragma(SQLiteConfig.Pragma.JOURNAL_MODE, "WAL");
    config.setPragma(SQLiteConfig.Pragma.SYNCHRONOUS, "FULL");
    config.setPragma(SQLiteConfig.Pragma.SECURE_DELETE, "ON");
    config.setGetGeneratedKeys(false); // else the driver asks for the key after each insert
    Db db = new Db(connect(config, file.toString()), DIALECT, faults, outboxReads);
    String room = "PRAGMA max_page_count = " + (maxPages > 0 ? maxPages : MOST_PAGES);
    return prepared(db, "PRAGMA wal_autocheckpoint = " + WAL_PAGES, room);
  }

  /** Opens a connection that only reads. */
  static Db reader(Path file) throws SQLException {
    return reader(file, null);
  }

  /**
   * Opens a connection that only reads.
   *
   * @param outboxReads what it shares with the one that writes
   */
  static Db reader(Path file, @Nullable OutboxReads outboxReads) throws SQLException {
    Db db =
        new Db(connect(readerConfig(), address(file)), DIALECT, Db.FaultPoint.NONE, outboxReads);
    return prepared(db, "PRAGMA query_only = ON");
  }

  /** Opens a database without rows that goes with its connection. */
  static Db inMemory() throws SQLException {
    Db db = emptyInMemory();
    ((SQLiteConnection) db.connection()).deserialize("main", Tables.IMAGE);
    return prepared(db, "PRAGMA journal_mode = MEMORY", "PRAGMA synchronous = OFF");
  }

  private static Db emptyInMemory() throws SQLException {
    SQLiteConfig config = new SQLiteConfig();
    config.setGetGeneratedKeys(false);
    config.setTempStore(SQLiteConfig.TempStore.MEMORY);
    return new Db(config.createConnection("jdbc:sqlite::memory:"), DIALECT, Db.FaultPoint.NONE);
  }

  /** A database that has all tables, made once: to copy it takes a tenth of the time. */
  private static final class Tables {
    static final byte[] IMAGE = image();

    private static byte[] image() {
      try (Db db = prepared(emptyInMemory())) {
        Schema.bringUp(db, 0);
        return ((SQLiteConnection) db.connection()).serialize("main");
      } catch (SQLException broken) {
        throw new IllegalStateException("the tables cannot be made", broken);
      }
    }
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
  private static Db prepared(Db db, String... settings) throws SQLException {
    try {
      for (String setting : settings) {
        db.execute(setting);
      }
      db.sql("SELECT 1 FROM sqlite_master").exists();
      db.connection().setAutoCommit(false);
      return db;
    } catch (SQLException unusable) {
      try {
        db.close();
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

  /**
   * Moves everything into the database file and leaves an empty log behind, outside a transaction.
   *
   * @param waitMillis how long it waits for those who read the log
   * @return false if somebody still reads it
   */
  static boolean truncateLog(Db db, int waitMillis) throws SQLException {
    Connection connection = db.connection();
    connection.setAutoCommit(true);
    db.execute("PRAGMA busy_timeout = " + waitMillis);
    try (Statement statement = connection.createStatement();
        ResultSet busy = statement.executeQuery("PRAGMA wal_checkpoint(TRUNCATE)")) {
      return busy.next() && busy.getInt(1) == 0;
    } finally {
      db.execute("PRAGMA busy_timeout = " + BUSY_MILLIS);
      connection.setAutoCommit(false);
    }
  }

  /** Checks the file as a database, not what its rows say. */
  static void checkStructure(Db db, Path file) throws SQLException {
    String verdict = db.sql("PRAGMA integrity_check(1)").one(row -> row.getString(1)).orElse("");
    if (!verdict.equals("ok")) {
      throw RowChecksum.damaged("database", file.toString(), "is malformed: " + verdict, null);
    }
  }
}
