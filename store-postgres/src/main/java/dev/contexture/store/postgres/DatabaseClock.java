package dev.contexture.store.postgres;

import dev.contexture.store.jdbc.Db;
import java.sql.SQLException;

/**
 * The offset that is added to transaction numbers, so that they rise for ever. The numbers start
 * again from a low value where a dump was restored, and some are given twice where a replica took
 * over that lacked the last transactions: the offset then grows, so that the numbers go on behind
 * all that were given. Stored as one row, with its database and timeline, and the last transaction
 * number seen there.
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
          + ", timeline = contexture_timeline()"
          + " WHERE database <> "
          + DATABASE
          + " OR timeline <> contexture_timeline() OR seen > "
          + NOW;
  private static final String SEE =
      "UPDATE clock SET seen = " + NOW + " WHERE seen < " + NOW + " - 1000";

  private DatabaseClock() {}

  /**
   * The name of what numbers mean: another database, one that was restored and one that a replica
   * took over have another.
   */
  static String name(Db db) throws SQLException {
    return db.sql("SELECT store || '/' || base FROM clock")
        .one(row -> row.getString(1))
        .orElseThrow();
  }

  /** The highest number that no transaction which still runs or begins later can give. */
  static long settled(Db db) throws SQLException {
    return db.sql(
            "SELECT ((base + pg_snapshot_xmin(pg_current_snapshot())::text::bigint) << 20) - 1"
                + " FROM clock")
        .one(row -> row.getLong(1))
        .orElseThrow();
  }

  /**
   * Notes how far the database has come.
   *
   * @return whether it was restored from a dump, or taken over by a replica, since the last time
   */
  static boolean advance(Db db) throws SQLException {
    return db.sql(MOVE).update() > 0 || db.sql(SEE).update() < 0;
  }
}
