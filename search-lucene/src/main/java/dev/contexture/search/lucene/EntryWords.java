package dev.contexture.search.lucene;

import dev.contexture.search.IndexDocument;
import dev.contexture.search.Passages;
import dev.contexture.search.SearchContentType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * The words of an entry as an index keeps them, for indexes that are not of Lucene: the same text
 * is then the same words everywhere.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class EntryWords {
  private EntryWords() {}

  /**
   * A word of a text.
   *
   * @param place of the word; several may share one
   */
  public record Placed(String term, int place) {}

  /**
   * One place of an entry.
   *
   * @param own the words of the entry itself
   * @param label of its name, the same for all passages
   * @param description of what it is for, the same for all passages
   * @param around how often words stand around it; none where that says nothing
   * @param nearWeight what a word counts that stands in it or around it; 0: nothing
   * @param ownTelling how many of its own words say something
   * @param parts stretches of words that may be joined of others
   * @param language the code of its language; empty: English, or not known
   */
  public record Passage(
      List<Placed> own,
      List<Placed> label,
      List<Placed> description,
      Map<String, Integer> around,
      double nearWeight,
      int ownTelling,
      Set<String> parts,
      String language) {
    public Passage {
      own = List.copyOf(own);
      label = List.copyOf(label);
      description = List.copyOf(description);
      around = Map.copyOf(around);
      parts = Set.copyOf(parts);
    }
  }

  /** At least one. */
  public static List<Passage> of(IndexDocument source) {
    boolean said = source.entry().type() == SearchContentType.MESSAGES;
    double share = said ? NearSimilarity.share(source.text().length()) : 1;
    Language language = Language.of(source.text(), source.description() + "\n" + source.context());
    Map<String, Integer> around = share > 0 ? around(source.context()) : Map.of();
    int aroundWords = around.values().stream().mapToInt(Integer::intValue).sum();
    List<Placed> label = placed(TextAnalysis.INDEX.words(source.label()));
    List<Placed> description = placed(TextAnalysis.INDEX.in(language).words(source.description()));
    List<Passage> passages = new ArrayList<>();
    for (String passage : Passages.of(source.text())) {
      String own = source.hint().isEmpty() ? passage : source.hint() + "\n" + passage;
      int telling = telling(own).size();
      passages.add(
          new Passage(
              placed(TextAnalysis.INDEX.in(language).words(own)),
              label,
              description,
              around,
              share <= 0 ? 0 : NearSimilarity.weight(share, telling + aroundWords),
              telling,
              language != null && language.compounds()
                  ? Compounds.of(TextAnalysis.INDEX.words(own))
                  : Set.of(),
              language == null ? "" : language.code()));
    }
    return passages;
  }

  private static List<Placed> placed(List<TextAnalysis.Word> words) {
    return words.stream().map(word -> new Placed(word.term(), word.position())).toList();
  }

  private static Map<String, Integer> around(String text) {
    Map<String, Integer> times = new LinkedHashMap<>();
    telling(text).forEach(word -> times.merge(word.term(), 1, Integer::sum));
    return times;
  }

  private static List<TextAnalysis.Word> telling(String text) {
    List<TextAnalysis.Word> words = new ArrayList<>();
    text.lines()
        .forEach(line -> words.addAll(TextAnalysis.INDEX.in(Language.of(line)).tellingWords(line)));
    return words;
  }
}
