package dev.contexture.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.bench.support.Bench;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** {@code docs/benchmarks.md} lists every measurement, and none that does not exist. */
class DocsTest {
  @Test
  void documentsEveryMeasurementAndNoOther() throws IOException {
    Path root = Path.of(Objects.requireNonNull(System.getProperty("contexture.root")));
    List<String> documented =
        Files.readAllLines(root.resolve("docs/benchmarks.md")).stream()
            .dropWhile(line -> !line.equals("## The measurements"))
            .filter(line -> line.startsWith("| `"))
            .map(line -> line.split("`")[1])
            .toList();
    assertThat(documented)
        .containsExactlyInAnyOrderElementsOf(BenchMain.BENCHES.stream().map(Bench::name).toList());
  }
}
