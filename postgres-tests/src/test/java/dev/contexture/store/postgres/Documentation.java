package dev.contexture.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What docs/postgresql.md tells people to run. */
final class Documentation {
  private static final int GRANTS = 3;

  private Documentation() {}

  /** The statements that give a role of servers its rights. */
  static List<String> grants() throws IOException {
    List<String> grants =
        Files.readAllLines(Path.of("..", "docs", "postgresql.md")).stream()
            .map(String::strip)
            .filter(line -> line.startsWith("GRANT "))
            .toList();
    assertThat(grants).hasSizeGreaterThanOrEqualTo(GRANTS);
    return grants;
  }
}
