package dev.contexture.store.postgres;

import dev.contexture.store.jdbc.SqlDialect;
import java.util.Optional;

/** The SQL of PostgreSQL, where many transactions write at once. */
final class PostgresDialect implements SqlDialect {
  static final PostgresDialect INSTANCE = new PostgresDialect();

  /** What JSON may say and a text of PostgreSQL may not: U+0000, and halves of pairs. */
  private static final String NO_TEXT = "\\\\u(0000|[dD][89a-fA-F][0-9a-fA-F]{2})";

  private PostgresDialect() {}

  @Override
  public String jsonText(String column, String key) {
    return "(regexp_replace("
        + column
        + ", '"
        + NO_TEXT
        + "', '\\ufffd', 'g')::json ->> '"
        + key
        + "')";
  }

  @Override
  public String key(String columns) {
    return "(tenant, " + columns + ")";
  }

  @Override
  public String forUpdate() {
    return " FOR UPDATE";
  }

  @Override
  public String forReference() {
    return " FOR KEY SHARE";
  }

  @Override
  public boolean takesBatches() {
    return true;
  }

  /**
   * Numbers begin with that of the transaction, which it gets with its first lock or row: who waits
   * for another one has a higher number.
   */
  @Override
  public Optional<String> transaction() {
    return Optional.of(
        "SELECT (base + pg_current_xact_id()::text::bigint) << 20, pg_current_xact_id()::text"
            + " FROM clock");
  }

  @Override
  public String settled() {
    return " AND number < (SELECT (base + pg_snapshot_xmin(pg_current_snapshot())::text::bigint)"
        + " << 20 FROM clock)";
  }
}
