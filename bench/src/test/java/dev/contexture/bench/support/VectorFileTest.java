package dev.contexture.bench.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.search.Embedder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VectorFileTest {
  @TempDir Path directory;

  /** Counts letters, and remembers what it was asked. */
  private static final class LetterCounter implements Embedder {
    final List<String> asked = new ArrayList<>();

    @Override
    public String modelId() {
      return "letters";
    }

    @Override
    public int dimensions() {
      return 2;
    }

    @Override
    public List<float[]> embed(List<String> texts, Purpose purpose) {
      asked.addAll(texts);
      return texts.stream()
          .map(text -> new float[] {text.length(), purpose == Purpose.QUERY ? 0 : 1})
          .toList();
    }
  }

  @Test
  void asksTheModelOnceForEachTextAndPurpose() {
    Path file = directory.resolve("vectors");
    LetterCounter first = new LetterCounter();
    VectorFile kept = new VectorFile(first, file);
    assertThat(kept.embed(List.of("a", "bcd", "a"), Embedder.Purpose.DOCUMENT))
        .containsExactly(new float[] {1, 1}, new float[] {3, 1}, new float[] {1, 1});
    assertThat(kept.embed(List.of("a"), Embedder.Purpose.QUERY))
        .containsExactly(new float[] {1, 0});
    assertThat(first.asked).containsExactly("a", "bcd", "a");

    LetterCounter second = new LetterCounter();
    assertThat(new VectorFile(second, file).embed(List.of("bcd", "ef"), Embedder.Purpose.DOCUMENT))
        .containsExactly(new float[] {3, 1}, new float[] {2, 1});
    assertThat(second.asked).containsExactly("ef");
  }

  @Test
  void saysThatAFileIsCut() throws IOException {
    Path file = directory.resolve("vectors");
    assertThat(
            new VectorFile(new LetterCounter(), file)
                .embed(List.of("a"), Embedder.Purpose.DOCUMENT))
        .hasSize(1);
    byte[] whole = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(whole, whole.length - 1));
    assertThatThrownBy(() -> new VectorFile(new LetterCounter(), file))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("delete it");
  }
}
