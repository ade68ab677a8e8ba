package dev.contexture.search.lucene;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.util.BytesRef;

/**
 * The telling words of what stands around an entry. A message stands in its own document and around
 * those next to it, so that each line would be analysed five times; here the words of the last
 * lines are remembered. No word reaches over the end of a line. Confined to the thread that writes.
 */
final class NearWords {
  private static final int MAX_LINES = 1_024;
  private static final int MAX_LINE_CHARS = 1_500;

  private final Map<String, List<KnownWords.Word>> lines =
      new LinkedHashMap<>(MAX_LINES, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, List<KnownWords.Word>> eldest) {
          return size() > MAX_LINES;
        }
      };

  /**
   * The words of a text, without their places.
   *
   * @param share what they count, see {@link NearSimilarity#share}
   */
  TokenStream of(String text, double share) {
    List<KnownWords.Word> words = new ArrayList<>();
    text.lines().forEach(line -> words.addAll(line(line)));
    return new KnownWords(words, NearSimilarity.flags(share));
  }

  private List<KnownWords.Word> line(String line) {
    if (line.length() > MAX_LINE_CHARS) {
      return analysed(line);
    }
    return lines.computeIfAbsent(line, NearWords::analysed);
  }

  /** Each word of a line once, with its number; one at the place of another stands by itself. */
  private static List<KnownWords.Word> analysed(String line) {
    List<TextAnalysis.Word> found = TextAnalysis.INDEX.in(Language.of(line)).tellingWords(line);
    Map<String, Integer> times = new LinkedHashMap<>();
    List<KnownWords.Word> words = new ArrayList<>();
    int place = -1;
    for (TextAnalysis.Word word : found) {
      if (word.position() == place) {
        words.add(new KnownWords.Word(new BytesRef(word.term()), 0, 1));
      } else {
        times.merge(word.term(), 1, Integer::sum);
      }
      place = word.position();
    }
    List<KnownWords.Word> once = new ArrayList<>(times.size() + words.size());
    times.forEach((term, count) -> once.add(new KnownWords.Word(new BytesRef(term), 1, count)));
    once.addAll(words);
    return List.copyOf(once);
  }
}
