package dev.contexture.store.postgres;

import dev.contexture.store.jdbc.Db;
import java.sql.SQLException;

/**
 * The processes that work on a database and keep copies of what is in it, as each says of itself.
 * One that was not heard of for half a minute is taken for dead: what it left on its disk goes when
 * it starts again. Thread-safe.
 */
final class StoreNodes {
  private static final String LIVING = "seen > now() - INTERVAL '30 seconds'";
  private static final String FORGOTTEN = "seen < now() - INTERVAL '1 day'";

  private volatile long id; // 0: not registered

  /** Notes that this process lives, and how far it has forgotten what was erased. */
  boolean alive(Db db, long upTo) throws SQLException {
    int known = db.sql("UPDATE nodes SET seen = now(), forgot = ? WHERE id = ?").update(upTo, id);
    if (known == 0) {
      db.sql("DELETE FROM nodes WHERE " + FORGOTTEN).update();
      id = db.sql("INSERT INTO nodes (seen, forgot) VALUES (now(), ?) RETURNING id").insert(upTo);
    }
    return known > 0;
  }

  /** Notes that this process ends. */
  boolean leave(Db db) throws SQLException {
    return id != 0 && db.sql("DELETE FROM nodes WHERE id = ?").update(id) > 0;
  }

  /** How many processes were heard of lately. */
  static long living(Db db) throws SQLException {
    return db.sql("SELECT count(*) FROM nodes WHERE " + LIVING)
        .one(row -> row.getLong(1))
        .orElse(0L);
  }

  /** Whether a living process may still hold something that was erased. */
  static boolean isErasing(Db db) throws SQLException {
    return db.sql(
            "SELECT 1 FROM outbox WHERE erased = 1 AND number > (SELECT coalesce(min(forgot),"
                + " 9223372036854775807) FROM nodes WHERE "
                + LIVING
                + ") LIMIT 1")
        .exists();
  }
}
