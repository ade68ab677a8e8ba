package dev.contexture.search.lucene;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.seeds.TestSeed;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;
import org.apache.lucene.analysis.tokenattributes.TermFrequencyAttribute;
import org.apache.lucene.analysis.tokenattributes.TermToBytesRefAttribute;
import org.junit.jupiter.api.Test;

/** How text becomes words (M-77). */
class TextAnalysisTest {
  private static final String[] PIECES = {
    "run",
    "Running",
    "getUserName",
    "src/Main.java",
    "it's",
    "C++",
    "foo-bar",
    "3.14",
    "1,000",
    "snake_case",
    "ABC",
    "aB",
    "Straße",
    "ПриветМир",
    "東京都",
    "한국어",
    "né",
    "x\u0301y",
    "😀",
    "user@host",
    "a.b.c",
    "the",
    "of"
  };

  private static List<String> terms(String text) {
    return TextAnalysis.INDEX.words(text).stream()
        .map(word -> word.term() + "@" + word.position())
        .toList();
  }

  @Test
  void splitsNamesAndKeepsThem() {
    assertThat(terms("getUserName runs"))
        .containsExactly("getusernam@0", "get@0", "user@1", "name@2", "run@3");
    assertThat(terms("snake_case")).containsExactly("snake_cas@0", "snake@0", "case@1");
    assertThat(terms("Plain words")).containsExactly("plain@0", "word@1");
    assertThat(terms("МойДом")).containsExactly("мойд@0", "мо@0", "дом@1");
  }

  @Test
  void marksBelongToTheirLetters() {
    assertThat(terms("Ha\u0308user x\u0302y")).containsExactly("hauser@0", "xy@1");
    assertThat(terms("किताबें")).hasSize(1);
    assertThat(terms("رِسَالَة")).isEqualTo(terms("رسالة"));
    assertThat(terms("שָׁלוֹם")).isEqualTo(terms("שלום"));
    assertThat(terms("ชอบปลา")).containsExactly("ชอ@0", "อบ@1", "บป@2", "ปล@3", "ลา@4");
    assertThat(terms("ငါးစား")).containsExactly("ငါးစား@0", "ငါး@0", "စား@1");
  }

  /** What is remembered of words is what taking the whole text through the filters gives. */
  @Test
  void wordsThatAreRememberedAreThoseOfTheFilters() {
    Random random = TestSeed.random(7);
    List<Language> languages = List.of(Language.values());
    String[] glue = {" ", "\n", ", ", ". ", "'", "-", ":", "", "_", "/", "\u200b", "\u00ad", "’s "};
    for (int round = 0; round < TestSeed.tries(2_000); round++) {
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < 10; i++) {
        text.append(PIECES[random.nextInt(PIECES.length)])
            .append(glue[random.nextInt(glue.length)]);
      }
      Language language =
          random.nextInt(3) == 0 ? languages.get(random.nextInt(languages.size())) : null;
      for (TextAnalysis analysis :
          List.of(TextAnalysis.INDEX.in(language), TextAnalysis.QUERY.in(language))) {
        assertThat(analysis.words(text.toString()))
            .as("%s in %s", text, language)
            .isEqualTo(analysis.words(IndexFields.OWN, text.toString()));
        assertThat(analysis.tellingWords(text.toString()))
            .as("%s in %s", text, language)
            .isEqualTo(analysis.words(IndexFields.NEAR, text.toString()));
      }
    }
  }

  /** What is remembered of lines is what analysing the whole text would give. */
  @Test
  void linesThatAreRememberedHaveTheWordsOfTheText() throws IOException {
    Random random = TestSeed.random(3);
    NearWords near = new NearWords();
    for (int round = 0; round < TestSeed.tries(300); round++) {
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < 12; i++) {
        text.append(PIECES[random.nextInt(PIECES.length)])
            .append(random.nextBoolean() ? '\n' : ' ');
      }
      List<String> whole = new ArrayList<>();
      int place = -1;
      for (TextAnalysis.Word word : TextAnalysis.INDEX.tellingWords(text.toString())) {
        whole.add(word.term() + (word.position() == place ? " again" : ""));
        place = word.position();
      }
      assertThat(read(near.of(text.toString(), 1)))
          .as(text.toString())
          .containsExactlyInAnyOrderElementsOf(whole);
    }
  }

  private static List<String> read(TokenStream words) throws IOException {
    TermToBytesRefAttribute term = words.getAttribute(TermToBytesRefAttribute.class);
    PositionIncrementAttribute step = words.getAttribute(PositionIncrementAttribute.class);
    TermFrequencyAttribute times = words.getAttribute(TermFrequencyAttribute.class);
    List<String> read = new ArrayList<>();
    words.reset();
    while (words.incrementToken()) {
      boolean again = step.getPositionIncrement() == 0;
      String word = term.getBytesRef().utf8ToString() + (again ? " again" : "");
      read.addAll(Collections.nCopies(times.getTermFrequency(), word));
    }
    return read;
  }
}
