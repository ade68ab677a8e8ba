package dev.contexture.store.postgres;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.store.jdbc.Db;
import dev.contexture.store.jdbc.copy.CopySide;
import dev.contexture.store.jdbc.schema.Migrations;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The tables, made by numbered scripts, in the current schema of the database. Whoever comes first
 * makes them in one transaction, others wait for it. A newer schema, or one that is not ours, is
 * refused and left as it is.
 */
final class PostgresSchema {
  private static final List<String> SCRIPTS =
      List.of(
          "001_conversations.sql",
          "002_memory.sql",
          "003_nodes.sql",
          "004_tenants.sql",
          "005_search.sql");

  private static final String EXISTS = "SELECT to_regclass(?) IS NOT NULL";

  /**
   * A row, since a table cannot be locked so everywhere; none: this transaction makes the table.
   */
  private static final String LOCK = "SELECT number FROM migrations ORDER BY number FOR UPDATE";

  private final Migrations migrations;
  private final String address;

  PostgresSchema(String address) {
    this(address, SCRIPTS.size());
  }

  /**
   * The tables as an older version makes them.
   *
   * @param scripts how many it knows
   */
  PostgresSchema(String address, int scripts) {
    this.migrations = new Migrations(PostgresSchema.class, SCRIPTS.subList(0, scripts));
    this.address = address;
  }

  int newest() {
    return migrations.newest();
  }

  /**
   * Brings the database to the newest schema.
   *
   * @throws ContextureException {@code store_newer} or {@code store_foreign}
   */
  int migrate(Db db) throws SQLException {
    if (!exists(db, "migrations")) {
      if (exists(db, "conversations")) {
        throw foreign("it has tables of another program");
      }
      Migrations.prepare(db);
    }
    int lock = db.sql(LOCK).list(row -> row.getInt(1)).size(); // others wait for this transaction
    int found = lock == 0 ? 0 : found(db);
    for (int number = found + 1; number <= newest(); number++) {
      migrations.apply(db, number);
    }
    return found;
  }

  private static boolean exists(Db db, String table) throws SQLException {
    return db.sql(EXISTS).with(table).one(row -> row.getBoolean(1)).orElse(false);
  }

  /**
   * The schema that the database has; 0 if it has none.
   *
   * @throws ContextureException {@code store_newer} or {@code store_foreign}
   */
  int found(Db db) throws SQLException {
    if (exists(db, CopySide.PROGRESS)) {
      throw new ContextureException(ErrorCode.STORE_UNAVAILABLE, CopySide.unfinished(address));
    }
    if (!exists(db, "migrations")) {
      return 0;
    }
    int found =
        db.sql("SELECT coalesce(max(number), 0) FROM migrations")
            .one(row -> row.getInt(1))
            .orElse(0);
    if (found > newest()) {
      throw new ContextureException(
          ErrorCode.STORE_NEWER,
          address
              + " has schema "
              + found
              + ", this version knows "
              + newest()
              + "; use the version of Contexture that wrote it, or a newer one",
          Map.of("schema", found),
          null);
    }
    Optional<String> problem = migrations.problem(db, found);
    if (problem.isPresent()) {
      throw foreign(problem.get());
    }
    return found;
  }

  private ContextureException foreign(String why) {
    return new ContextureException(
        ErrorCode.STORE_FOREIGN,
        address + " is no store of Contexture: " + why + "; give another database or schema");
  }
}
