package dev.contexture.store.jdbc;

import java.util.Optional;
import org.apiguardian.api.API;

/** The SQL in which databases differ. Everything else is written so that all of them take it. */
@API(status = API.Status.INTERNAL, since = "0.1")
public interface SqlDialect {
  /**
   * An expression: the text that a column of JSON objects holds under a key; null: there is none.
   */
  String jsonText(String column, String key);

  /** The columns of a unique key, as {@code ON CONFLICT} names them, in which a tenant is known. */
  default String key(String columns) {
    return "(" + columns + ")";
  }

  /**
   * What stands behind a {@code SELECT} of rows that are to be changed, so that others wait for
   * this transaction; empty where only one writes at a time.
   */
  default String forUpdate() {
    return "";
  }

  /**
   * What stands behind a {@code SELECT} of rows that are to be referred to, so that nobody removes
   * them before this transaction ends; empty where only one writes at a time.
   */
  default String forReference() {
    return "";
  }

  /** Whether several transactions write at once, so that rows must be locked. */
  default boolean hasManyWriters() {
    return !forUpdate().isEmpty();
  }

  /**
   * A query for the number of the first row that this transaction adds to an outbox or to events,
   * and for the name under which the database knows the transaction. Its other rows follow, below
   * those of every later transaction. Empty: the tables number their rows.
   */
  default Optional<String> transaction() {
    return Optional.empty();
  }

  /**
   * What numbers are below that were given to transactions which have ended, as a condition that
   * begins with {@code AND}: behind it, rows may still appear among those that are there. Empty
   * where rows appear in the order of their numbers.
   */
  default String settled() {
    return "";
  }

  /** Whether several statements of one kind cost less together. */
  default boolean takesBatches() {
    return false;
  }
}
