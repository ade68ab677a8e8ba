package dev.contexture.search.lucene;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.LowerCaseFilter;
import org.apache.lucene.analysis.StopFilter;
import org.apache.lucene.analysis.TokenFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.cjk.CJKBigramFilter;
import org.apache.lucene.analysis.cjk.CJKWidthFilter;
import org.apache.lucene.analysis.core.FlattenGraphFilter;
import org.apache.lucene.analysis.en.EnglishPossessiveFilter;
import org.apache.lucene.analysis.en.PorterStemFilter;
import org.apache.lucene.analysis.miscellaneous.ASCIIFoldingFilter;
import org.apache.lucene.analysis.miscellaneous.ConditionalTokenFilter;
import org.apache.lucene.analysis.miscellaneous.LengthFilter;
import org.apache.lucene.analysis.miscellaneous.WordDelimiterGraphFilter;
import org.apache.lucene.analysis.standard.StandardTokenizer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.OffsetAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;
import org.apache.lucene.analysis.tokenattributes.TypeAttribute;

/**
 * How text becomes words: split by the rules of Unicode, names such as {@code getUserName} and
 * {@code src/Main.java} also into their parts, folded in case and accents, English endings cut off,
 * Chinese, Japanese and Korean as overlapping pairs. Words that say nothing are left out of what
 * stands around an entry and out of queries, but not of the entry itself, so that phrases are found
 * as they stand.
 */
final class TextAnalysis extends Analyzer {
  private static final int MAX_TERM_CHARS = 255;
  private static final int PARTS =
      WordDelimiterGraphFilter.GENERATE_WORD_PARTS
          | WordDelimiterGraphFilter.GENERATE_NUMBER_PARTS
          | WordDelimiterGraphFilter.SPLIT_ON_CASE_CHANGE
          | WordDelimiterGraphFilter.PRESERVE_ORIGINAL;

  /** The name of a field whose single characters of Chinese, Japanese and Korean are kept too. */
  static final TextAnalysis INDEX = new TextAnalysis(true);

  static final TextAnalysis QUERY = new TextAnalysis(false);

  static final CharArraySet STOP_WORDS =
      CharArraySet.unmodifiableSet(
          new CharArraySet(
              List.of(
                  ("a an and are as at be but by for if in into is it no not of on or such that the"
                          + " their then there these they this to was will with i me my we our you"
                          + " your he him his she her its them what which who whom when where why"
                          + " how am were been being have has had having do does did doing would"
                          + " should could can might must shall from up down out over under"
                          + " again further once here all any both each few more most other some"
                          + " only own same so than too very s t just don now about d ll m re ve")
                      .split(" ")),
              true));

  private final boolean index;

  private TextAnalysis(boolean index) {
    super(PER_FIELD_REUSE_STRATEGY);
    this.index = index;
  }

  @Override
  protected TokenStreamComponents createComponents(String field) {
    Tokenizer source = new StandardTokenizer();
    TokenStream words = new EnglishPossessiveFilter(new VisibleCharacters(source));
    words = new NameParts(words);
    words = new LowerCaseFilter(new CJKWidthFilter(words));
    words = new CJKBigramFilter(words, ALL_CJK, index);
    words = new ASCIIFoldingFilter(words);
    if (field.equals(IndexFields.NEAR)) {
      words = new StopFilter(words, STOP_WORDS);
    }
    words = new PorterStemFilter(new LengthFilter(words, 1, MAX_TERM_CHARS));
    return new TokenStreamComponents(source, new OrderedOffsets(words));
  }

  /**
   * Leaves characters out of words that nobody sees, such as joiners, direction marks and soft
   * hyphens: with and without them a word is the same.
   */
  private static final class VisibleCharacters extends TokenFilter {
    private final CharTermAttribute term = addAttribute(CharTermAttribute.class);

    VisibleCharacters(TokenStream words) {
      super(words);
    }

    @Override
    public boolean incrementToken() throws IOException {
      if (!input.incrementToken()) {
        return false;
      }
      char[] chars = term.buffer();
      int kept = 0;
      for (int i = 0; i < term.length(); i++) {
        if (Character.getType(chars[i]) != Character.FORMAT) {
          chars[kept++] = chars[i];
        }
      }
      if (kept > 0) { // else it stays as it is: a word has at least one character
        term.setLength(kept);
      }
      return true;
    }
  }

  /** Lets no word begin before the one before it, which an index would refuse. */
  private static final class OrderedOffsets extends TokenFilter {
    private final OffsetAttribute offset = addAttribute(OffsetAttribute.class);
    private int last;

    OrderedOffsets(TokenStream words) {
      super(words);
    }

    @Override
    public boolean incrementToken() throws IOException {
      if (!input.incrementToken()) {
        return false;
      }
      int start = Math.max(last, offset.startOffset());
      offset.setOffset(start, Math.max(start, offset.endOffset()));
      last = start;
      return true;
    }

    @Override
    public void reset() throws IOException {
      super.reset();
      last = 0;
    }
  }

  /**
   * Splits names into their parts; most words are none, and asking first is much faster. Chinese,
   * Japanese and Korean have no such names, and their pairs need whole words.
   */
  private static final class NameParts extends ConditionalTokenFilter {
    private final CharTermAttribute term = addAttribute(CharTermAttribute.class);
    private final TypeAttribute type = addAttribute(TypeAttribute.class);

    NameParts(TokenStream words) {
      super(words, name -> new FlattenGraphFilter(new WordDelimiterGraphFilter(name, PARTS, null)));
    }

    @Override
    protected boolean shouldFilter() {
      boolean afterLower = false;
      if (PAIRED_TYPES.contains(type.type())) {
        return false;
      }
      for (int i = 0; i < term.length(); i++) {
        char c = term.charAt(i);
        if (!Character.isLetterOrDigit(c) || (afterLower && Character.isUpperCase(c))) {
          return true;
        }
        afterLower = Character.isLowerCase(c);
      }
      return false;
    }
  }

  private static final Set<String> PAIRED_TYPES =
      Set.of(
          StandardTokenizer.TOKEN_TYPES[StandardTokenizer.IDEOGRAPHIC],
          StandardTokenizer.TOKEN_TYPES[StandardTokenizer.HIRAGANA],
          StandardTokenizer.TOKEN_TYPES[StandardTokenizer.KATAKANA],
          StandardTokenizer.TOKEN_TYPES[StandardTokenizer.HANGUL]);

  private static final int ALL_CJK =
      CJKBigramFilter.HAN
          | CJKBigramFilter.HIRAGANA
          | CJKBigramFilter.KATAKANA
          | CJKBigramFilter.HANGUL;

  @Override
  protected TokenStream normalize(String field, TokenStream in) {
    return new ASCIIFoldingFilter(new LowerCaseFilter(in));
  }

  /**
   * A word of a text.
   *
   * @param term as it is indexed
   * @param position of the word; several terms may share one
   */
  record Word(String term, int position, int start, int end) {}

  /** All words of a text. */
  List<Word> words(String text) {
    return words(IndexFields.OWN, text);
  }

  /** The words of a text that say something. */
  List<Word> tellingWords(String text) {
    return words(IndexFields.NEAR, text);
  }

  private List<Word> words(String field, String text) {
    List<Word> words = new ArrayList<>();
    try (TokenStream stream = tokenStream(field, text)) {
      CharTermAttribute term = stream.addAttribute(CharTermAttribute.class);
      OffsetAttribute offset = stream.addAttribute(OffsetAttribute.class);
      PositionIncrementAttribute increment = stream.addAttribute(PositionIncrementAttribute.class);
      int position = -1;
      stream.reset();
      while (stream.incrementToken()) {
        position += increment.getPositionIncrement();
        words.add(new Word(term.toString(), position, offset.startOffset(), offset.endOffset()));
      }
      stream.end();
      return words;
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }
}
