package dev.contexture.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What a search is made of: options, fusion, query texts, passages, checked vectors. */
class SearchValuesTest {
  /** M-80, checklist 61. */
  @Nested
  class Fusion {
    @Test
    void hasTheNumbersAndTheOrderOfTheExample() {
      List<RankFusion.Fused> fused =
          RankFusion.fuse(List.of("A", "B", "C", "E"), List.of("B", "D", "A", "F"));
      assertThat(fused)
          .extracting(RankFusion.Fused::id)
          .containsExactly("B", "A", "D", "C", "E", "F");
      double[] scores = {0.032522, 0.032266, 0.016129, 0.015873, 0.015625, 0.015625};
      for (int i = 0; i < scores.length; i++) {
        assertThat(fused.get(i).score()).isCloseTo(scores[i], within(5e-7));
      }
      assertThat(fused.getFirst())
          .isEqualTo(
              new RankFusion.Fused("B", new MatchParts.Shares(1 / 62.0, 1 / 61.0, 0.5), 2, 1));
    }

    @Test
    void looksDeepEnough() {
      assertThat(RankFusion.depth(1)).isEqualTo(50);
      assertThat(RankFusion.depth(10)).isEqualTo(50);
      assertThat(RankFusion.depth(100)).isEqualTo(400);
    }
  }

  /** M-78. */
  @Nested
  class Texts {
    @Test
    void takesABalancedPairAsAPhrase() {
      assertThat(QueryText.parse("find \"new york\" hotels"))
          .isEqualTo(new QueryText("find   hotels", List.of("new york")));
      assertThat(QueryText.parse("“new york”").phrases()).containsExactly("new york");
    }

    @Test
    void takesAnythingElseAsWords() {
      assertThat(QueryText.parse("\"x")).isEqualTo(new QueryText(" x", List.of()));
      assertThat(QueryText.parse("a \"b\" \"c").phrases()).containsExactly("b");
      assertThat(QueryText.parse("\"\" \" \"").phrases()).isEmpty();
      assertThat(QueryText.parse("").words()).isEmpty();
    }

    @Test
    void takesQuotationMarksInProseAsProse() {
      String prose = "word ".repeat(QueryText.MAX_WORDS) + "he said \"never again\"";
      assertThat(QueryText.parse(prose).phrases()).isEmpty();
      assertThat(QueryText.parse(prose).words()).contains("never again").doesNotContain("\"");
    }
  }

  /** M-74, M-3. */
  @Nested
  class Options {
    @Test
    void refuseWhatIsOutOfRange() {
      assertThatThrownBy(() -> SearchOptions.builder().limit(0).build())
          .isInstanceOfSatisfying(
              ContextureException.class,
              refused -> assertThat(refused.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT));
      assertThatThrownBy(() -> SearchOptions.builder().limit(1_001).build())
          .isInstanceOfSatisfying(
              ContextureException.class,
              refused -> assertThat(refused.code()).isEqualTo(ErrorCode.LIMIT_EXCEEDED));
      assertThatThrownBy(() -> SearchOptions.builder().minSimilarity(Double.NaN).build())
          .isInstanceOf(ContextureException.class);
      SearchOptions.checkQuery("😀".repeat(10_000));
      assertThatThrownBy(() -> SearchOptions.checkQuery("x".repeat(10_001)))
          .hasMessageContaining("10001");
    }

    @Test
    void anEmptyListOfTypesMeansAll() {
      assertThat(SearchOptions.builder().contentTypes(Set.of()).build().contentTypes())
          .containsExactlyInAnyOrder(SearchContentType.values());
    }
  }

  /** M-79: long texts in chunks. */
  @Nested
  class Cut {
    @Test
    void aShortTextIsOnePassage() {
      assertThat(Passages.of("one two three")).containsExactly("one two three");
      assertThat(Passages.of("")).containsExactly("");
    }

    @Test
    void aLongTextOverlapsAndRepeatsItsTitle() {
      StringBuilder text = new StringBuilder("The title\n");
      for (int i = 0; i < 400; i++) {
        text.append("w").append(i).append(' ');
      }
      List<String> passages = Passages.of(text.toString());
      assertThat(passages).hasSizeGreaterThan(2);
      assertThat(passages).allSatisfy(part -> assertThat(part).startsWith("The title"));
      for (int i = 0; i < 400; i++) {
        String word = "w" + i;
        assertThat(passages).anySatisfy(part -> assertThat(part.split("\\s+")).contains(word));
      }
    }

    @Test
    void aTextWithoutBlanksIsCutToo() {
      assertThat(Passages.of("漢字".repeat(20_000))).hasSizeGreaterThan(2);
    }
  }

  /** M-85, part of checklist 66. */
  @Nested
  class Checked {
    private final List<Duration> pauses = new ArrayList<>();

    private CheckedEmbedder checked(List<float[]> answer) {
      return new CheckedEmbedder(embedder(answer, null), pauses::add);
    }

    private Embedder embedder(List<float[]> answer, @Nullable EmbedderException failure) {
      return new Embedder() {
        @Override
        public String modelId() {
          return "m";
        }

        @Override
        public int dimensions() {
          return 2;
        }

        @Override
        public List<float[]> embed(List<String> texts, Purpose purpose) {
          if (failure != null) {
            throw failure;
          }
          return answer;
        }
      };
    }

    @Test
    void bringsVectorsToLengthOne() {
      assertThat(checked(List.of(new float[] {3, 4})).query("x")).containsExactly(0.6f, 0.8f);
    }

    @Test
    void refusesWrongCountDimensionAndNumbers() {
      for (List<float[]> bad :
          List.of(
              List.<float[]>of(),
              List.of(new float[] {1, 2, 3}),
              List.of(new float[] {1, Float.NaN}),
              List.of(new float[] {0, 0}))) {
        assertThatThrownBy(() -> checked(bad).query("x"))
            .isInstanceOfSatisfying(
                EmbedderException.class,
                failed -> assertThat(failed.kind()).isEqualTo(EmbedderException.Kind.PERMANENT));
      }
    }

    @Test
    void triesSixTimesWithGrowingPauses() {
      EmbedderException busy = EmbedderException.passing("busy", null, null);
      CheckedEmbedder embedder = new CheckedEmbedder(embedder(List.of(), busy), pauses::add);
      assertThatThrownBy(() -> embedder.documents(List.of("x"))).isSameAs(busy);
      assertThat(pauses).extracting(Duration::toSeconds).containsExactly(1L, 2L, 4L, 8L, 16L);
      pauses.clear();
      assertThatThrownBy(() -> embedder.query("x")).isSameAs(busy);
      assertThat(pauses).isEmpty();
    }
  }
}
