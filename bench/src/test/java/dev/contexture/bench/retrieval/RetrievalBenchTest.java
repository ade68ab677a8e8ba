package dev.contexture.bench.retrieval;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.bench.support.UsageException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RetrievalBenchTest {
  @TempDir Path set;

  private void write() throws IOException {
    Files.writeString(
        set.resolve("docs.jsonl"),
        """
        {"corpus":"c","id":"d1","text":"the windmill turns","speaker":"","time":"","session":0,"extra":""}
        {"corpus":"c","id":"d2","text":"a harbour in fog","speaker":"","time":"","session":0,"extra":""}
        """);
    Files.writeString(
        set.resolve("queries.jsonl"),
        """
        {"corpus":"c","id":"q1","query":"windmill","category":"one"}
        {"corpus":"c","id":"q2","query":"nothing of that","category":"one"}
        """);
    Files.writeString(
        set.resolve("qrels.jsonl"),
        """
        {"id":"q1","relevant":["d1"]}
        {"id":"q2","relevant":["d2"]}
        """);
  }

  /** One run has all modes and both halves, so that vectors are made once. */
  @Test
  void answersInEachModeAndByHalves() throws IOException {
    write();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Path runs = set.resolve("runs");
    List<String> args = List.of(set.toString(), "--mode", "fts,hybrid", "--run", runs.toString());
    try (PrintStream printed = new PrintStream(out, true, UTF_8)) {
      assertThat(new RetrievalBench().run(args, printed)).isZero();
    }
    assertThat(out.toString(UTF_8))
        .contains(
            "fts: R@10 / MRR 50.0 / 50.0, even 100.0 / 100.0, odd 0.0 / 0.0",
            "hybrid: R@10 / MRR 50.0 / 50.0, even 100.0 / 100.0, odd 0.0 / 0.0",
            "SQLite FTS5, two tables: R@10 / MRR 50.0 / 50.0");
    assertThat(Files.readString(set.resolve("runs.fts"))).contains("\"q1\"", "\"d1\"");
    assertThat(set.resolve("runs.hybrid")).exists();
  }

  @Test
  void refusesAnUnknownMode() {
    PrintStream nowhere = new PrintStream(new ByteArrayOutputStream(), true, UTF_8);
    List<String> args = List.of(set.toString(), "--mode", "fts,best");
    assertThatThrownBy(() -> new RetrievalBench().run(args, nowhere))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("there is no mode 'best'");
  }
}
