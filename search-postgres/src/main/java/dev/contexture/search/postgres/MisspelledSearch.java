package dev.contexture.search.postgres;

import dev.contexture.block.Scope;
import dev.contexture.search.IndexFilter;
import dev.contexture.search.IndexHit;
import dev.contexture.search.SearchContentType;
import dev.contexture.search.SearchIndex.KeywordQuery;
import dev.contexture.search.lucene.QueryWords;
import dev.contexture.store.jdbc.Db;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Answers a query whose words may be misspelled: by all words of the project that are spelled
 * alike. A word counts two where one letter differs, one where two do. One transaction.
 */
final class MisspelledSearch {
  private final Db db;
  private final Scope scope;
  private final Lexemes lexemes;

  MisspelledSearch(Db db, Scope scope, PositionRow index) {
    this.db = db;
    this.scope = scope;
    this.lexemes = new Lexemes(index.number());
  }

  List<IndexHit> find(KeywordQuery query, IndexFilter filter, int limit) throws SQLException {
    List<String> alike = new ArrayList<>(); // each is worth one
    for (QueryWords.Spelling spelling : QueryWords.spellings(query)) {
      Map<String, Integer> edits = new HashMap<>();
      List<String> found =
          new TermDictionary(db, scope)
              .matching(
                  spelling.leastChars(),
                  spelling.mostChars(),
                  term -> isAlike(edits, spelling, term));
      if (found.size() > TermDictionary.MAX_MATCHING) {
        throw SqlText.tooCostly(); // the first ones would depend on what others wrote
      }
      for (int most = 1; most <= spelling.mostEdits(); most++) {
        int within = most;
        List<String> words =
            found.stream()
                .filter(term -> edits.getOrDefault(term, 0) <= within)
                .map(term -> lexemes.quoted(term, Lexemes.ITSELF))
                .toList();
        if (!words.isEmpty()) {
          alike.add(ConditionSql.any(words));
        }
      }
    }
    return alike.isEmpty() ? List.of() : find(alike, filter, limit);
  }

  private static boolean isAlike(
      Map<String, Integer> edits, QueryWords.Spelling spelling, String term) {
    int wrong = spelling.edits(term);
    if (wrong > 0) {
      edits.put(term, wrong);
    }
    return wrong > 0;
  }

  private List<IndexHit> find(List<String> alike, IndexFilter filter, int limit)
      throws SQLException {
    SqlText sql = SqlText.of("SELECT e.id, e.type, e.hash, max(0");
    alike.forEach(each -> sql.add(" + (p.words @@ ?::tsquery)::int", each));
    sql.add(") AS score FROM search_passages p JOIN search_entries e ON e.tenant = p.tenant")
        .add(" AND e.project = p.project AND e.part = 't' AND e.id = p.id")
        .add(" WHERE p.tenant = ? AND p.project = ?", scope.tenant(), scope.project())
        .add(" AND p.words @@ ?::tsquery", ConditionSql.any(alike))
        .add(FilterSql.of(filter))
        .add(" GROUP BY e.id, e.type, e.hash ORDER BY score DESC, e.id LIMIT ?", limit);
    return sql.list(
        db,
        row ->
            new IndexHit(
                row.getString(1),
                SearchContentType.valueOf(row.getString(2)),
                row.getInt(4),
                row.getString(3)));
  }
}
