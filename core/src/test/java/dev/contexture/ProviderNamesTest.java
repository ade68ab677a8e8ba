package dev.contexture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What belongs to one provider is in its package of the module provider. */
class ProviderNamesTest {
  private static final Pattern NAMES = Pattern.compile("(?i)anthropic|openai|gemini|claude|\\bgpt");

  @Test
  void noProviderIsNamedInTheCore() throws IOException {
    try (Stream<Path> files = Files.walk(Path.of("src", "main"))) {
      List<Path> sources = files.filter(Files::isRegularFile).toList();
      assertThat(sources).hasSizeGreaterThan(100);
      assertThat(sources).noneMatch(file -> NAMES.matcher(text(file)).find());
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
