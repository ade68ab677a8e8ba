package dev.contexture.search.lucene;

import dev.contexture.search.lucene.script.ScriptStems;
import dev.contexture.search.lucene.script.SyllablePairs;
import java.io.IOException;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
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
import org.apache.lucene.analysis.tokenattributes.TypeAttribute;
import org.jspecify.annotations.Nullable;

/**
 * Splits text into words: by the rules of Unicode, names such as {@code getUserName} and {@code
 * src/Main.java} also into their parts, folded in case and accents, English endings cut off,
 * Chinese, Japanese, Korean, Thai, Lao, Khmer and Burmese as overlapping pairs. Words of other
 * scripts get the stem of {@link ScriptStems}, those of a text in a {@link Language} its stem
 * beside the English one. Words that say nothing are left out of what stands around an entry and
 * out of queries, but not of the entry itself, so that phrases are found as they stand.
 */
final class TextAnalysis extends Analyzer {
  private static final int MAX_TERM_CHARS = 255;
  private static final int PARTS =
      WordDelimiterGraphFilter.GENERATE_WORD_PARTS
          | WordDelimiterGraphFilter.GENERATE_NUMBER_PARTS
          | WordDelimiterGraphFilter.SPLIT_ON_CASE_CHANGE
          | WordDelimiterGraphFilter.PRESERVE_ORIGINAL;

  static final CharArraySet STOP_WORDS =
      CharArraySet.unmodifiableSet(
          new CharArraySet(List.of(Language.ENGLISH_WORDS.split(" ")), true));

  static final TextAnalysis INDEX = new TextAnalysis(true, null);

  static final TextAnalysis QUERY = new TextAnalysis(false, null);

  private static final Map<Language, TextAnalysis> INDEX_BY_LANGUAGE = byLanguage(true);
  private static final Map<Language, TextAnalysis> QUERY_BY_LANGUAGE = byLanguage(false);

  private final boolean index;
  private final @Nullable Language language;
  private final WordForms all = new WordForms(text -> analysed(IndexFields.OWN, text));
  private final WordForms telling = new WordForms(text -> analysed(IndexFields.NEAR, text));

  private TextAnalysis(boolean index, @Nullable Language language) {
    super(PER_FIELD_REUSE_STRATEGY);
    this.index = index;
    this.language = language;
  }

  private static Map<Language, TextAnalysis> byLanguage(boolean index) {
    Map<Language, TextAnalysis> analyses = new EnumMap<>(Language.class);
    for (Language language : Language.values()) {
      analyses.put(language, new TextAnalysis(index, language));
    }
    return analyses;
  }

  /** How a text of a language is analysed; null: as English. */
  TextAnalysis in(@Nullable Language other) {
    Map<Language, TextAnalysis> known = index ? INDEX_BY_LANGUAGE : QUERY_BY_LANGUAGE;
    return other == null ? this : known.getOrDefault(other, this);
  }

  @Override
  protected TokenStreamComponents createComponents(String field) {
    Tokenizer source = new StandardTokenizer();
    TokenStream words = new SyllablePairs(new VisibleCharacters(source), index);
    words = new EnglishPossessiveFilter(words);
    words = new NameParts(words);
    words = new LowerCaseFilter(new CJKWidthFilter(words));
    words = new CJKBigramFilter(words, ALL_CJK, index);
    words = new ASCIIFoldingFilter(words);
    if (field.equals(IndexFields.NEAR)) {
      words = new StopFilter(words, STOP_WORDS);
    }
    words = new LengthFilter(new ScriptStems(words), 1, MAX_TERM_CHARS);
    if (language != null) {
      words = new LanguageStems(words, language, !index);
    }
    return new TokenStreamComponents(source, new OrderedOffsets(new PorterStemFilter(words)));
  }

  /**
   * Leaves characters out of words that nobody sees, such as joiners, direction marks and soft
   * hyphens, and the points of Hebrew and Arabic; letters with accents become one character. With
   * and without them a word is the same.
   */
  private static final class VisibleCharacters extends TokenFilter {
    private static final Pattern ACCENTS =
        Pattern.compile("[\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u064b-\u065f\u0670]+");

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
      boolean marks = false;
      for (int i = 0; i < term.length(); i++) {
        if (Character.getType(chars[i]) != Character.FORMAT) {
          marks |= SyllablePairs.isMark(chars[i]);
          chars[kept++] = chars[i];
        }
      }
      if (kept > 0) { // else it stays as it is: a word has at least one character
        term.setLength(kept);
      }
      if (marks) {
        compose();
      }
      return true;
    }

    private void compose() {
      String composed = Normalizer.normalize(term, Normalizer.Form.NFC);
      String plain = ACCENTS.matcher(composed).replaceAll("");
      term.setEmpty().append(plain.isEmpty() ? composed : plain);
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
        if (SyllablePairs.isMark(c)) {
          continue;
        }
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
          StandardTokenizer.TOKEN_TYPES[StandardTokenizer.HANGUL],
          SyllablePairs.TYPE);

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

  /** The words of a text as its filters give them, with nothing remembered. */
  List<Word> words(String field, String text) {
    return analysed(field, text).words();
  }

  /** All words of a text. */
  List<Word> words(String text) {
    return all.words(text);
  }

  /** The words of a text that say something. */
  List<Word> tellingWords(String text) {
    return telling.words(text);
  }

  private WordForms.WordList analysed(String field, String text) {
    List<Word> words = new ArrayList<>();
    WordForms.WordStream stream = new WordForms.WordStream(tokenStream(field, text));
    boolean unused = stream.forEach((word, type) -> words.add(word));
    return new WordForms.WordList(List.copyOf(words), stream.places());
  }
}
