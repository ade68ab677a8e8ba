package dev.contexture.search.lucene;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.search.QueryText;
import dev.contexture.search.SearchIndex.KeywordQuery;
import dev.contexture.search.SearchIndex.TextMatch;
import dev.contexture.seeds.TestSeed;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is left out of a text before it is analysed never matches. */
class CandidateWordsTest {
  private static final List<String> WORDS =
      List.of(
          "running",
          "runs",
          "Relational",
          "relate",
          "possibilities",
          "possible",
          "happy",
          "happiness",
          "any",
          "ay",
          "ties",
          "tie",
          "filing",
          "file",
          "oxidization",
          "oxidize",
          "getOrder",
          "get_order",
          "user's",
          "HTTPServer",
          "x-ray",
          "e.g.",
          "don't",
          "K9",
          "day",
          "Häuser",
          "Haus",
          "Kundenservice",
          "Vertragskündigung",
          "membaca",
          "menulis",
          "tulis",
          "fietsen",
          "fiets",
          "bicicletas",
          "bicicleta",
          "intelligence",
          "intelligent",
          "maisons",
          "evler",
          "evlerden",
          "talossa",
          "talo",
          "házak",
          "cyklar",
          "1,000",
          "東京",
          "город");

  @Test
  void leavesOutWhatCannotMatchAndNothingMoves() {
    CandidateWords words = CandidateWords.ofTerms(Set.of("order"));
    assertThat(words.in("the getOrder call, unlike others,\tORDERS it"))
        .isEqualTo("    getOrder                     \tORDERS   ");
    assertThat(words.in("Straße order")).isEqualTo("Straße order");
  }

  @ParameterizedTest
  @EnumSource(Language.class)
  void findsInALanguageWhatTheWholeTextHas(Language language) {
    Random random = TestSeed.random(language.code().hashCode());
    for (int i = 0; i < 300; i++) {
      String query = words(random, 3);
      String text = words(random, 8);
      OtherForms forms = OtherForms.in(EnumSet.of(language), QueryText.parse(query).words());
      String left = CandidateWords.ofForms(forms, language).in(text);
      assertThat(Excerpts.of(forms::match, text, Excerpts.words(left, language)))
          .as(query + " in " + text)
          .isEqualTo(Excerpts.of(forms::match, text, language));
    }
  }

  @Test
  void findsInEnglishWhatTheWholeTextHas() {
    Random random = TestSeed.random(99);
    for (int i = 0; i < 2_000; i++) {
      KeywordQuery query = new KeywordQuery(words(random, 3), false);
      String text = words(random, 8);
      Set<String> terms = Queries.terms(query);
      String left = CandidateWords.ofTerms(terms).in(text);
      TextMatch whole = Excerpts.of(terms::contains, text, Excerpts.words(text, null));
      assertThat(Excerpts.of(terms::contains, text, Excerpts.words(left, null)))
          .as(query.text() + " in " + text)
          .isEqualTo(whole);
    }
  }

  private static String words(Random random, int count) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      text.append(WORDS.get(random.nextInt(WORDS.size()))).append(i % 3 == 2 ? ", " : " ");
    }
    return text.toString();
  }
}
