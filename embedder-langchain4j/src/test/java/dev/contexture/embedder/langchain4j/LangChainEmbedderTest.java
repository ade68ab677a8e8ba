package dev.contexture.embedder.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.search.Embedder;
import dev.contexture.search.EmbedderException;
import dev.langchain4j.data.embedding.Embedding;
import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.exception.AuthenticationException;
import dev.langchain4j.exception.RateLimitException;
import dev.langchain4j.model.embedding.EmbeddingModel;
import dev.langchain4j.model.output.Response;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A model of LangChain4j as an embedder (M-85). */
class LangChainEmbedderTest {
  /** Counts letters: a and b. */
  private static final EmbeddingModel LETTERS =
      new EmbeddingModel() {
        @Override
        public Response<List<Embedding>> embedAll(List<TextSegment> segments) {
          return Response.from(segments.stream().map(part -> counted(part.text())).toList());
        }

        @Override
        public int dimension() {
          return 2;
        }
      };

  private static Embedding counted(String text) {
    float a = text.chars().filter(letter -> letter == 'a').count();
    float b = text.chars().filter(letter -> letter == 'b').count();
    return Embedding.from(new float[] {a, b});
  }

  @Test
  void givesTheVectorsOfTheModelInOrder() {
    Embedder embedder = LangChainEmbedder.of("letters", LETTERS);
    List<float[]> vectors = embedder.embed(List.of("aab", "b"), Embedder.Purpose.DOCUMENT);
    assertThat(vectors).containsExactly(new float[] {2, 1}, new float[] {0, 1});
    assertThat(embedder.dimensions()).isEqualTo(2);
    assertThat(embedder.modelId()).isEqualTo("letters");
  }

  @Test
  void putsBeforeATextWhatItsModelWants() {
    Embedder embedder = LangChainEmbedder.of("letters", LETTERS).withPrefixes("aaa", "bb");
    assertThat(embedder.embed(List.of("b"), Embedder.Purpose.QUERY))
        .containsExactly(new float[] {3, 1});
    assertThat(embedder.embed(List.of("b"), Embedder.Purpose.DOCUMENT))
        .containsExactly(new float[] {0, 3});
  }

  @Test
  void saysWhetherTryingAgainMayHelp() {
    assertThatThrownBy(() -> failing(new RateLimitException("slow down")))
        .isInstanceOfSatisfying(
            EmbedderException.class,
            failed -> assertThat(failed.kind()).isEqualTo(EmbedderException.Kind.TRANSIENT));
    assertThatThrownBy(() -> failing(new AuthenticationException("who are you")))
        .isInstanceOfSatisfying(
            EmbedderException.class,
            failed -> assertThat(failed.kind()).isEqualTo(EmbedderException.Kind.PERMANENT));
  }

  private static void failing(RuntimeException failure) {
    EmbeddingModel model =
        new EmbeddingModel() {
          @Override
          public Response<List<Embedding>> embedAll(List<TextSegment> segments) {
            throw failure;
          }

          @Override
          public int dimension() {
            return 2;
          }
        };
    LangChainEmbedder.of("failing", model).embed(List.of("a"), Embedder.Purpose.QUERY);
  }
}
