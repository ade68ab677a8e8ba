package dev.contexture.store.postgres;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.store.jdbc.Db;
import java.sql.SQLException;
import java.util.Map;

/**
 * The role that a store logs in as.
 *
 * @param bound whether row-level security holds for it, which keeps tenants apart
 */
record DatabaseRole(String name, boolean bound) {
  private static final String FIND =
      "SELECT rolname, NOT (rolsuper OR rolbypassrls) FROM pg_roles WHERE rolname = current_user";

  static DatabaseRole of(Db db) throws SQLException {
    return db.sql(FIND)
        .one(row -> new DatabaseRole(row.getString(1), row.getBoolean(2)))
        .orElseThrow();
  }

  /**
   * Refuses a role that would see all tenants in every statement.
   *
   * @throws ContextureException {@code invalid_config}
   */
  boolean requireBound() {
    if (!bound) {
      throw new ContextureException(
          ErrorCode.INVALID_CONFIG,
          "the role "
              + name
              + " is a superuser or has BYPASSRLS, so that the database would not keep tenants"
              + " apart; log in as a role that owns its database and has neither",
          Map.of("role", name),
          null);
    }
    return true;
  }
}
