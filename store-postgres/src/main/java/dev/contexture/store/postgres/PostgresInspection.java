package dev.contexture.store.postgres;

import dev.contexture.error.ContextureException;
import dev.contexture.store.jdbc.Db;
import dev.contexture.store.jdbc.Outbox;
import java.sql.SQLException;
import java.time.Duration;
import org.apiguardian.api.API;

/**
 * Facts about a database and those who work on it, read at once; nothing is changed. Immutable.
 *
 * @param schema the number of its schema; 0: it has none
 * @param newestSchema the one that this version writes
 * @param role that was logged in as
 * @param roleBound whether row-level security holds for that role
 * @param nodes processes that were heard of in the last half minute
 * @param outbox how many entries an index can be built of, of all projects; -1: not counted
 * @param projects that have some, at most 1,000
 * @param oldestWriter how long the transaction is open that holds up readers of changes
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record PostgresInspection(
    int schema,
    int newestSchema,
    String role,
    boolean roleBound,
    long nodes,
    long outbox,
    long projects,
    Duration oldestWriter) {
  private static final int MAX_PROJECTS = 1_000;
  private static final String OLDEST =
      "SELECT coalesce(extract(epoch FROM max(now() - xact_start)), 0)::bigint FROM"
          + " pg_stat_activity WHERE backend_xid IS NOT NULL AND pid <> pg_backend_pid()";

  /**
   * Looks at a database.
   *
   * @param counts whether the entries of the outbox are counted, which takes long if there are many
   * @throws ContextureException {@code store_unavailable}, {@code store_newer} or {@code
   *     store_foreign}
   */
  public static PostgresInspection of(PostgresSettings settings, boolean counts) {
    PostgresSchema schema = new PostgresSchema(settings.address());
    try (ConnectionPool pool = new ConnectionPool(settings.connections(1), Db.FaultPoint.NONE)) {
      return new Transactions(pool, settings.address())
          .read(PostgresStore.NO_TENANT, db -> look(db, schema, counts));
    }
  }

  private static PostgresInspection look(Db db, PostgresSchema schema, boolean counts)
      throws SQLException {
    DatabaseRole role = DatabaseRole.of(db);
    int found = schema.found(db);
    boolean there = found > 0;
    return new PostgresInspection(
        found,
        schema.newest(),
        role.name(),
        role.bound(),
        there ? StoreNodes.living(db) : 0,
        !counts ? -1 : there ? number(db, "SELECT count(*) FROM outbox") : 0,
        there ? Outbox.scopes(db, null, MAX_PROJECTS).size() : 0,
        Duration.ofSeconds(number(db, OLDEST)));
  }

  private static long number(Db db, String query) throws SQLException {
    return db.sql(query).one(row -> row.getLong(1)).orElse(0L);
  }
}
