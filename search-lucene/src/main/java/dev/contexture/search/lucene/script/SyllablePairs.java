package dev.contexture.search.lucene.script;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.lucene.analysis.TokenFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.standard.StandardTokenizer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.OffsetAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;
import org.apache.lucene.analysis.tokenattributes.TypeAttribute;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Cuts Thai, Lao, Khmer and Burmese, which have no blanks between words, into overlapping pairs of
 * letters with their marks, as it is done with Chinese. Needs no dictionary, so that names and new
 * words are found as well.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class SyllablePairs extends TokenFilter {
  /** The type of the words that are cut. */
  public static final String TYPE =
      StandardTokenizer.TOKEN_TYPES[StandardTokenizer.SOUTHEAST_ASIAN];

  private static final int FIRST_MARK = 0x300;

  private final CharTermAttribute term = addAttribute(CharTermAttribute.class);
  private final OffsetAttribute offset = addAttribute(OffsetAttribute.class);
  private final PositionIncrementAttribute step = addAttribute(PositionIncrementAttribute.class);
  private final TypeAttribute type = addAttribute(TypeAttribute.class);
  private final boolean singles;
  private final Deque<Piece> pieces = new ArrayDeque<>();
  private @Nullable State run;

  /** A part of a run of letters, at the next place or, with step 0, at that of the one before. */
  private record Piece(int from, int to, int step) {}

  /**
   * @param singles whether a letter with marks, which may be a word, is there by itself too
   */
  public SyllablePairs(TokenStream words, boolean singles) {
    super(words);
    this.singles = singles;
  }

  @Override
  public boolean incrementToken() throws IOException {
    if (pieces.isEmpty()) {
      if (!input.incrementToken()) {
        return false;
      }
      if (!TYPE.equals(type.type()) || !cut(term.toString())) {
        return true;
      }
      run = captureState();
      emit(pieces.removeFirst(), step.getPositionIncrement());
      return true;
    }
    restoreState(run);
    Piece next = pieces.removeFirst();
    emit(next, next.step);
    return true;
  }

  private void emit(Piece piece, int places) {
    int start = offset.startOffset();
    boolean exact = offset.endOffset() - start == term.length();
    term.copyBuffer(term.toString().toCharArray(), piece.from, piece.to - piece.from);
    step.setPositionIncrement(places);
    if (exact) {
      offset.setOffset(start + piece.from, start + piece.to);
    }
  }

  /** Cuts letters into pieces; false: they are one letter. */
  private boolean cut(String letters) {
    List<Integer> starts = starts(letters);
    for (int i = 0; i + 2 < starts.size(); i++) {
      int from = starts.get(i);
      pieces.add(new Piece(from, starts.get(i + 2), 1));
      if (singles) {
        addSingle(from, starts.get(i + 1), 0);
      }
    }
    if (singles && !pieces.isEmpty()) {
      addSingle(starts.get(starts.size() - 2), letters.length(), 1);
    }
    return !pieces.isEmpty();
  }

  private void addSingle(int from, int to, int places) {
    if (to - from > 1) {
      pieces.add(new Piece(from, to, places));
    }
  }

  /** Where letters begin, and the end. */
  private static List<Integer> starts(String text) {
    List<Integer> starts = new ArrayList<>();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (i == 0 || !(isMark(c) || Character.isLowSurrogate(c))) {
        starts.add(i);
      }
    }
    starts.add(text.length());
    return starts;
  }

  /** Whether a character belongs to the letter before it. */
  public static boolean isMark(char c) {
    if (c < FIRST_MARK) {
      return false;
    }
    int type = Character.getType(c);
    return type == Character.NON_SPACING_MARK
        || type == Character.COMBINING_SPACING_MARK
        || type == Character.ENCLOSING_MARK;
  }

  @Override
  public void reset() throws IOException {
    super.reset();
    pieces.clear();
    run = null;
  }
}
