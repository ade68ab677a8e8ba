package dev.contexture.search.lucene;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.BytesTermAttribute;
import org.apache.lucene.analysis.tokenattributes.FlagsAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;
import org.apache.lucene.analysis.tokenattributes.TermFrequencyAttribute;
import org.apache.lucene.util.BytesRef;

/** Words that are known, as Lucene takes them. Confined to the thread that writes. */
final class KnownWords extends TokenStream {
  private final BytesTermAttribute term = addAttribute(BytesTermAttribute.class);
  private final PositionIncrementAttribute step = addAttribute(PositionIncrementAttribute.class);
  private final TermFrequencyAttribute frequency = addAttribute(TermFrequencyAttribute.class);
  private final FlagsAttribute flags = addAttribute(FlagsAttribute.class);
  private final List<Word> words;
  private final int share;
  private Iterator<Word> left;

  /**
   * A word.
   *
   * @param step from the place of the word before; 0 adds no length
   * @param times how often it stands there; above 1 only where places do not count
   */
  record Word(BytesRef term, int step, int times) {}

  /**
   * @param share as {@link NearSimilarity#flags} gives it
   */
  KnownWords(List<Word> words, int share) {
    this.words = words;
    this.share = share;
    this.left = words.iterator();
  }

  /** Words with their places. */
  static KnownWords of(List<TextAnalysis.Word> words) {
    List<Word> known = new ArrayList<>(words.size());
    int place = -1;
    for (TextAnalysis.Word word : words) {
      known.add(new Word(new BytesRef(word.term()), word.position() - place, 1));
      place = word.position();
    }
    return new KnownWords(known, NearSimilarity.flags(1));
  }

  @Override
  public boolean incrementToken() {
    if (!left.hasNext()) {
      return false;
    }
    Word word = left.next(); // every attribute that changes is set: none has to be cleared
    term.setBytesRef(word.term);
    step.setPositionIncrement(word.step);
    frequency.setTermFrequency(word.times);
    return true;
  }

  /** The share is read after the last word, for the norm of the document. */
  @Override
  public void end() throws IOException {
    super.end(); // clears all attributes
    flags.setFlags(share);
  }

  @Override
  public void reset() {
    left = words.iterator();
  }
}
