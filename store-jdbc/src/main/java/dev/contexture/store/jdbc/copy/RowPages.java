package dev.contexture.store.jdbc.copy;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one table in the order of its primary key, a page at a time. Confined to a thread.
 */
final class RowPages {
  static final String TENANT = "tenant";

  private final CopySide side;
  private final CopiedTable table;
  private final List<String> columns;
  private final List<String> key;

  /**
   * A row.
   *
   * @param values in the order of the columns: text, numbers, bytes or nothing
   * @param key where the next page begins
   */
  record CopiedRow(String tenant, List<@Nullable Object> values, List<Object> key) {}

  /**
   * @param columns those that are read, beside the tenant
   */
  RowPages(CopySide side, CopiedTable table, List<String> columns) throws SQLException {
    this.side = side;
    this.table = table;
    this.columns = List.copyOf(columns);
    this.key = key(side.connection(), table);
  }

  /** All columns of a table but the tenant, by name. */
  static TreeSet<String> columns(CopySide side, CopiedTable table) throws SQLException {
    TreeSet<String> names = new TreeSet<>();
    try (var statement = side.connection().createStatement();
        ResultSet none =
            statement.executeQuery("SELECT * FROM " + table.table() + " WHERE 1 = 0")) {
      for (int i = 1; i <= none.getMetaData().getColumnCount(); i++) {
        names.add(none.getMetaData().getColumnName(i));
      }
    }
    names.remove(TENANT);
    return names;
  }

  private static List<String> key(Connection connection, CopiedTable table) throws SQLException {
    Map<Integer, String> key = new TreeMap<>();
    try (ResultSet columns = connection.getMetaData().getPrimaryKeys(null, null, table.table())) {
      while (columns.next()) {
        key.put(columns.getInt("KEY_SEQ"), columns.getString("COLUMN_NAME"));
      }
    }
    return List.copyOf(key.values());
  }

  /**
   * The rows behind a key.
   *
   * @param tenant whose rows; null: those of all
   * @param after null: from the first one on
   */
  List<CopiedRow> page(@Nullable String tenant, @Nullable List<Object> after) throws SQLException {
    String place = side.tenantOf(table).orElse("r." + TENANT);
    List<String> conditions = new ArrayList<>();
    if (tenant != null) {
      conditions.add(place + " = ?");
    }
    if (after != null) {
      conditions.add("(" + ofRow(key) + ") > (" + places(key.size()) + ")");
    }
    String sql =
        "SELECT "
            + place
            + ", "
            + ofRow(columns)
            + ", "
            + ofRow(key)
            + " FROM "
            + table.table()
            + " AS r"
            + (conditions.isEmpty() ? "" : " WHERE " + String.join(" AND ", conditions))
            + " ORDER BY "
            + ofRow(key)
            + " LIMIT "
            + table.pageRows();
    try (PreparedStatement select = side.connection().prepareStatement(sql)) {
      int place1 = 1;
      if (tenant != null) {
        select.setString(place1++, tenant);
      }
      for (Object value : after == null ? List.of() : after) {
        select.setObject(place1++, value);
      }
      try (ResultSet rows = select.executeQuery()) {
        return read(rows);
      }
    }
  }

  private List<CopiedRow> read(ResultSet rows) throws SQLException {
    List<CopiedRow> found = new ArrayList<>();
    while (rows.next()) {
      List<@Nullable Object> values = new ArrayList<>();
      for (int i = 0; i < columns.size(); i++) {
        values.add(value(rows.getObject(i + 2)));
      }
      List<Object> at = new ArrayList<>();
      for (int i = 0; i < key.size(); i++) {
        at.add(Optional.ofNullable(value(rows.getObject(columns.size() + 2 + i))).orElse(""));
      }
      String tenant = rows.getString(1);
      if (tenant == null) {
        throw new ContextureException(
            ErrorCode.STORE_DAMAGED,
            side.name() + ": a row of " + table.table() + " belongs to nothing: " + at);
      }
      found.add(new CopiedRow(tenant, values, at));
    }
    return found;
  }

  /** Databases give small numbers other types. */
  private static @Nullable Object value(@Nullable Object read) {
    return read instanceof Number number ? (Object) number.longValue() : read;
  }

  private static String ofRow(List<String> names) {
    return String.join(", ", names.stream().map(name -> "r." + name).toList());
  }

  static String places(int count) {
    return "?" + ", ?".repeat(count - 1);
  }

  /** Whether a page was the last one. */
  boolean isLast(List<CopiedRow> page) {
    return page.size() < table.pageRows();
  }
}
