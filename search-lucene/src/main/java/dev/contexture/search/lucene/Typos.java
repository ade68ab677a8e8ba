package dev.contexture.search.lucene;

import dev.contexture.search.IndexFilter;
import dev.contexture.search.IndexHit;
import dev.contexture.search.QueryText;
import dev.contexture.search.SearchContentType;
import dev.contexture.search.SearchIndex.KeywordQuery;
import dev.contexture.search.SearchIndex.TextMatch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.FuzzyQuery;
import org.apache.lucene.search.MultiTermQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.automaton.ByteRunAutomaton;
import org.jspecify.annotations.Nullable;

/**
 * The words of a query that may be misspelled: those of four letters or more, without digits, since
 * a number with another digit is another number. A word counts two where one letter differs, one
 * where two do; nothing else goes into the scores, so that they tell nothing of other entries.
 */
final class Typos {
  private static final int LEAST_CHARS = 4;
  private static final int TWO_EDITS_FROM = 8;
  private static final int MAX_WORDS = 8;

  /** A word of the query with what accepts terms with one wrong letter, then with two. */
  private record Spelling(String written, String term, List<ByteRunAutomaton> alike)
      implements QueryWords.Spelling {
    boolean accepts(BytesRef found) {
      return alike.getLast().run(found.bytes, found.offset, found.length);
    }

    @Override
    public int leastChars() {
      return term.codePointCount(0, term.length()) - alike.size();
    }

    @Override
    public int mostChars() {
      return term.codePointCount(0, term.length()) + alike.size();
    }

    @Override
    public int mostEdits() {
      return alike.size();
    }

    @Override
    public int edits(String found) {
      BytesRef bytes = new BytesRef(found);
      for (int edits = 1; edits <= alike.size(); edits++) {
        if (alike.get(edits - 1).run(bytes.bytes, bytes.offset, bytes.length)) {
          return edits;
        }
      }
      return -1;
    }
  }

  private final List<Spelling> words;

  private Typos(List<Spelling> words) {
    this.words = words;
  }

  static Typos of(KeywordQuery query) {
    List<Spelling> words = new ArrayList<>();
    QueryText text = QueryText.parse(query.text());
    if (!query.raw() && text.phrases().isEmpty()) {
      Set<String> seen = new HashSet<>();
      for (TextAnalysis.Word word : TextAnalysis.QUERY.tellingWords(text.words())) {
        String term = word.term();
        if (words.size() < MAX_WORDS && edits(term) > 0 && seen.add(term)) {
          String written = text.words().substring(word.start(), word.end());
          words.add(new Spelling(written, term, alike(term)));
        }
      }
    }
    return new Typos(words);
  }

  private static List<ByteRunAutomaton> alike(String term) {
    return IntStream.rangeClosed(1, edits(term))
        .mapToObj(edits -> FuzzyQuery.getFuzzyAutomaton(term, edits, 0, true).runAutomaton)
        .toList();
  }

  private static int edits(String term) {
    int chars = term.codePointCount(0, term.length());
    boolean spelled = chars >= LEAST_CHARS && term.codePoints().allMatch(Character::isLetter);
    return !spelled ? 0 : chars < TWO_EDITS_FROM ? 1 : 2;
  }

  List<QueryWords.Spelling> spellings() {
    return List.copyOf(words);
  }

  /** Entries that hold words that are spelled alike, those with the most of them first. */
  List<IndexHit> find(TimedSearcher searcher, IndexFilter filter, int limit) throws IOException {
    if (words.isEmpty()) {
      return List.of();
    }
    boolean labels = filter.types().contains(SearchContentType.BLOCKS);
    Query alike = query(labels, FilterQuery.of(IndexFields.TEXT, filter));
    EntryReader entries = new EntryReader(searcher.searcher().getIndexReader());
    for (int depth = limit * 2; ; depth *= 4) { // an entry may have several passages
      TopDocs found = searcher.search(alike, depth);
      List<IndexHit> hits = entries.best(found.scoreDocs, limit);
      if (hits.size() == limit || found.scoreDocs.length < depth) {
        return hits;
      }
    }
  }

  private Query query(boolean labels, @Nullable Query allowed) {
    BooleanQuery.Builder all = new BooleanQuery.Builder().setMinimumNumberShouldMatch(1);
    if (allowed != null) {
      all.add(allowed, Occur.FILTER);
    }
    for (Spelling word : words) {
      for (int edits = 1; edits <= edits(word.term); edits++) {
        all.add(new ConstantScoreQuery(anywhere(word.term, edits, labels)), Occur.SHOULD);
      }
    }
    return all.build();
  }

  private static Query anywhere(String term, int edits, boolean labels) {
    BooleanQuery.Builder any = new BooleanQuery.Builder();
    any.add(alike(IndexFields.OWN, term, edits), Occur.SHOULD);
    if (labels) {
      any.add(alike(IndexFields.LABEL, term, edits), Occur.SHOULD);
      any.add(alike(IndexFields.DESCRIPTION, term, edits), Occur.SHOULD);
    }
    return any.build();
  }

  /** All terms that are spelled alike: the best few would depend on what others wrote. */
  private static Query alike(String field, String term, int edits) {
    return new FuzzyQuery(
        new Term(field, term),
        edits,
        0,
        FuzzyQuery.defaultMaxExpansions,
        true,
        MultiTermQuery.CONSTANT_SCORE_BLENDED_REWRITE);
  }

  /** Where a text holds words that are spelled alike. */
  TextMatch match(String text) {
    Set<String> terms = new HashSet<>();
    Map<String, String> typos = new LinkedHashMap<>();
    Language language = Language.of(text);
    for (TextAnalysis.Word found : Excerpts.words(text, language)) {
      BytesRef bytes = new BytesRef(found.term());
      for (Spelling word : words) {
        if (word.accepts(bytes)) {
          terms.add(found.term());
          typos.putIfAbsent(word.written, text.substring(found.start(), found.end()));
        }
      }
    }
    TextMatch match = Excerpts.of(terms::contains, text, language);
    return new TextMatch(match.excerpt(), match.words(), match.matches(), typos);
  }
}
