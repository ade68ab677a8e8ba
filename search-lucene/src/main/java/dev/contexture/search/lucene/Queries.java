package dev.contexture.search.lucene;

import dev.contexture.error.ContextureException;
import dev.contexture.search.QueryText;
import dev.contexture.search.SearchIndex.KeywordQuery;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.MultiPhraseQuery;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.jspecify.annotations.Nullable;

/**
 * Turns a query into a Lucene query. The choices here were measured on public sets, see
 * docs/decisions/0012-search.md:
 *
 * <ol>
 *   <li>Words that say nothing are left out, unless there are no others.
 *   <li>A word counts as often as the query says it: a long query repeats what it is about.
 *   <li>Each word scores in the entry itself and, with more weight, in what stands around it.
 *   <li>A query of few words finds only entries that hold one of them; a longer one, such as a
 *       question, also those that stand next to such entries, for example its answer.
 *   <li>Two words that follow each other in the query score once more where they stand together.
 *   <li>Of a very long query the words that tell most count, at most {@link #MAX_TERMS}.
 * </ol>
 */
final class Queries {
  private static final int MAX_TERMS = 256;
  private static final int MAX_PAIRS = 64;
  private static final int MAX_CLAUSES = 16_384;
  private static final int MAX_REPEATS = 20;
  private static final float NEAR_WEIGHT = 1.75f;
  private static final float PAIR_WEIGHT = 0.5f;
  private static final int PAIR_SLOP = 2;

  /** From how many words on an entry is found that holds none itself, but stands next to them. */
  static final int NEIGHBOURS_ALONE_FROM = 4;

  private static final float LABEL_WEIGHT = 2;
  private static final float DESCRIPTION_WEIGHT = 1.5f;

  static {
    if (IndexSearcher.getMaxClauseCount() < MAX_CLAUSES) {
      IndexSearcher.setMaxClauseCount(MAX_CLAUSES);
    }
  }

  private Queries() {}

  /** Whether a query holds no word; a raw one is judged by its syntax. */
  static boolean isEmpty(KeywordQuery query) {
    if (query.raw()) {
      return query.text().isBlank();
    }
    QueryText text = QueryText.parse(query.text());
    return words(text.words()).isEmpty()
        && text.phrases().stream().allMatch(phrase -> phrase(phrase).isEmpty());
  }

  /**
   * The query over words.
   *
   * @param labels whether labels and descriptions may match
   * @param allowed what may be found; null: everything
   * @throws ContextureException {@code invalid_argument} for a raw one that is wrong or costs too
   *     much
   */
  static Query of(KeywordQuery query, IndexReader reader, boolean labels, @Nullable Query allowed)
      throws IOException {
    BooleanQuery.Builder all = new BooleanQuery.Builder();
    if (allowed != null) {
      all.add(allowed, Occur.FILTER);
    }
    if (query.raw()) {
      return all.add(raw(query.text()), Occur.MUST).build();
    }
    QueryText text = QueryText.parse(query.text());
    boolean demands = false;
    for (String phrase : text.phrases()) {
      List<TextAnalysis.Word> words = phrase(phrase);
      if (!words.isEmpty()) {
        all.add(phraseAnywhere(words, labels), Occur.MUST);
        demands = true;
      }
    }
    Map<String, Integer> terms = telling(words(text.words()), reader);
    if (terms.isEmpty()) {
      return demands ? all.build() : new MatchNoDocsQuery("no words");
    }
    terms.forEach((term, count) -> addTerm(all, term, count, labels));
    OtherForms others = OtherForms.of(text.words(), terms.size(), reader);
    others.stems().forEach(term -> addTerm(all, term, 1, labels));
    others.addInside(all);
    if (!demands) {
      all.setMinimumNumberShouldMatch(1);
      if (terms.size() < NEIGHBOURS_ALONE_FROM) {
        all.add(oneOf(terms.keySet(), others, labels), Occur.FILTER);
      }
    }
    return all.build();
  }

  /** Entries that hold one of the words themselves. */
  private static Query oneOf(Set<String> terms, OtherForms others, boolean labels) {
    BooleanQuery.Builder any = new BooleanQuery.Builder();
    others.addInside(any);
    Set<String> all = new LinkedHashSet<>(terms);
    all.addAll(others.stems());
    for (String term : all) {
      any.add(FilterQuery.term(IndexFields.OWN, term), Occur.SHOULD);
      if (labels) {
        any.add(FilterQuery.term(IndexFields.LABEL, term), Occur.SHOULD);
        any.add(FilterQuery.term(IndexFields.DESCRIPTION, term), Occur.SHOULD);
      }
    }
    return any.build();
  }

  /** The words of a query that say something, or all of them if none does. */
  static List<TextAnalysis.Word> words(String text) {
    List<TextAnalysis.Word> telling = TextAnalysis.QUERY.tellingWords(text);
    Language language = Language.of(text);
    if (language != null) {
      telling.removeIf(word -> language.isSmall(text.substring(word.start(), word.end())));
    }
    return telling.isEmpty() ? TextAnalysis.QUERY.words(text) : telling;
  }

  private static List<TextAnalysis.Word> phrase(String text) {
    return TextAnalysis.QUERY.words(text);
  }

  /** Terms with how often the query says them; of too many, those that tell most. */
  private static Map<String, Integer> telling(List<TextAnalysis.Word> words, IndexReader reader)
      throws IOException {
    Map<String, Integer> counts = new LinkedHashMap<>();
    words.forEach(word -> counts.merge(word.term(), 1, Integer::sum));
    if (counts.size() <= MAX_TERMS) {
      return counts;
    }
    Map<String, Double> weights = new LinkedHashMap<>();
    for (Map.Entry<String, Integer> count : counts.entrySet()) {
      int found = reader.docFreq(new Term(IndexFields.OWN, count.getKey()));
      double idf = found == 0 ? 0 : Math.log(1 + (reader.maxDoc() + 1.0) / (found + 0.5));
      weights.put(count.getKey(), count.getValue() * idf);
    }
    List<String> ordered = new ArrayList<>(counts.keySet());
    ordered.sort(Comparator.comparingDouble((String term) -> -weights.getOrDefault(term, 0.0)));
    counts.keySet().retainAll(new HashSet<>(ordered.subList(0, MAX_TERMS)));
    return counts;
  }

  /**
   * Adds what a word scores. All words are alternatives side by side, not nested: only so Lucene
   * skips what cannot be among the best.
   */
  private static void addTerm(BooleanQuery.Builder all, String term, int said, boolean labels) {
    int count = Math.min(said, MAX_REPEATS);
    addTerm(all, IndexFields.OWN, term, count);
    addTerm(all, IndexFields.NEAR, term, count * NEAR_WEIGHT);
    if (labels) {
      addTerm(all, IndexFields.LABEL, term, count * LABEL_WEIGHT);
      addTerm(all, IndexFields.DESCRIPTION, term, count * DESCRIPTION_WEIGHT);
    }
  }

  private static void addTerm(BooleanQuery.Builder all, String field, String term, float weight) {
    all.add(weighted(FilterQuery.term(field, term), weight), Occur.SHOULD);
  }

  /** Words that follow each other, for scoring what was found once more; null: there are none. */
  static @Nullable Query pairs(KeywordQuery query) {
    if (query.raw()) {
      return null;
    }
    List<TextAnalysis.Word> words = words(QueryText.parse(query.text()).words());
    Set<QueryWords.Pair> found = wordPairs(words);
    BooleanQuery.Builder pairs = new BooleanQuery.Builder();
    for (QueryWords.Pair pair : found) {
      Query near = new PhraseQuery(PAIR_SLOP, IndexFields.OWN, pair.first(), pair.second());
      pairs.add(new BoostQuery(near, PAIR_WEIGHT), Occur.SHOULD);
    }
    return found.isEmpty() ? null : pairs.build();
  }

  /** Different words that follow each other, each two once. */
  static Set<QueryWords.Pair> wordPairs(List<TextAnalysis.Word> words) {
    Set<QueryWords.Pair> pairs = new LinkedHashSet<>();
    for (int i = 0; i + 1 < words.size() && pairs.size() < MAX_PAIRS; i++) {
      TextAnalysis.Word first = words.get(i);
      TextAnalysis.Word second = words.get(i + 1);
      if (first.position() < second.position() && !first.term().equals(second.term())) {
        pairs.add(new QueryWords.Pair(first.term(), second.term()));
      }
    }
    return pairs;
  }

  private static Query phraseAnywhere(List<TextAnalysis.Word> words, boolean labels) {
    Query own = phraseIn(IndexFields.OWN, words);
    if (!labels) {
      return own;
    }
    return new BooleanQuery.Builder()
        .add(own, Occur.SHOULD)
        .add(weighted(phraseIn(IndexFields.LABEL, words), LABEL_WEIGHT), Occur.SHOULD)
        .add(weighted(phraseIn(IndexFields.DESCRIPTION, words), DESCRIPTION_WEIGHT), Occur.SHOULD)
        .build();
  }

  /** Words at their places; several at one place are alternatives. */
  private static Query phraseIn(String field, List<TextAnalysis.Word> words) {
    Map<Integer, List<Term>> places = new TreeMap<>();
    for (TextAnalysis.Word word : words) {
      places
          .computeIfAbsent(word.position(), place -> new ArrayList<>())
          .add(new Term(field, word.term()));
    }
    int first = words.getFirst().position();
    MultiPhraseQuery.Builder phrase = new MultiPhraseQuery.Builder();
    places.forEach((place, terms) -> phrase.add(terms.toArray(Term[]::new), place - first));
    return phrase.build();
  }

  private static Query weighted(Query query, float weight) {
    return weight == 1 ? query : new BoostQuery(query, weight);
  }

  static Query raw(String text) {
    return RawQuery.parse(text, LABEL_WEIGHT, DESCRIPTION_WEIGHT);
  }

  /** The terms that a text must hold one of to match, for showing where it does. */
  static Set<String> terms(KeywordQuery query) {
    Set<String> terms = new HashSet<>();
    if (query.raw()) {
      if (!query.text().isBlank()) {
        raw(query.text())
            .visit(
                new QueryVisitor() {
                  @Override
                  public void consumeTerms(Query of, Term... found) {
                    for (Term term : found) {
                      terms.add(term.text());
                    }
                  }
                });
      }
      return terms;
    }
    QueryText text = QueryText.parse(query.text());
    words(text.words()).forEach(word -> terms.add(word.term()));
    text.phrases().forEach(phrase -> phrase(phrase).forEach(word -> terms.add(word.term())));
    return terms;
  }
}
