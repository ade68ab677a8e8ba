package dev.contexture.search.lucene;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;
import java.util.function.Function;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.standard.StandardTokenizer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.OffsetAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;
import org.apache.lucene.analysis.tokenattributes.TypeAttribute;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the index forms of each word from text to text. To split a text is cheap, to take every
 * word through all filters is not, and most words come again. Thread-safe.
 *
 * <p>It holds where the filters look at one word at a time. A text with others, which become pairs
 * of letters, or with a very long word, is analysed as a whole.
 */
final class WordForms {
  private static final int MAX_WORDS = 8_192; // then it starts again from nothing
  private static final int MAX_CHARS = 40;
  private static final Set<String> ALONE =
      Set.of(
          StandardTokenizer.TOKEN_TYPES[StandardTokenizer.ALPHANUM],
          StandardTokenizer.TOKEN_TYPES[StandardTokenizer.NUM]);

  /** Splits a text and does nothing else. */
  private static final Analyzer SPLITTER =
      new Analyzer() {
        @Override
        protected TokenStreamComponents createComponents(String field) {
          return new TokenStreamComponents(new StandardTokenizer());
        }
      };

  private final Function<String, WordList> analysis;
  private final Map<String, WordList> known = new ConcurrentHashMap<>();

  /**
   * @param analysis all words of a text
   */
  WordForms(Function<String, WordList> analysis) {
    this.analysis = analysis;
  }

  /**
   * Words, and how many places they take.
   *
   * @param places also those of words at the end that were left out
   */
  record WordList(List<TextAnalysis.Word> words, int places) {}

  /** The words of a text, the same as its analysis gives. */
  List<TextAnalysis.Word> words(String text) {
    List<TextAnalysis.Word> split = split(text);
    if (split == null) {
      return analysis.apply(text).words();
    }
    List<TextAnalysis.Word> words = new ArrayList<>(split.size() + 8);
    int place = 0;
    for (TextAnalysis.Word one : split) {
      WordList forms = forms(one.term());
      if (forms == null) {
        return analysis.apply(text).words();
      }
      for (TextAnalysis.Word form : forms.words()) {
        words.add(
            new TextAnalysis.Word(
                form.term(),
                place + form.position(),
                one.start() + form.start(),
                one.start() + form.end()));
      }
      place += forms.places();
    }
    return words;
  }

  /** The pieces of a text; null: not all of them stand alone. */
  private static @Nullable List<TextAnalysis.Word> split(String text) {
    WordStream pieces = new WordStream(SPLITTER.tokenStream("", text));
    List<TextAnalysis.Word> split = new ArrayList<>(text.length() / 5 + 1);
    boolean alone =
        pieces.forEach(
            (word, type) -> {
              split.add(word);
              return ALONE.contains(type) && word.term().length() <= MAX_CHARS;
            });
    return alone ? split : null;
  }

  /** What one word becomes; null: by itself it is not one word. */
  private @Nullable WordList forms(String word) {
    WordList forms = known.get(word);
    if (forms == null) {
      List<TextAnalysis.Word> split = split(word);
      if (split == null || split.size() != 1 || !split.getFirst().term().equals(word)) {
        return null;
      }
      forms = analysis.apply(word);
      if (known.size() >= MAX_WORDS) {
        known.clear();
      }
      known.put(word, forms);
    }
    return forms;
  }

  /** Reads a stream of words to its end, once. Confined to one thread. */
  static final class WordStream {
    private final TokenStream stream;
    private final CharTermAttribute term;
    private final OffsetAttribute offset;
    private final PositionIncrementAttribute step;
    private final TypeAttribute type;
    private int places;

    WordStream(TokenStream stream) {
      this.stream = stream;
      this.term = stream.addAttribute(CharTermAttribute.class);
      this.offset = stream.addAttribute(OffsetAttribute.class);
      this.step = stream.addAttribute(PositionIncrementAttribute.class);
      this.type = stream.addAttribute(TypeAttribute.class);
    }

    /**
     * Tells each word with its type.
     *
     * @param taken false: no more are wanted
     * @return whether all were
     */
    boolean forEach(BiPredicate<TextAnalysis.Word, String> taken) {
      try (TokenStream closed = stream) {
        int position = -1;
        closed.reset();
        while (closed.incrementToken()) {
          position += step.getPositionIncrement();
          TextAnalysis.Word word =
              new TextAnalysis.Word(
                  term.toString(), position, offset.startOffset(), offset.endOffset());
          if (!taken.test(word, type.type())) {
            return false;
          }
        }
        closed.end();
        places = position + 1 + step.getPositionIncrement();
        return true;
      } catch (IOException impossible) {
        throw new UncheckedIOException(impossible);
      }
    }

    /** How many places there were, also those of words at the end that were left out. */
    int places() {
      return places;
    }
  }
}
