package dev.contexture.search.lucene;

import dev.contexture.error.ContextureException;
import dev.contexture.search.QueryText;
import dev.contexture.search.SearchIndex.KeywordQuery;
import dev.contexture.search.SearchIndex.TextMatch;
import dev.contexture.search.lucene.condition.WordCondition;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apiguardian.api.API;

/**
 * Words that a query asks for, as {@link EntryWords} has them, for indexes that are not of Lucene.
 * Immutable.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class QueryWords {
  private final String words;
  private final Map<String, Integer> counts;
  private final List<List<EntryWords.Placed>> phrases;
  private final List<Pair> pairs;

  private QueryWords(
      String words,
      Map<String, Integer> counts,
      List<List<EntryWords.Placed>> phrases,
      List<Pair> pairs) {
    this.words = words;
    this.counts = counts;
    this.phrases = phrases;
    this.pairs = pairs;
  }

  /** Two different words that follow each other. */
  public record Pair(String first, String second) {}

  /**
   * Other forms of the words.
   *
   * @param stems which count as words
   * @param inside for each word that may stand inside of a longer one the stretches that it has
   */
  public record Forms(Set<String> stems, List<Set<String>> inside) {
    public Forms {
      stems = Set.copyOf(stems);
      inside = List.copyOf(inside);
    }
  }

  /** A word that may be misspelled. */
  public interface Spelling {
    /** The least and the greatest number of characters of what is spelled alike. */
    int leastChars();

    int mostChars();

    /** How many wrong letters are forgiven. */
    int mostEdits();

    /** With how few wrong letters a word is spelled alike: 1 or 2; -1: it is not. */
    int edits(String term);
  }

  /** Reads a query that is not raw. */
  public static QueryWords of(KeywordQuery query) {
    QueryText text = QueryText.parse(query.text());
    Map<String, Integer> counts = new LinkedHashMap<>();
    List<TextAnalysis.Word> found = Queries.words(text.words());
    found.forEach(word -> counts.merge(word.term(), 1, Integer::sum));
    List<List<EntryWords.Placed>> phrases = new ArrayList<>();
    for (String phrase : text.phrases()) {
      List<TextAnalysis.Word> words = TextAnalysis.QUERY.words(phrase);
      if (!words.isEmpty()) {
        phrases.add(
            words.stream()
                .map(word -> new EntryWords.Placed(word.term(), word.position()))
                .toList());
      }
    }
    return new QueryWords(
        text.words(), counts, phrases, Queries.wordPairs(found).stream().toList());
  }

  /** Whether a query holds no word; a raw one is judged by its syntax. */
  public static boolean isEmpty(KeywordQuery query) {
    return Queries.isEmpty(query);
  }

  /** How often it says each word that says something, or each word if none does. */
  public Map<String, Integer> counts() {
    return Map.copyOf(counts);
  }

  /** What must stand together, each word at its place. */
  public List<List<EntryWords.Placed>> phrases() {
    return phrases;
  }

  public List<Pair> pairs() {
    return pairs;
  }

  /** Whether an entry is found that holds none of the words itself, but stands next to them. */
  public boolean takesNeighbours() {
    return counts.size() >= Queries.NEIGHBOURS_ALONE_FROM;
  }

  /**
   * Its words in other forms.
   *
   * @param known whether the index has texts of the language of a code
   */
  public Forms forms(Predicate<String> known) {
    Set<Language> languages = EnumSet.noneOf(Language.class);
    for (Language language : OtherForms.languages(words, counts.size())) {
      if (known.test(language.code())) {
        languages.add(language);
      }
    }
    OtherForms forms = OtherForms.in(languages, words);
    return new Forms(forms.stems(), forms.joined().stream().map(Compounds::of).toList());
  }

  /**
   * What a raw query asks for.
   *
   * @throws ContextureException {@code invalid_argument} if it is wrong or costs too much
   */
  public static WordCondition raw(KeywordQuery query) {
    try {
      return WordCondition.of(Queries.raw(query.text()));
    } catch (IllegalArgumentException refused) {
      throw RawQuery.invalid(query.text(), String.valueOf(refused.getMessage()), refused);
    }
  }

  /** The words of a query that may be misspelled. */
  public static List<Spelling> spellings(KeywordQuery query) {
    return Typos.of(query).spellings();
  }

  /** How texts match a query. */
  public static Function<String, TextMatch> matcher(KeywordQuery query) {
    return new QueryMatcher(query)::match;
  }

  /** How texts match a query whose words may be misspelled. */
  public static Function<String, TextMatch> misspelledMatcher(KeywordQuery query) {
    return Typos.of(query)::match;
  }
}
