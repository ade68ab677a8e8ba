package dev.contexture.store.postgres;

import dev.contexture.store.jdbc.Db;
import java.sql.SQLException;

/**
 * The offset that is added to transaction numbers, so that they rise for ever. Where a dump was
 * restored, transaction numbers start again from a low value: the offset then grows, so that the
 * numbers go on behind all that the dump can hold. Stored as one row, with the name of its database
 * and the last transaction number seen there.
 */
final class DatabaseClock {
  /** Behind what was seen last: more transactions than a database makes until it is seen again. */
  private static final long MARGIN = 1L << 32;

  private static final String DATABASE =
      "(SELECT oid::text FROM pg_database WHERE datname = current_database())";
  private static final String NOW = "pg_current_xact_id()::text::bigint";
  private static final String MOVE =
      "UPDATE clock SET base = base + seen + "
          + MARGIN
          + ", database = "
          + DATABASE
          + ", seen = "
          + NOW
          + " WHERE database <> "
          + DATABASE
          + " OR seen > "
          + NOW;
  private static final String SEE =
      "UPDATE clock SET seen = " + NOW + " WHERE seen < " + NOW + " - 1000";

  private DatabaseClock() {}

  /** The name of what numbers mean: another database or one that was restored has another. */
  static String name(Db db) throws SQLException {
    return db.sql("SELECT store || '/' || base FROM clock")
        .one(row -> row.getString(1))
        .orElseThrow();
  }

  /**
   * Notes how far the database has come.
   *
   * @return whether it was restored from a dump since the last time
   */
  static boolean advance(Db db) throws SQLException {
    return db.sql(MOVE).update() > 0 || db.sql(SEE).update() < 0;
  }
}
