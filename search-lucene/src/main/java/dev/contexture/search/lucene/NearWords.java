package dev.contexture.search.lucene;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.BytesTermAttribute;
import org.apache.lucene.analysis.tokenattributes.FlagsAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;
import org.apache.lucene.util.BytesRef;

/**
 * The telling words of what stands around an entry. A message stands in its own document and around
 * those next to it, so that each line would be analysed five times; here the words of the last
 * lines are remembered. No word reaches over the end of a line. Confined to the thread that writes.
 */
final class NearWords {
  private static final int MAX_LINES = 1_024;
  private static final int MAX_LINE_CHARS = 1_500;

  private final Map<String, List<NearWord>> lines =
      new LinkedHashMap<>(MAX_LINES, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, List<NearWord>> eldest) {
          return size() > MAX_LINES;
        }
      };

  /**
   * The words of a text, without their places.
   *
   * @param share what they count, see {@link NearSimilarity#share}
   */
  TokenStream of(String text, double share) {
    List<NearWord> words = new ArrayList<>();
    text.lines().forEach(line -> words.addAll(line(line)));
    return new Words(words, NearSimilarity.flags(share));
  }

  private List<NearWord> line(String line) {
    if (line.length() > MAX_LINE_CHARS) {
      return analysed(line);
    }
    return lines.computeIfAbsent(line, NearWords::analysed);
  }

  private static List<NearWord> analysed(String line) {
    List<NearWord> words = new ArrayList<>();
    int place = -1;
    for (TextAnalysis.Word word : TextAnalysis.INDEX.tellingWords(line)) {
      words.add(new NearWord(new BytesRef(word.term()), word.position() == place));
      place = word.position();
    }
    return List.copyOf(words);
  }

  /**
   * A word.
   *
   * @param again whether it stands where the one before stands, so that it adds no length
   */
  private record NearWord(BytesRef term, boolean again) {}

  /** Words that are known, as Lucene takes them. */
  private static final class Words extends TokenStream {
    private final BytesTermAttribute term = addAttribute(BytesTermAttribute.class);
    private final PositionIncrementAttribute step = addAttribute(PositionIncrementAttribute.class);
    private final FlagsAttribute flags = addAttribute(FlagsAttribute.class);
    private final List<NearWord> words;
    private final int share;
    private Iterator<NearWord> left;

    Words(List<NearWord> words, int share) {
      this.words = words;
      this.share = share;
      this.left = words.iterator();
    }

    @Override
    public boolean incrementToken() {
      if (!left.hasNext()) {
        return false;
      }
      clearAttributes();
      NearWord word = left.next();
      term.setBytesRef(word.term);
      step.setPositionIncrement(word.again ? 0 : 1);
      return true;
    }

    /** The share is read after the last word, for the norm of the document. */
    @Override
    public void end() throws IOException {
      super.end();
      flags.setFlags(share);
    }

    @Override
    public void reset() {
      left = words.iterator();
    }
  }
}
