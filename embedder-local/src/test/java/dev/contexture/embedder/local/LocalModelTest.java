package dev.contexture.embedder.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.error.ContextureException;
import dev.contexture.search.Embedder;
import dev.contexture.search.EmbedderException;
import dev.contexture.search.EmbedderProvider;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The models with their real weights. */
class LocalModelTest {
  private static final List<String> TEXTS =
      List.of(
          "The kitten sleeps on the sofa all afternoon.",
          "Your invoice for March is due on Friday.",
          "We changed the flight to Oslo to the morning.");

  private static double cosine(float[] a, float[] b) {
    double dot = 0;
    double left = 0;
    double right = 0;
    for (int i = 0; i < a.length; i++) {
      dot += (double) a[i] * b[i];
      left += (double) a[i] * a[i];
      right += (double) b[i] * b[i];
    }
    return dot / Math.sqrt(left * right);
  }

  private static int nearest(Embedder embedder, String query) {
    List<float[]> documents = embedder.embed(TEXTS, Embedder.Purpose.DOCUMENT);
    float[] asked = embedder.embed(List.of(query), Embedder.Purpose.QUERY).getFirst();
    int best = 0;
    for (int i = 1; i < documents.size(); i++) {
      best = cosine(asked, documents.get(i)) > cosine(asked, documents.get(best)) ? i : best;
    }
    return best;
  }

  @ParameterizedTest
  @EnumSource
  void findsByMeaning(LocalModel model) {
    Embedder embedder = model.open();
    assertThat(embedder.dimensions()).isEqualTo(384);
    assertThat(nearest(embedder, "Where is the cat?")).isZero();
    assertThat(nearest(embedder, "When do I have to pay?")).isEqualTo(1);
    assertThat(nearest(embedder, "How do I travel to Norway?")).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource
  void loadsAModelOnceHoweverOftenItIsOpened(LocalModel model) {
    OnnxModel first = model.model();
    assertThat(model.open().embed(List.of("one"), Embedder.Purpose.DOCUMENT)).hasSize(1);
    assertThat(model.model()).isSameAs(first);
  }

  @Test
  void readsAQueryWithItsInstruction() {
    Embedder embedder = LocalModel.BGE_SMALL_EN.open();
    List<String> text = List.of("Where is the cat?");
    assertThat(embedder.embed(text, Embedder.Purpose.QUERY).getFirst())
        .isNotEqualTo(embedder.embed(text, Embedder.Purpose.DOCUMENT).getFirst());
  }

  /** What a model cannot read at once is read in pieces, and any text has a vector. */
  @ParameterizedTest
  @EnumSource
  void takesAnyText(LocalModel model) {
    Embedder embedder = model.open();
    List<String> odd =
        List.of("word ".repeat(2_000), "x".repeat(20_000), "\ud83d\ude00", "猫はどこ", "a\u0000b");
    assertThat(embedder.embed(odd, Embedder.Purpose.DOCUMENT))
        .hasSize(odd.size())
        .allSatisfy(vector -> assertThat(cosine(vector, vector)).isBetween(0.99, 1.01));
  }

  /** The end of a passage with what stands before it counts, too. */
  @ParameterizedTest
  @EnumSource
  void readsTheEndOfAPassage(LocalModel model) {
    Embedder embedder = model.open();
    String long300 = "We talked about the weather and the garden for a while. ".repeat(27);
    List<String> ends = TEXTS.stream().map(text -> long300 + text).toList();
    List<float[]> vectors = embedder.embed(ends, Embedder.Purpose.DOCUMENT);
    assertThat(cosine(vectors.get(0), vectors.get(1))).isLessThan(0.999);
    assertThat(cosine(vectors.get(1), vectors.get(2))).isLessThan(0.999);
  }

  /** The rest goes on: such an entry is left out, and its reason is told. */
  @Test
  void refusesATextOfNoSigns() {
    Embedder embedder = LocalModel.MINI_LM.open();
    assertThatThrownBy(() -> embedder.embed(List.of("\u200b"), Embedder.Purpose.DOCUMENT))
        .isInstanceOfSatisfying(
            EmbedderException.class,
            failed -> assertThat(failed.kind()).isEqualTo(EmbedderException.Kind.PERMANENT));
  }

  @Test
  void givesAllThreadsTheSame() throws Exception {
    Embedder embedder = LocalModel.MINI_LM.open();
    float[] alone = embedder.embed(TEXTS, Embedder.Purpose.DOCUMENT).get(1);
    try (ExecutorService pool = Executors.newFixedThreadPool(3)) {
      List<Future<List<float[]>>> answers =
          pool.invokeAll(
              List.of(
                  () -> embedder.embed(TEXTS, Embedder.Purpose.DOCUMENT),
                  () -> embedder.embed(TEXTS, Embedder.Purpose.DOCUMENT),
                  () -> embedder.embed(TEXTS, Embedder.Purpose.DOCUMENT)));
      for (Future<List<float[]>> answer : answers) {
        assertThat(answer.get().get(1)).isEqualTo(alone);
      }
    }
  }

  @Test
  void isFoundByName() {
    EmbedderProvider provider =
        ServiceLoader.load(EmbedderProvider.class).findFirst().orElseThrow();
    assertThat(provider.open("local").orElseThrow().modelId()).isEqualTo("bge-small-en-v1.5-q");
    assertThat(provider.open("local=all-minilm-l6-v2").orElseThrow().modelId())
        .isEqualTo("all-minilm-l6-v2-q-512");
    assertThat(provider.open("openai=a@http://localhost")).isEmpty();
    assertThatThrownBy(() -> provider.open("local=gpt"))
        .isInstanceOf(ContextureException.class)
        .hasMessageContaining("bge-small-en-v15, all-minilm-l6-v2");
  }
}
