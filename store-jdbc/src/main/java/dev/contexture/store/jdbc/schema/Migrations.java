package dev.contexture.store.jdbc.schema;

import dev.contexture.store.jdbc.Db;
import dev.contexture.store.jdbc.RowChecksum;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The scripts that make the tables of a dialect, numbered from 1. A database knows which scripts it
 * was made by, and their checksums. Immutable.
 *
 * @param beside the class beside which the scripts lie
 * @param names of the scripts, in order
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Migrations(Class<?> beside, List<String> names) {
  public Migrations {
    names = List.copyOf(names);
  }

  /** The number of the last script, which is the schema that this version writes. */
  public int newest() {
    return names.size();
  }

  /** Makes the table in which a database keeps the scripts that it was made by. */
  public static void prepare(Db db) throws SQLException {
    db.sql(
            "CREATE TABLE migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL,"
                + " checksum TEXT NOT NULL)")
        .update();
  }

  /** Runs a script and notes it. */
  public void apply(Db db, int number) throws SQLException {
    String script = script(number);
    for (String statement : statements(script)) {
      db.sql(statement).update();
    }
    db.sql("INSERT INTO migrations VALUES (?, ?, ?)")
        .update(number, names.get(number - 1), checksum(script));
  }

  /**
   * Statements end with a semicolon at the end of a line, those between {@code $$} do not count.
   */
  private static List<String> statements(String script) {
    List<String> statements = new ArrayList<>();
    StringBuilder statement = new StringBuilder();
    for (String part : script.replaceAll("(?m)^--.*\n", "").split(";\n", -1)) {
      statement.append(part);
      if (statement.toString().split("\\$\\$", -1).length % 2 == 0) {
        statement.append(";\n");
      } else if (!statement.toString().isBlank()) {
        statements.add(statement.toString());
        statement.setLength(0);
      }
    }
    return statements;
  }

  /** What is wrong with the scripts up to a number that a database was made by, if something is. */
  public Optional<String> problem(Db db, int upTo) throws SQLException {
    for (int number = 1; number <= upTo; number++) {
      String expected = checksum(script(number));
      String actual =
          db.sql("SELECT checksum FROM migrations WHERE number = ?")
              .with(number)
              .one(row -> row.getString(1))
              .orElse("none");
      if (!expected.equals(actual)) {
        return Optional.of(
            "migration " + number + " has checksum " + actual + ", expected " + expected);
      }
    }
    return Optional.empty();
  }

  /**
   * Writes and takes it back: whether that works is what the caller wants to know. To write again
   * what is there would not do, since a database may then write nothing.
   */
  public static int touch(Db db) throws SQLException {
    db.sql("INSERT INTO migrations VALUES (0, '', '')").update();
    return db.sql("DELETE FROM migrations WHERE number = 0").update();
  }

  private static String checksum(String script) {
    return HexFormat.of().toHexDigits(RowChecksum.crc(script));
  }

  private String script(int number) {
    String name = names.get(number - 1);
    try (InputStream in = beside.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("the jar lacks " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException broken) {
      throw new UncheckedIOException("the jar's " + name + " cannot be read", broken);
    }
  }
}
