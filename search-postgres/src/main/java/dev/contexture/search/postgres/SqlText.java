package dev.contexture.search.postgres;

import dev.contexture.block.Scope;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.search.SearchOptions;
import dev.contexture.store.jdbc.Db;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A statement that is put together with its values, arrays among them. Confined to one thread. */
final class SqlText {
  private static final String CANCELED = "57014";
  private static final int FETCH = 500;

  private final StringBuilder sql = new StringBuilder();
  private final List<@Nullable Object> values = new ArrayList<>();

  static SqlText of(String sql, @Nullable Object... values) {
    return new SqlText().add(sql, values);
  }

  /** The condition that a row is of a scope, which every statement begins with. */
  static SqlText of(String sql, Scope scope) {
    return of(sql + " tenant = ? AND project = ?", scope.tenant(), scope.project());
  }

  /** Adds more of it; a value is a text, a number, or a collection of texts or numbers. */
  SqlText add(String more, @Nullable Object... itsValues) {
    sql.append(more);
    for (Object value : itsValues) {
      values.add(value);
    }
    return this;
  }

  SqlText add(SqlText other) {
    sql.append(other.sql);
    values.addAll(other.values);
    return this;
  }

  private PreparedStatement bound(Db db) throws SQLException {
    PreparedStatement statement = db.connection().prepareStatement(sql.toString());
    try {
      int place = 0;
      for (Object value : values) {
        bind(db, statement, ++place, value);
      }
      return statement;
    } catch (SQLException | RuntimeException failed) {
      statement.close();
      throw failed;
    }
  }

  private static void bind(Db db, PreparedStatement statement, int place, @Nullable Object value)
      throws SQLException {
    switch (value) {
      case null -> statement.setNull(place, java.sql.Types.VARCHAR);
      case String text -> statement.setString(place, text);
      case Long number -> statement.setLong(place, number);
      case Integer number -> statement.setInt(place, number);
      case Double number -> statement.setDouble(place, number);
      case float[] numbers ->
          statement.setArray(place, db.connection().createArrayOf("float4", boxed(numbers)));
      case Collection<?> many -> {
        boolean numbers = many.stream().allMatch(Long.class::isInstance) && !many.isEmpty();
        statement.setArray(
            place, db.connection().createArrayOf(numbers ? "int8" : "text", many.toArray()));
      }
      default -> throw new IllegalArgumentException("no column type for " + value.getClass());
    }
  }

  private static Object[] boxed(float[] numbers) {
    Object[] boxed = new Object[numbers.length];
    for (int i = 0; i < numbers.length; i++) {
      boxed[i] = numbers[i];
    }
    return boxed;
  }

  int update(Db db) throws SQLException {
    try (PreparedStatement statement = bound(db)) {
      return statement.executeUpdate();
    }
  }

  <T> List<T> list(Db db, Db.Mapper<T> mapper) throws SQLException {
    List<T> found = new ArrayList<>();
    each(db, row -> found.add(mapper.map(row)));
    return found;
  }

  <T> Optional<T> one(Db db, Db.Mapper<T> mapper) throws SQLException {
    return list(db, mapper).stream().findFirst();
  }

  /** Reads rows one by one, so that few are held. */
  void each(Db db, Db.Mapper<Boolean> reader) throws SQLException {
    try (PreparedStatement statement = bound(db)) {
      statement.setFetchSize(FETCH);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          boolean unused = reader.map(rows);
        }
      }
    }
  }

  /** Limits the time of all statements of a query. */
  static void limitTime(Db db) throws SQLException {
    db.execute("SET LOCAL statement_timeout = " + SearchOptions.MAX_TIME.toMillis());
  }

  /** What a search says that took too long; other failures as they are. */
  static SQLException tooCostly(SQLException failed) {
    if (CANCELED.equals(failed.getSQLState())) {
      throw tooCostly();
    }
    return failed;
  }

  static ContextureException tooCostly() {
    return new ContextureException(
        ErrorCode.SEARCH_TOO_COSTLY,
        "the search took longer than "
            + SearchOptions.MAX_TIME.toSeconds()
            + " s; ask for fewer or rarer words, or for narrower patterns");
  }
}
