package dev.contexture.crdt;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class EditingTraceTest {
  @Test
  void aSmallSequentialTraceReproducesItsEnd() {
    checkReplay(fixture("sequential.json"));
  }

  @Test
  void aSmallConcurrentTraceReproducesItsEnd() {
    checkReplay(fixture("concurrent.json"));
  }

  /** The whole public set, where it is present. */
  @TestFactory
  Stream<DynamicTest> wholeTracesReproduceTheirEnd() {
    return files().stream()
        .map(file -> DynamicTest.dynamicTest(file.getFileName().toString(), () -> check(file)));
  }

  private static void check(Path file) throws IOException {
    checkReplay(EditingTrace.read(file));
  }

  private static void checkReplay(EditingTrace trace) {
    Document document = trace.replay();
    assertThat(document.text("text").toString()).isEqualTo(trace.endContent());
    Document loaded = Document.load(document.exportSnapshot(), ReplicaId.of(99));
    assertThat(loaded.text("text").toString()).isEqualTo(trace.endContent());
    assertThat(loaded.at(loaded.version()).text("text")).isEqualTo(trace.endContent());
    Document merged = Document.create(ReplicaId.of(98));
    merged.merge(loaded.exportSince(VersionVector.EMPTY));
    assertThat(merged.text("text").toString()).isEqualTo(trace.endContent());
    assertThat(merged.version()).isEqualTo(document.version());
  }

  private static EditingTrace fixture(String name) {
    try (InputStream in =
        Objects.requireNonNull(EditingTraceTest.class.getResourceAsStream(name))) {
      return EditingTrace.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Path> files() {
    String given = System.getProperty("contexture.data");
    Path root = Path.of(System.getProperty("contexture.root", "."));
    Path data = given == null ? root.resolve("../shared/data") : Path.of(given);
    Path folder = data.resolve("editing-traces");
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(file -> file.toString().endsWith(".json.gz")).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
