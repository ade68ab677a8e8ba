package dev.contexture.search.lucene.script;

import java.io.IOException;
import java.lang.Character.UnicodeScript;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.lucene.analysis.TokenFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.ar.ArabicNormalizationFilter;
import org.apache.lucene.analysis.ar.ArabicStemFilter;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apiguardian.api.API;
import org.tartarus.snowball.SnowballStemmer;
import org.tartarus.snowball.ext.ArmenianStemmer;
import org.tartarus.snowball.ext.GreekStemmer;
import org.tartarus.snowball.ext.HindiStemmer;
import org.tartarus.snowball.ext.RussianStemmer;
import org.tartarus.snowball.ext.TamilStemmer;

/**
 * Cuts off endings and particles of words whose script tells how: Cyrillic by the rules of Russian,
 * Greek, Devanagari by those of Hindi, Tamil, Armenian; Arabic words lose their particles too.
 * Words in Latin letters pass as they are.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ScriptStems extends TokenFilter {
  /** Longer words are no words; they pass as they are. */
  public static final int MAX_CHARS = 64;

  private static final int FIRST = 0x370; // what comes before is Latin
  private static final Map<UnicodeScript, Supplier<SnowballStemmer>> SCRIPTS =
      Map.of(
          UnicodeScript.CYRILLIC, RussianStemmer::new,
          UnicodeScript.GREEK, GreekStemmer::new,
          UnicodeScript.DEVANAGARI, HindiStemmer::new,
          UnicodeScript.TAMIL, TamilStemmer::new,
          UnicodeScript.ARMENIAN, ArmenianStemmer::new);

  private final CharTermAttribute term = addAttribute(CharTermAttribute.class);
  private final Map<UnicodeScript, SnowballStemmer> stemmers = new EnumMap<>(UnicodeScript.class);

  public ScriptStems(TokenStream words) {
    super(new ArabicStemFilter(new ArabicNormalizationFilter(words)));
  }

  @Override
  public boolean incrementToken() throws IOException {
    if (!input.incrementToken()) {
      return false;
    }
    if (term.length() > 0 && term.length() <= MAX_CHARS && term.charAt(0) >= FIRST) {
      stem(UnicodeScript.of(term.charAt(0)));
    }
    return true;
  }

  private void stem(UnicodeScript script) {
    Supplier<SnowballStemmer> known = SCRIPTS.get(script);
    if (known == null) {
      return;
    }
    for (int i = 0; i < term.length(); i++) {
      if (term.charAt(i) == 'ё') { // which most Russian texts write without its dots
        term.buffer()[i] = 'е';
      }
    }
    replace(term, stemmers.computeIfAbsent(script, first -> known.get()));
  }

  /** Puts the stem in the place of a word, unless nothing would be left. */
  public static void replace(CharTermAttribute term, SnowballStemmer stemmer) {
    stemmer.setCurrent(Arrays.copyOf(term.buffer(), term.length()), term.length());
    boolean unused = stemmer.stem();
    int length = stemmer.getCurrentBufferLength();
    if (length > 0) {
      term.copyBuffer(stemmer.getCurrentBuffer(), 0, length);
    }
  }
}
