package dev.contexture.search.postgres;

import dev.contexture.block.Scope;
import dev.contexture.store.jdbc.Db;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** The words that stand in the entries of a project. Confined to one transaction. */
final class TermDictionary {
  /** The most characters of a word. */
  static final int MOST_CHARS = 255;

  /** For how many words a part of a query may stand. */
  static final int MAX_MATCHING = 4_096;

  private final Db db;
  private final Scope scope;

  TermDictionary(Db db, Scope scope) {
    this.db = db;
    this.scope = scope;
  }

  /** Words of a length that a test takes; of too many one more than there may be. */
  List<String> matching(int leastChars, int mostChars, Predicate<String> test) throws SQLException {
    List<String> found = new ArrayList<>();
    SqlText.of("SELECT term FROM search_terms WHERE", scope)
        .add(" AND own > 0 AND char_length(term) BETWEEN ? AND ?", leastChars, mostChars)
        .each(
            db,
            row -> {
              String term = row.getString(1);
              boolean word = term.charAt(0) > ' '; // else it stands for a language
              return word && found.size() <= MAX_MATCHING && test.test(term) && found.add(term);
            });
    return found;
  }
}
