package dev.contexture.search.postgres;

import dev.contexture.block.Scope;
import dev.contexture.block.Timestamps;
import dev.contexture.search.IndexChange;
import dev.contexture.search.IndexDocument;
import dev.contexture.search.IndexEntry;
import dev.contexture.search.SearchContentType;
import dev.contexture.search.lucene.EntryWords;
import dev.contexture.store.jdbc.Db;
import java.sql.Array;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes changes of a project in one transaction. What the database refuses is parked, and the rest
 * goes on. Confined to that transaction.
 */
final class ChangeWriter {
  private static final System.Logger LOG = System.getLogger(ChangeWriter.class.getName());

  /** Longer values are no names: an index of the database takes no more. */
  private static final int MAX_VALUE_CHARS = 2_000;

  private static final int STEP = 10_000;

  private final Db db;
  private final Scope scope;
  private final Lexemes lexemes;
  private final String maker;
  private final boolean checked;
  private TermCounts counts = new TermCounts();

  /**
   * @param maker what writes it: entries that another one parked are to be tried again
   * @param checked whether vectors count only where the index still has the content they are of
   */
  ChangeWriter(Db db, Scope scope, Lexemes lexemes, String maker, boolean checked) {
    this.db = db;
    this.scope = scope;
    this.lexemes = lexemes;
    this.maker = maker;
    this.checked = checked;
  }

  /** Writes all, and says how many entries were parked. */
  int write(FoldedChanges changes) throws SQLException {
    parkWhatIsTooLong(changes);
    db.execute("SAVEPOINT changes");
    try {
      remove(changes);
      put(changes);
      counts.write(db, scope);
    } catch (SQLException refused) {
      if (!isOfTheData(refused)) {
        throw refused;
      }
      db.execute("ROLLBACK TO SAVEPOINT changes");
      counts = new TermCounts();
      remove(changes);
      putEach(changes);
      counts.write(db, scope);
    }
    return changes.parked();
  }

  /** What it adds to the passages and words of the project. */
  TermCounts counts() {
    return counts;
  }

  /** Whether another try with the same values fails too. */
  private static boolean isOfTheData(SQLException refused) {
    String state = String.valueOf(refused.getSQLState());
    return state.startsWith("22") || state.startsWith("54"); // data exception, limit exceeded
  }

  private static void parkWhatIsTooLong(FoldedChanges changes) {
    for (IndexDocument document : List.copyOf(changes.documents.values())) {
      String problem = problem(document.entry());
      if (problem != null) {
        changes.parkText(document.entry(), problem);
      }
    }
  }

  private static @Nullable String problem(IndexEntry entry) {
    for (String value :
        Arrays.asList(entry.agent(), entry.user(), entry.conversation(), entry.role())) {
      if (value != null && value.length() > MAX_VALUE_CHARS) {
        return "a value has " + value.length() + " characters; the index takes " + MAX_VALUE_CHARS;
      }
    }
    return null;
  }

  private void remove(FoldedChanges changes) throws SQLException {
    if (changes.all) {
      clear(db, scope);
      counts.clear();
      return;
    }
    Set<String> texts = new HashSet<>();
    Set<String> vectors = new HashSet<>();
    if (!changes.groups.isEmpty()) {
      removeEntries(
          SqlText.of("DELETE FROM search_entries WHERE", scope)
              .add(" AND grp = ANY(?)", changes.groups),
          texts,
          vectors);
    }
    for (FoldedChanges.Conversation conversation : changes.conversations) {
      removeEntries(
          SqlText.of("DELETE FROM search_entries WHERE", scope)
              .add(" AND usr = ? AND conv = ?", conversation.user(), conversation.id()),
          texts,
          vectors);
    }
    texts.addAll(changes.documents.keySet());
    texts.addAll(changes.parkedTexts.keySet());
    vectors.addAll(changes.vectors.keySet());
    vectors.addAll(changes.parkedVectors.keySet());
    removePassages(texts);
    if (changes.allVectors) {
      clear(db, scope, "search_vectors", "id");
      SqlText.of("DELETE FROM search_entries WHERE", scope).add(" AND part = 'v'").update(db);
    } else {
      removeVectors(vectors);
    }
  }

  private void removeEntries(SqlText delete, Set<String> texts, Set<String> vectors)
      throws SQLException {
    delete
        .add(" RETURNING part, id")
        .each(db, row -> (row.getString(1).equals("t") ? texts : vectors).add(row.getString(2)));
  }

  private void removeVectors(Collection<String> ids) throws SQLException {
    if (!ids.isEmpty()) {
      SqlText.of("DELETE FROM search_vectors WHERE", scope).add(" AND id = ANY(?)", ids).update(db);
    }
  }

  private void removePassages(Collection<String> ids) throws SQLException {
    if (ids.isEmpty()) {
      return;
    }
    SqlText.of("DELETE FROM search_passages WHERE", scope)
        .add(
            " AND id = ANY(?) RETURNING own_words, tsvector_to_array(ts_filter(words, '{a,c,d}')),"
                + " CASE WHEN near_weight > 0 THEN tsvector_to_array(ts_filter(words, '{a,b}'))"
                + " END",
            ids)
        .each(
            db,
            row -> {
              counts.remove(terms(row.getArray(2)), terms(row.getArray(3)), row.getInt(1));
              return true;
            });
  }

  private List<String> terms(@Nullable Array found) throws SQLException {
    if (found == null) {
      return List.of();
    }
    List<String> terms = new ArrayList<>();
    for (String lexeme : (String[]) found.getArray()) {
      terms.add(lexemes.term(lexeme));
    }
    return terms;
  }

  private void put(FoldedChanges changes) throws SQLException {
    for (IndexDocument document : changes.documents.values()) {
      put(document);
    }
    for (IndexChange.PutVectors vectors : changes.vectors.values()) {
      put(vectors);
    }
    for (FoldedChanges.Parking parking : changes.parkedTexts.values()) {
      park("t", parking);
    }
    for (FoldedChanges.Parking parking : changes.parkedVectors.values()) {
      if (isCurrent(parking.entry())) {
        park("v", parking);
      }
    }
  }

  /** The same one by one: what the database refuses is parked. */
  private void putEach(FoldedChanges changes) throws SQLException {
    for (IndexDocument document : List.copyOf(changes.documents.values())) {
      SQLException refused = refusal(() -> put(document));
      if (refused != null && !document.context().isEmpty()) {
        refused = refusal(() -> put(document.withoutContext()));
      }
      if (refused != null) {
        changes.parkText(document.entry(), reason(refused));
      }
    }
    for (IndexChange.PutVectors vectors : List.copyOf(changes.vectors.values())) {
      SQLException refused = refusal(() -> put(vectors));
      if (refused != null) {
        changes.parkVectors(vectors.entry(), reason(refused));
      }
    }
    FoldedChanges left = new FoldedChanges();
    left.parkedTexts.putAll(changes.parkedTexts);
    left.parkedVectors.putAll(changes.parkedVectors);
    put(left);
  }

  /** Writes that may be refused. */
  private interface Writing {
    void run() throws SQLException;
  }

  private @Nullable SQLException refusal(Writing writing) throws SQLException {
    db.execute("SAVEPOINT one");
    try {
      writing.run();
      return null;
    } catch (SQLException refused) {
      if (!isOfTheData(refused)) {
        throw refused;
      }
      LOG.log(System.Logger.Level.WARNING, "an entry cannot be indexed and is parked", refused);
      db.execute("ROLLBACK TO SAVEPOINT one");
      return refused;
    }
  }

  private static String reason(SQLException refused) {
    return "the database refuses its words (" + refused.getSQLState() + "); see the log";
  }

  private void put(IndexDocument document) throws SQLException {
    IndexEntry entry = document.entry();
    List<EntryWords.Passage> passages = EntryWords.of(document);
    entry("t", entry, passages.size(), null).update(db);
    SqlText rows =
        new SqlText()
            .add(
                "INSERT INTO search_passages"
                    + " (tenant, project, id, place, words, own_words, near_weight) VALUES");
    int place = 0;
    for (EntryWords.Passage passage : passages) {
      rows.add(
          (place == 0 ? "" : ",") + " (?, ?, ?, ?, ?::tsvector, ?, ?)",
          scope.tenant(),
          scope.project(),
          entry.id(),
          place++,
          lexemes.vector(passage),
          passage.own().size(),
          passage.nearWeight());
    }
    rows.update(db);
    passages.forEach(counts::put); // behind the rows: none of one that is refused
  }

  private void put(IndexChange.PutVectors put) throws SQLException {
    IndexEntry entry = put.entry();
    if (!isCurrent(entry)) {
      return;
    }
    entry("v", entry, put.vectors().size(), null).update(db);
    int place = 0;
    for (float[] vector : put.vectors()) {
      SqlText.of(
              "INSERT INTO search_vectors (tenant, project, id, place, vector)"
                  + " VALUES (?, ?, ?, ?, ?)",
              scope.tenant(),
              scope.project(),
              entry.id(),
              place++,
              vector)
          .update(db);
    }
  }

  /** Whether vectors of an entry are of what the index has: another process may have erased it. */
  private boolean isCurrent(IndexEntry entry) throws SQLException {
    return !checked
        || SqlText.of("SELECT 1 FROM search_entries WHERE", scope)
            .add(" AND part = 't' AND id = ? AND hash = ?", entry.id(), entry.hash())
            .one(db, row -> true)
            .isPresent();
  }

  /** Holds no more than what it takes to list it, to try it again and to remove it. */
  private void park(String part, FoldedChanges.Parking parking) throws SQLException {
    IndexEntry of = parking.entry();
    IndexEntry least =
        new IndexEntry(
            of.id(),
            of.group(),
            of.type(),
            null,
            shortened(of.user()),
            shortened(of.conversation()),
            null,
            of.at(),
            of.seq(),
            of.hash());
    entry(part, least, 0, parking.error()).update(db);
  }

  private static @Nullable String shortened(@Nullable String value) {
    return value == null || value.length() <= MAX_VALUE_CHARS ? value : null;
  }

  private SqlText entry(String part, IndexEntry entry, int pieces, @Nullable String error) {
    return SqlText.of(
        "INSERT INTO search_entries (tenant, project, part, id, grp, type, agent, usr, conv, role,"
            + " at, seq, hash, tags, pieces, error, maker)"
            + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
            + " ON CONFLICT (tenant, project, part, id) DO UPDATE SET grp = excluded.grp,"
            + " type = excluded.type, agent = excluded.agent, usr = excluded.usr,"
            + " conv = excluded.conv, role = excluded.role, at = excluded.at,"
            + " seq = excluded.seq, hash = excluded.hash, tags = excluded.tags,"
            + " pieces = excluded.pieces, error = excluded.error, maker = excluded.maker",
        scope.tenant(),
        scope.project(),
        part,
        entry.id(),
        entry.group(),
        entry.type().name(),
        entry.agent(),
        entry.user(),
        entry.conversation(),
        entry.role(),
        Timestamps.toMillis(entry.at()),
        entry.seq(),
        entry.hash(),
        entry.tags(),
        entry.type() == SearchContentType.MESSAGES ? pieces : Math.min(pieces, 1),
        error,
        error == null ? null : maker);
  }

  /** Removes all entries of a project. */
  static void clear(Db db, Scope scope) throws SQLException {
    clear(db, scope, "search_passages", "id");
    clear(db, scope, "search_vectors", "id");
    clear(db, scope, "search_terms", "term");
    clear(db, scope, "search_entries", "id");
  }

  /** In steps: a statement may take only so long. */
  private static void clear(Db db, Scope scope, String table, String key) throws SQLException {
    int removed;
    do {
      removed =
          SqlText.of("DELETE FROM " + table + " WHERE", scope)
              .add(" AND " + key + " IN (")
              .add(SqlText.of("SELECT " + key + " FROM " + table + " WHERE", scope))
              .add(" ORDER BY " + key + " LIMIT ?)", STEP)
              .update(db);
    } while (removed > 0);
  }
}
