package dev.contexture.store.jdbc.copy;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.store.jdbc.copy.RowPages.CopiedRow;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Copies all rows of a store into an empty one, which may be of another database. Rows keep their
 * ids, numbers and checksums. Confined to one thread.
 *
 * <ol>
 *   <li>A page of rows and the key of its last one are committed together, so that a copy that
 *       ended early goes on behind it. Until the last step the copy is no store.
 *   <li>What is written later is numbered behind what was copied.
 *   <li>Both sides are read again: each table must have as many rows on both, with equal content.
 * </ol>
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class StoreCopy {
  private static final String ID = "id";

  private final CopySide from;
  private final CopySide to;
  private final Progress progress;
  private final Set<String> tenants = new LinkedHashSet<>();
  private final Map<CopiedTable, RowSum> copied = new EnumMap<>(CopiedTable.class);
  private long total;
  private long done;

  /** Is told how far the copy is. */
  @FunctionalInterface
  public interface Progress {
    void at(long done, long total);
  }

  private StoreCopy(CopySide from, CopySide to, Progress progress) {
    this.from = from;
    this.to = to;
    this.progress = progress;
  }

  /**
   * Copies.
   *
   * @return what both sides hold, by table
   * @throws ContextureException {@code invalid_argument} if the target holds something else; {@code
   *     store_damaged} if both sides differ afterwards; another {@code store_} code
   */
  public static Map<CopiedTable, RowSum> run(CopySide from, CopySide to, Progress progress) {
    return new StoreCopy(from, to, progress).run();
  }

  private Map<CopiedTable, RowSum> run() {
    try {
      begin();
    } catch (SQLException failed) {
      throw to.failed(failed);
    }
    try {
      for (CopiedTable table : CopiedTable.values()) {
        total += 3 * count(table); // to be copied, and read again on both sides
      }
      for (CopiedTable table : CopiedTable.values()) {
        copy(table);
      }
      numberBehind();
      for (CopiedTable table : CopiedTable.values()) {
        verify(table);
      }
      try (Statement statement = to.connection().createStatement()) {
        statement.execute("DROP TABLE " + CopySide.PROGRESS);
      }
      to.connection().commit();
      return Map.copyOf(copied);
    } catch (SQLException failed) {
      throw to.failed(failed);
    }
  }

  /** Makes the note of how far it is, or finds that of a copy that ended early. */
  private void begin() throws SQLException {
    try (Statement statement = to.connection().createStatement()) {
      statement.execute(
          "CREATE TABLE IF NOT EXISTS "
              + CopySide.PROGRESS
              + " (name TEXT PRIMARY KEY, position TEXT NOT NULL)");
    }
    String source = position("");
    if (source == null) {
      for (CopiedTable table : CopiedTable.values()) {
        if (!to.isEmpty(table)) {
          to.connection().rollback();
          throw ContextureException.invalid(
              ErrorCode.INVALID_ARGUMENT, "--to", to.name(), "a store that holds nothing");
        }
      }
      note("", from.name());
    } else if (!source.equals(from.name())) {
      to.connection().rollback();
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT, "--from", from.name(), source + ", whose copy was begun");
    }
    to.connection().commit();
  }

  private @Nullable String position(String name) throws SQLException {
    try (PreparedStatement select =
        to.connection()
            .prepareStatement("SELECT position FROM " + CopySide.PROGRESS + " WHERE name = ?")) {
      select.setString(1, name);
      try (ResultSet row = select.executeQuery()) {
        return row.next() ? row.getString(1) : null;
      }
    }
  }

  private void note(String name, String position) throws SQLException {
    try (PreparedStatement upsert =
        to.connection()
            .prepareStatement(
                "INSERT INTO "
                    + CopySide.PROGRESS
                    + " (name, position) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET position ="
                    + " excluded.position")) {
      upsert.setString(1, name);
      upsert.setString(2, position);
      upsert.executeUpdate();
    }
  }

  private long count(CopiedTable table) throws SQLException {
    return number("SELECT count(*) FROM " + table.table());
  }

  private long number(String query) throws SQLException {
    try (Statement statement = from.connection().createStatement();
        ResultSet row = statement.executeQuery(query)) {
      return row.next() ? row.getLong(1) : 0;
    }
  }

  /** What both sides have; a column of one side alone is a number that it gives by itself. */
  private List<String> columns(CopiedTable table) throws SQLException {
    TreeSet<String> both = RowPages.columns(from, table);
    both.retainAll(RowPages.columns(to, table));
    return List.copyOf(both);
  }

  private void copy(CopiedTable table) throws SQLException {
    List<String> columns = columns(table);
    RowPages pages = new RowPages(from, table, columns);
    String noted = position(table.table());
    List<Object> after = noted == null ? null : key(noted);
    List<CopiedRow> page;
    do {
      page = pages.page(null, after);
      if (!page.isEmpty()) {
        write(table, columns, page);
        after = page.getLast().key();
        note(table.table(), text(after));
      }
      to.connection().commit();
      told(page.size());
    } while (!pages.isLast(page));
  }

  private void write(CopiedTable table, List<String> columns, List<CopiedRow> page)
      throws SQLException {
    boolean named = to.tenantOf(table).isEmpty();
    String sql =
        "INSERT INTO "
            + table.table()
            + " ("
            + String.join(", ", columns)
            + (named ? ", " + RowPages.TENANT : "")
            + ") VALUES ("
            + RowPages.places(columns.size() + (named ? 1 : 0))
            + ")";
    try (PreparedStatement insert = to.connection().prepareStatement(sql)) {
      String tenant = null;
      for (CopiedRow row : page) {
        if (!row.tenant().equals(tenant)) {
          insert.executeBatch();
          tenant = row.tenant();
          to.use(tenant);
        }
        int place = 1;
        for (Object value : row.values()) {
          insert.setObject(place++, value);
        }
        if (named) {
          insert.setString(place, tenant);
        }
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  private void told(int rows) {
    done += rows;
    progress.at(done, total);
  }

  /** A key as it is noted: text and numbers. */
  private static String text(List<Object> key) {
    return new JsonArray(
            key.stream()
                .<JsonValue>map(
                    part -> part instanceof Long n ? JsonValue.of(n) : JsonValue.of((String) part))
                .toList())
        .toJson();
  }

  private static List<Object> key(String noted) {
    List<Object> key = new ArrayList<>();
    for (JsonValue part : ((JsonArray) JsonValue.parse(noted)).items()) {
      key.add(
          part instanceof JsonNumber number
              ? number.decimal().longValueExact()
              : ((JsonString) part).value());
    }
    return key;
  }

  private void numberBehind() throws SQLException {
    Map<CopiedTable, Long> last = new EnumMap<>(CopiedTable.class);
    for (CopiedTable table : CopiedTable.values()) {
      if (columns(table).contains(ID)) {
        last.put(table, number("SELECT max(id) FROM " + table.table()));
      }
    }
    long number =
        Math.max(
            number("SELECT max(number) FROM outbox"),
            number("SELECT max(number) FROM memory_events"));
    to.numberBehind(last, number);
    to.connection().commit();
  }

  private void verify(CopiedTable table) throws SQLException {
    List<String> columns = columns(table);
    RowSum there = new RowSum();
    RowPages pages = new RowPages(from, table, columns);
    List<Object> after = null;
    List<CopiedRow> page;
    do {
      page = pages.page(null, after);
      for (CopiedRow row : page) {
        tenants.add(row.tenant());
        there.add(row);
        after = row.key();
      }
      told(page.size());
    } while (!pages.isLast(page));
    RowSum here = new RowSum();
    for (String tenant : tenants) {
      add(here, new RowPages(to, table, columns), tenant);
    }
    if (!here.equals(there)) {
      throw new ContextureException(
          ErrorCode.STORE_DAMAGED,
          "the copy differs: "
              + table.table()
              + " has "
              + there
              + " in "
              + from.name()
              + ", and "
              + here
              + " in "
              + to.name()
              + "; drop the copy, and begin anew");
    }
    copied.put(table, there);
  }

  private void add(RowSum sum, RowPages pages, String tenant) throws SQLException {
    List<Object> after = null;
    List<CopiedRow> page;
    do {
      to.use(tenant);
      page = pages.page(tenant, after);
      for (CopiedRow row : page) {
        sum.add(row);
        after = row.key();
      }
      to.connection().commit();
      told(page.size());
    } while (!pages.isLast(page));
  }
}
