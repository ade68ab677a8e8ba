package dev.contexture.search.lucene;

import java.io.IOException;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.Set;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.Query;

/**
 * Other forms of the words of a query: what they are in languages in Latin letters other than
 * English. An English query has none.
 *
 * @param stems terms beside those of English, see {@link LanguageStems}
 * @param joined words that may stand inside of longer ones, see {@link Compounds}
 */
record OtherForms(Set<String> stems, Set<String> joined) {
  /** Up to how many words a query is tried in every language, if its own is not known. */
  private static final int GUESSED_WORDS = 8;

  private static final int MAX_STEMS = 256;
  private static final int MAX_JOINED = 16;

  /**
   * What a word inside of a longer one scores. Stretches have no frequencies; a rare word of its
   * own scores about twice as much.
   */
  private static final float INSIDE_WEIGHT = 2;

  /** The forms of a query in those of its languages that texts of an index have. */
  static OtherForms of(String query, int words, IndexReader reader) throws IOException {
    Set<Language> languages = EnumSet.noneOf(Language.class);
    for (Language language : languages(query, words)) {
      if (reader.docFreq(new Term(IndexFields.LANGUAGE, language.code())) > 0) {
        languages.add(language);
      }
    }
    return in(languages, query);
  }

  /**
   * The languages that a query may be of, besides English.
   *
   * @param words how many different ones it has
   */
  static Set<Language> languages(String query, int words) {
    Set<Language> candidates = Language.candidates(query);
    boolean guessed = candidates.size() == Language.values().length;
    return guessed && words > GUESSED_WORDS ? Set.of() : candidates;
  }

  /** The forms of a query in some languages. */
  static OtherForms in(Set<Language> languages, String query) {
    Set<String> stems = new LinkedHashSet<>();
    Set<String> joined = new LinkedHashSet<>();
    for (Language language : languages) {
      for (TextAnalysis.Word word : TextAnalysis.QUERY.in(language).tellingWords(query)) {
        String stem = LanguageStems.stem(word.term(), language);
        if (stem == null
            || stem.chars().anyMatch(Character::isDigit) // names and numbers have no endings
            || language.isSmall(query.substring(word.start(), word.end()))) {
          continue;
        }
        if (stems.size() < MAX_STEMS) {
          stems.add(word.term());
        }
        if (language.compounds()
            && stem.length() >= Compounds.CHARS
            && joined.size() < MAX_JOINED) {
          joined.add(stem);
        }
      }
    }
    return new OtherForms(stems, joined);
  }

  boolean isEmpty() {
    return stems.isEmpty() && joined.isEmpty();
  }

  /** Adds entries that hold one of the words inside of a longer one. */
  void addInside(BooleanQuery.Builder any) {
    for (String word : joined) {
      BooleanQuery.Builder all = new BooleanQuery.Builder();
      for (String part : Compounds.of(word)) {
        all.add(FilterQuery.term(IndexFields.PARTS, part), Occur.FILTER);
      }
      Query inside = new ConstantScoreQuery(all.build());
      any.add(new BoostQuery(inside, INSIDE_WEIGHT), Occur.SHOULD);
    }
  }

  /** Whether a term of a text is one of the forms, or holds one inside. */
  boolean match(String term) {
    return stems.contains(term) || Compounds.holds(term, joined);
  }
}
