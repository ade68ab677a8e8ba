package dev.contexture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Numbers of the specification that code and tests cite can be looked up in {@code docs/spec}. */
class SpecCitationTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern NUMBER = Pattern.compile("\\b[TMPH]-[0-9]+\\b");

  @Test
  void everyCitedNumberIsInTheSpecification() throws IOException {
    Set<String> known = new TreeSet<>();
    try (var pages = Files.newDirectoryStream(ROOT.resolve("docs/spec"), "*.md")) {
      for (Path page : pages) {
        collect(page, known);
      }
    }
    Set<String> cited = new TreeSet<>();
    Files.walkFileTree(
        ROOT,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            String name = String.valueOf(folder.getFileName());
            return name.equals("target") || name.startsWith(".")
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            if (file.toString().endsWith(".java")) {
              collect(file, cited);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    assertThat(cited).isNotEmpty();
    cited.removeAll(known);
    assertThat(cited).as("numbers that docs/spec does not have").isEmpty();
  }

  private static void collect(Path file, Set<String> numbers) throws IOException {
    Matcher found = NUMBER.matcher(Files.readString(file));
    while (found.find()) {
      numbers.add(found.group());
    }
  }
}
