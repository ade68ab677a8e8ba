package dev.contexture.search.lucene;

import dev.contexture.search.lucene.script.ScriptStems;
import java.io.IOException;
import org.apache.lucene.analysis.TokenFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.KeywordAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;
import org.jspecify.annotations.Nullable;
import org.tartarus.snowball.SnowballStemmer;

/**
 * Adds to each word its stem in a {@link Language}, at the same place. A stem names its language
 * ({@code haus|de}), so that texts of other languages are not found by it. The word itself is
 * treated as English later, as in a query whose language nobody can tell.
 *
 * <p>Rules may cut more from a singular than from its plural (Dutch {@code fiets}, {@code
 * fietsen}), so that a query has the whole word beside its stem.
 */
final class LanguageStems extends TokenFilter {
  private static final char MARK = '|'; // no word has it
  private static final int LATIN_END = 0x250;

  private final CharTermAttribute term = addAttribute(CharTermAttribute.class);
  private final KeywordAttribute keyword = addAttribute(KeywordAttribute.class);
  private final PositionIncrementAttribute step = addAttribute(PositionIncrementAttribute.class);
  private final SnowballStemmer stemmer;
  private final String mark;
  private final boolean wholes;
  private @Nullable State word;
  private @Nullable State whole;

  /**
   * @param wholes whether the whole word is added too, as a stem of itself
   */
  LanguageStems(TokenStream words, Language language, boolean wholes) {
    super(words);
    this.wholes = wholes;
    this.stemmer = language.stemmer();
    this.mark = mark(language);
  }

  private static String mark(Language language) {
    return MARK + language.code();
  }

  /** The stem that a term is in a language, without its mark; null: it is none. */
  static @Nullable String stem(String term, Language language) {
    String mark = mark(language);
    return term.endsWith(mark) ? term.substring(0, term.length() - mark.length()) : null;
  }

  @Override
  public boolean incrementToken() throws IOException {
    if (word != null) {
      restoreState(word);
      whole = wholes ? word : null;
      word = null;
      ScriptStems.replace(term, stemmer);
      mark();
      return true;
    }
    if (whole != null) {
      restoreState(whole);
      whole = null;
      mark();
      return true;
    }
    if (!input.incrementToken()) {
      return false;
    }
    word = isLatin() && term.length() <= ScriptStems.MAX_CHARS ? captureState() : null;
    return true;
  }

  private void mark() {
    term.append(mark);
    step.setPositionIncrement(0);
    keyword.setKeyword(true);
  }

  private boolean isLatin() {
    return term.length() > 0 && term.charAt(0) < LATIN_END && Character.isLetter(term.charAt(0));
  }

  @Override
  public void reset() throws IOException {
    super.reset();
    word = null;
    whole = null;
  }
}
