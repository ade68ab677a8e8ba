package dev.contexture.store.jdbc;

import org.apiguardian.api.API;

/** The SQL in which databases differ. Everything else is written so that all of them take it. */
@API(status = API.Status.INTERNAL, since = "0.1")
public interface SqlDialect {
  /**
   * An expression: the text that a column of JSON objects holds under a key; null: there is none.
   */
  String jsonText(String column, String key);
}
