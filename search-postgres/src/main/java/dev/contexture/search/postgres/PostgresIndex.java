package dev.contexture.search.postgres;

import dev.contexture.block.Scope;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.search.IndexChange;
import dev.contexture.search.IndexFilter;
import dev.contexture.search.IndexHit;
import dev.contexture.search.IndexPosition;
import dev.contexture.search.SearchIndex;
import dev.contexture.search.lucene.QueryWords;
import dev.contexture.store.jdbc.Db;
import dev.contexture.store.postgres.TenantTransactions;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The index of one project in the database. Every write is a transaction that holds the position
 * too, so that nothing is left to commit, and locks the row of the project, so that writes follow
 * each other, whichever server they come from. Thread-safe.
 */
final class PostgresIndex implements SearchIndex {
  private static final int WORDS_SECONDS = 30;
  private static final int VECTORS_SECONDS = 120;

  /** Raised when entries can be taken that were parked before. */
  private static final String ABILITIES = "1";

  private static final String MAKER =
      String.join(
          "/",
          ABILITIES,
          Objects.toString(PostgresIndex.class.getPackage().getImplementationVersion(), ""),
          String.valueOf(Runtime.version().feature()));

  private final TenantTransactions database;
  private final Scope scope;
  private final boolean extension;
  private final Map<Duty, String> duties = new ConcurrentHashMap<>();

  /**
   * @param extension whether the database has pgvector
   */
  PostgresIndex(TenantTransactions database, Scope scope, boolean extension) {
    this.database = database;
    this.scope = scope;
    this.extension = extension;
  }

  /** Empties it if it has an older form. */
  void bringUp() {
    boolean older = row().map(row -> row.format() < PositionRow.FORMAT).orElse(false);
    if (older) {
      boolean unused =
          write(
              db -> {
                PositionRow row = PositionRow.locked(db, scope);
                if (row.format() < PositionRow.FORMAT) {
                  ChangeWriter.clear(db, scope);
                  row.reached(IndexPosition.START, 0, 0).write(db, scope);
                }
                return true;
              });
    }
  }

  private Optional<PositionRow> row() {
    return read(db -> PositionRow.read(db, scope));
  }

  private <T> T read(Db.Work<T> reading) {
    return database.read(scope.tenant(), reading);
  }

  private <T> T write(Db.Work<T> work) {
    return database.write(scope.tenant(), work);
  }

  @Override
  public IndexPosition position() {
    return row().map(PositionRow::position).orElse(IndexPosition.START);
  }

  @Override
  public boolean take(Duty duty) {
    String mine = duties.getOrDefault(duty, "");
    Optional<String> taken = write(db -> PositionRow.take(db, scope, duty, mine, seconds(duty)));
    if (taken.isEmpty()) {
      duties.remove(duty);
      return false;
    }
    duties.put(duty, taken.get());
    return true;
  }

  private static int seconds(Duty duty) {
    return duty == Duty.WORDS ? WORDS_SECONDS : VECTORS_SECONDS;
  }

  @Override
  public void release(Duty duty) {
    String mine = duties.remove(duty);
    if (mine != null) {
      boolean unused = write(db -> PositionRow.release(db, scope, duty, mine));
    }
  }

  @Override
  public int write(List<IndexChange> changes, IndexPosition to) {
    return write(
        db -> {
          PositionRow row = PositionRow.locked(db, scope);
          FoldedChanges folded = FoldedChanges.of(changes);
          refuseOthers(row, folded);
          ChangeWriter writer =
              new ChangeWriter(
                  db,
                  scope,
                  new Lexemes(row.number()),
                  MAKER,
                  row.vectors().is(duties.get(Duty.VECTORS)));
          int parked = writer.write(folded);
          long passages = writer.counts().passages() + (folded.all ? 0 : row.passages());
          long ownWords = writer.counts().ownWords() + (folded.all ? 0 : row.ownWords());
          row.reached(reached(row, to), passages, ownWords).write(db, scope);
          for (Duty duty : Duty.values()) {
            PositionRow.keep(db, scope, duty, duties.get(duty), seconds(duty));
          }
          return parked;
        });
  }

  /** What was found out from an older state than that of the index is not written. */
  private void refuseOthers(PositionRow row, FoldedChanges changes) {
    boolean lost =
        row.format() > PositionRow.FORMAT
            || (changes.hasWords() && row.words().isOtherThan(duties.get(Duty.WORDS)))
            || (changes.hasVectors() && row.vectors().isOtherThan(duties.get(Duty.VECTORS)));
    if (lost) {
      throw new ContextureException(
          ErrorCode.SEARCH_UNAVAILABLE,
          "another server has taken over the search index of "
              + scope.tenant()
              + "/"
              + scope.project()
              + "; nothing to do, it goes on there");
    }
  }

  /** A process moves on what it has the duty for; without any others nobody else moves it. */
  private IndexPosition reached(PositionRow row, IndexPosition to) {
    IndexPosition now = row.position();
    boolean words =
        row.words().is(duties.get(Duty.WORDS))
            || (!row.words().live() && !row.vectors().is(duties.get(Duty.VECTORS)));
    if (row.vectors().isOtherThan(duties.get(Duty.VECTORS))) {
      long vectors = Math.min(now.vectors(), to.vectors());
      return new IndexPosition(words ? to.text() : now.text(), vectors, now.model());
    }
    return words ? to : to.withText(now.text());
  }

  @Override
  public void commit() {
    // Every write is one.
  }

  @Override
  public List<IndexHit> keyword(KeywordQuery query, IndexFilter filter, int limit) {
    return search((db, row) -> new KeywordSearch(db, scope, row).find(query, filter, limit));
  }

  @Override
  public List<IndexHit> vector(float[] vector, IndexFilter filter, int limit) {
    return search((db, row) -> new VectorSearch(db, scope, extension).find(vector, filter, limit));
  }

  @Override
  public List<IndexHit> misspelled(KeywordQuery query, IndexFilter filter, int limit) {
    return search((db, row) -> new MisspelledSearch(db, scope, row).find(query, filter, limit));
  }

  /** Something that is found in one state of the index. */
  private interface Finding {
    List<IndexHit> run(Db db, PositionRow row) throws SQLException;
  }

  private List<IndexHit> search(Finding finding) {
    return read(
        db -> {
          PositionRow row = PositionRow.read(db, scope).orElse(null);
          if (row == null) {
            return List.of();
          }
          SqlText.limitTime(db);
          try {
            return finding.run(db, row);
          } catch (SQLException failed) {
            throw SqlText.tooCostly(failed);
          }
        });
  }

  @Override
  public Function<String, TextMatch> matcher(KeywordQuery query) {
    return QueryWords.matcher(query);
  }

  @Override
  public Function<String, TextMatch> misspelledMatcher(KeywordQuery query) {
    return QueryWords.misspelledMatcher(query);
  }

  @Override
  public boolean isEmpty(KeywordQuery query) {
    return QueryWords.isEmpty(query);
  }

  private SqlText entries(String columns) {
    return SqlText.of("SELECT " + columns + " FROM search_entries WHERE", scope);
  }

  @Override
  public Optional<String> textHash(String id) {
    return hash("t", id);
  }

  @Override
  public Optional<String> vectorHash(String id) {
    return hash("v", id);
  }

  private Optional<String> hash(String part, String id) {
    return read(
        db ->
            entries("hash")
                .add(" AND part = ? AND id = ?", part, id)
                .one(db, row -> row.getString(1)));
  }

  @Override
  public Optional<Span> span(String group) {
    return read(
        db ->
            entries("min(seq), max(seq)")
                .add(" AND grp = ?", group)
                .add(" HAVING count(*) > 0")
                .one(db, row -> new Span(row.getLong(1), row.getLong(2))));
  }

  @Override
  public List<Indexed> entries(@Nullable String after, int limit) {
    return read(
        db ->
            entries("id, hash")
                .add(" AND part = 't' AND id > ?", after == null ? "" : after)
                .add(" ORDER BY id LIMIT ?", limit)
                .list(db, row -> new Indexed(row.getString(1), row.getString(2))));
  }

  @Override
  public List<Parked> parked(int limit) {
    return read(
        db ->
            entries("id, error")
                .add(" AND error IS NOT NULL ORDER BY id, part LIMIT ?", limit)
                .list(db, row -> new Parked(row.getString(1), row.getString(2))));
  }

  @Override
  public List<String> outdatedGroups(int limit) {
    return read(
        db ->
            entries("DISTINCT grp")
                .add(" AND error IS NOT NULL AND maker <> ? ORDER BY grp LIMIT ?", MAKER, limit)
                .list(db, row -> row.getString(1)));
  }

  @Override
  public Counts counts() {
    return read(
        db ->
            entries(
                    "count(*) FILTER (WHERE part = 't' AND error IS NULL),"
                        + " count(*) FILTER (WHERE part = 'v' AND error IS NULL),"
                        + " count(*) FILTER (WHERE error IS NOT NULL)")
                .one(db, row -> new Counts(row.getLong(1), row.getLong(2), row.getLong(3)))
                .orElseThrow());
  }

  @Override
  public void close() {
    // Nothing is open between two calls.
  }
}
