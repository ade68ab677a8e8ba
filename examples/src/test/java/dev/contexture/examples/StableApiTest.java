package dev.contexture.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Promises nothing that nobody is shown: a stable type is one that an example or a page uses. */
class StableApiTest {
  private static final Pattern NAME = Pattern.compile("dev/contexture/[\\w/]+");

  /** Tests that have the Java of a page word for word. */
  private static final Pattern PAGES = Pattern.compile("(GuideTest|ReadmeLoopTest).*");

  private static final String STABLE = "@API(status = API.Status.STABLE";

  @TempDir Path blocks;

  @Test
  void everyStableTypeIsUsedByAnExample() throws IOException {
    DocsJavaTest.compileAll(blocks);
    Set<String> used = new TreeSet<>();
    List<Path> classes = new ArrayList<>(files(blocks, ".class"));
    classes.addAll(files(folder(OfflineAgent.class), ".class"));
    files(folder(GuideTest.class), ".class").stream()
        .filter(file -> PAGES.matcher(file.getFileName().toString()).matches())
        .forEach(classes::add);
    for (Path file : classes) {
      String pool = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
      NAME.matcher(pool).results().map(found -> found.group()).forEach(used::add);
    }
    assertThat(used).contains("dev/contexture/Turn", "dev/contexture/RequestBuilder");
    assertThat(stable().filter(name -> !used.contains(name)).collect(Collectors.toSet()))
        .as("STABLE, but no example or page uses it; EXPERIMENTAL until one does")
        .isEmpty();
  }

  private static Stream<String> stable() throws IOException {
    return files(DocsJavaTest.root(), ".java").stream()
        .filter(file -> file.toString().replace('\\', '/').contains("/src/main/java/"))
        .filter(StableApiTest::isStable)
        .map(file -> file.toString().replace('\\', '/'))
        .map(file -> file.replaceFirst(".*/src/main/java/", "").replace(".java", ""));
  }

  private static boolean isStable(Path source) {
    try {
      return Files.readString(source).contains(STABLE);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Where the build has put a class. */
  private static Path folder(Class<?> type) {
    return Path.of(
        Objects.requireNonNull(type.getProtectionDomain().getCodeSource()).getLocation().getPath());
  }

  private static List<Path> files(Path folder, String ending) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(file -> file.toString().endsWith(ending))
          .filter(file -> !file.toString().contains("node_modules"))
          .toList();
    }
  }
}
