package dev.contexture.search.postgres;

import dev.contexture.block.Scope;
import dev.contexture.search.IndexPosition;
import dev.contexture.search.SearchIndex.Duty;
import dev.contexture.store.jdbc.Db;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The row of a project: how far its index has come, and who has which duty.
 *
 * @param number what its lexemes begin with
 * @param format in which form its entries are
 * @param passages how many it has
 * @param ownWords how many words they have
 * @param words who indexes words
 * @param vectors who makes vectors
 */
record PositionRow(
    long number,
    int format,
    IndexPosition position,
    long passages,
    long ownWords,
    Holder words,
    Holder vectors) {
  /**
   * Who has a duty.
   *
   * @param by null: nobody
   * @param live whether its time is not over; then another one may take it
   */
  record Holder(@Nullable String by, boolean live) {
    Holder {
      live = live && by != null; // what was given back keeps its time
    }

    /** Whether it was taken by a name; as long as no other one took it, it is still its own. */
    boolean is(@Nullable String mine) {
      return by != null && by.equals(mine);
    }

    /** Whether another one has it now. */
    boolean isOtherThan(@Nullable String mine) {
      return live && !is(mine);
    }
  }

  /** Raised when words, or how they are kept, change: the index is then built anew. */
  static final int FORMAT = 1;

  private static final String COLUMNS =
      "SELECT number, format, words, vectors, model, passages, own_words,"
          + " words_by, words_until > now(), vectors_by, vectors_until > now()"
          + " FROM search_positions WHERE";

  static Optional<PositionRow> read(Db db, Scope scope) throws SQLException {
    return SqlText.of(COLUMNS, scope).one(db, PositionRow::of);
  }

  private static PositionRow of(ResultSet row) throws SQLException {
    return new PositionRow(
        row.getLong(1),
        row.getInt(2),
        new IndexPosition(row.getLong(3), row.getLong(4), row.getString(5)),
        row.getLong(6),
        row.getLong(7),
        new Holder(row.getString(8), row.getBoolean(9)),
        new Holder(row.getString(10), row.getBoolean(11)));
  }

  /** Reads it for a transaction that writes the index, which is made if there is none. */
  static PositionRow locked(Db db, Scope scope) throws SQLException {
    make(db, scope);
    return SqlText.of(COLUMNS, scope).add(" FOR UPDATE").one(db, PositionRow::of).orElseThrow();
  }

  private static void make(Db db, Scope scope) throws SQLException {
    if (!isThere(db, scope)) {
      SqlText.of(
              "INSERT INTO search_positions"
                  + " (tenant, project, format, words, vectors, model, passages, own_words)"
                  + " VALUES (?, ?, ?, 0, 0, '', 0, 0) ON CONFLICT DO NOTHING",
              scope.tenant(),
              scope.project(),
              FORMAT)
          .update(db);
    }
  }

  static boolean isThere(Db db, Scope scope) throws SQLException {
    return SqlText.of("SELECT 1 FROM search_positions WHERE", scope)
        .one(db, row -> true)
        .isPresent();
  }

  /** The same index further on. */
  PositionRow reached(IndexPosition to, long itsPassages, long itsWords) {
    return new PositionRow(number, FORMAT, to, itsPassages, itsWords, words, vectors);
  }

  /** Writes how far the index is now. */
  void write(Db db, Scope scope) throws SQLException {
    SqlText.of(
            "UPDATE search_positions SET format = ?, words = ?, vectors = ?, model = ?,"
                + " passages = ?, own_words = ? WHERE tenant = ? AND project = ?",
            format,
            position.text(),
            position.vectors(),
            position.model(),
            passages,
            ownWords,
            scope.tenant(),
            scope.project())
        .update(db);
  }

  /** Keeps a duty for some time more, if it is still its own. */
  static void keep(Db db, Scope scope, Duty duty, @Nullable String mine, int seconds)
      throws SQLException {
    if (mine != null) {
      String name = duty.name().toLowerCase(Locale.ROOT);
      SqlText.of(
              "UPDATE search_positions SET DUTY_until = now() + make_interval(secs => ?)"
                      .replace("DUTY", name)
                  + " WHERE tenant = ? AND project = ? AND "
                  + name
                  + "_by = ?",
              seconds,
              scope.tenant(),
              scope.project(),
              mine)
          .update(db);
    }
  }

  /**
   * Takes a duty, or keeps it.
   *
   * @param mine by what it was taken before; empty: it was not
   * @param seconds for how long
   * @return by what it is taken now; empty: another process has it, or writes
   */
  static Optional<String> take(Db db, Scope scope, Duty duty, String mine, int seconds)
      throws SQLException {
    make(db, scope);
    String name = duty.name().toLowerCase(Locale.ROOT);
    return SqlText.of(
            ("UPDATE search_positions SET DUTY_until = now() + make_interval(secs => ?),"
                    + " DUTY_by = CASE WHEN DUTY_by = ? THEN DUTY_by"
                    + " ELSE gen_random_uuid()::text END"
                    + " WHERE (tenant, project) IN (SELECT tenant, project FROM search_positions"
                    + " WHERE tenant = ? AND project = ? AND format <= ? AND (DUTY_by IS NULL"
                    + " OR DUTY_until < now() OR DUTY_by = ?) FOR UPDATE SKIP LOCKED)"
                    + " RETURNING DUTY_by")
                .replace("DUTY", name),
            seconds,
            mine,
            scope.tenant(),
            scope.project(),
            FORMAT,
            mine)
        .one(db, row -> row.getString(1));
  }

  static boolean release(Db db, Scope scope, Duty duty, String mine) throws SQLException {
    String name = duty.name().toLowerCase(Locale.ROOT);
    return SqlText.of(
                "UPDATE search_positions SET "
                    + name
                    + "_by = NULL WHERE tenant = ?"
                    + " AND project = ? AND "
                    + name
                    + "_by = ?",
                scope.tenant(),
                scope.project(),
                mine)
            .update(db)
        > 0;
  }
}
