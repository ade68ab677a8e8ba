package dev.contexture.search.postgres;

import dev.contexture.block.Scope;
import dev.contexture.search.lucene.EntryWords;
import dev.contexture.store.jdbc.Db;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * In how many passages of a project words stand: what writing changes of it, and what is read for a
 * query. Confined to one transaction.
 */
final class TermCounts {
  /** In how many passages a word stands itself, and in how many it stands in or around them. */
  record Count(long own, long near) {
    static final Count NONE = new Count(0, 0);
  }

  private final Map<String, Count> changes = new TreeMap<>(); // ordered: no two wait for each other
  private long passages;
  private long ownWords;

  /** Notes a passage that is put. */
  void put(EntryWords.Passage passage) {
    Set<String> own = new HashSet<>();
    for (List<EntryWords.Placed> words :
        List.of(passage.own(), passage.label(), passage.description())) {
      words.forEach(word -> own.add(word.term()));
    }
    if (!passage.language().isEmpty()) {
      own.add(Lexemes.language(passage.language()));
    }
    Set<String> near = new HashSet<>(passage.around().keySet());
    passage.own().forEach(word -> near.add(word.term()));
    add(own, passage.nearWeight() > 0 ? near : Set.of(), passage.own().size(), 1);
  }

  /** Notes a passage that is removed. */
  void remove(Collection<String> own, Collection<String> near, int itsWords) {
    add(own, near, itsWords, -1);
  }

  private void add(Collection<String> own, Collection<String> near, int words, int sign) {
    own.forEach(term -> add(term, sign, 0));
    near.forEach(term -> add(term, 0, sign));
    passages += sign;
    ownWords += (long) sign * words;
  }

  private void add(String term, long own, long near) {
    changes.merge(
        term,
        new Count(own, near),
        (count, more) -> new Count(count.own + more.own, count.near + more.near));
  }

  /** Forgets all that the project had. */
  void clear() {
    changes.clear();
    passages = 0;
    ownWords = 0;
  }

  long passages() {
    return passages;
  }

  long ownWords() {
    return ownWords;
  }

  void write(Db db, Scope scope) throws SQLException {
    changes.values().removeIf(Count.NONE::equals);
    if (changes.isEmpty()) {
      return;
    }
    List<Long> own = new ArrayList<>();
    List<Long> near = new ArrayList<>();
    List<String> less = new ArrayList<>();
    changes.forEach(
        (term, count) -> {
          own.add(count.own);
          near.add(count.near);
          if (count.own < 0 || count.near < 0) {
            less.add(term);
          }
        });
    SqlText.of(
            "INSERT INTO search_terms AS t (tenant, project, term, own, near)"
                + " SELECT ?, ?, u.term, u.own, u.near FROM unnest(?, ?, ?) AS u(term, own, near)"
                + " ON CONFLICT (tenant, project, term) DO UPDATE"
                + " SET own = t.own + excluded.own, near = t.near + excluded.near",
            scope.tenant(),
            scope.project(),
            List.copyOf(changes.keySet()),
            own,
            near)
        .update(db);
    if (!less.isEmpty()) {
      SqlText.of("DELETE FROM search_terms WHERE", scope)
          .add(" AND term = ANY(?) AND own <= 0 AND near <= 0", less)
          .update(db);
    }
  }

  /** Reads the counts of words; those that stand nowhere are not there. */
  static Map<String, Count> read(Db db, Scope scope, Collection<String> terms) throws SQLException {
    Map<String, Count> counts = new HashMap<>();
    SqlText.of("SELECT term, own, near FROM search_terms WHERE", scope)
        .add(" AND term = ANY(?)", terms)
        .each(
            db,
            row -> counts.put(row.getString(1), new Count(row.getLong(2), row.getLong(3))) == null);
    return counts;
  }
}
