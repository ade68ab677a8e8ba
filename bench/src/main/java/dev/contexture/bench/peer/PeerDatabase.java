package dev.contexture.bench.peer;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Path;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/**
 * An SQLite file with the settings of our store, for a peer. Our {@code secure_delete} is left out:
 * it would slow down only those who delete.
 */
final class PeerDatabase {
  private static final int WAL_PAGES = 4_000;

  private PeerDatabase() {}

  /** A pool with one connection, whose page cache so stays valid: one thread uses it. */
  public static HikariDataSource open(Path file) {
    SQLiteConfig settings = new SQLiteConfig();
    settings.setPragma(SQLiteConfig.Pragma.JOURNAL_MODE, "WAL");
    settings.setPragma(SQLiteConfig.Pragma.SYNCHRONOUS, "FULL");
    SQLiteDataSource sqlite = new SQLiteDataSource(settings);
    sqlite.setUrl("jdbc:sqlite:" + file);
    HikariConfig pool = new HikariConfig();
    pool.setDataSource(sqlite);
    pool.setMaximumPoolSize(1);
    pool.setConnectionInitSql("PRAGMA wal_autocheckpoint = " + WAL_PAGES);
    return new HikariDataSource(pool);
  }

  /** The same of a PostgreSQL database. */
  static HikariDataSource postgres(String url) {
    HikariConfig pool = new HikariConfig();
    pool.setJdbcUrl(url);
    pool.setMaximumPoolSize(1);
    return new HikariDataSource(pool);
  }
}
