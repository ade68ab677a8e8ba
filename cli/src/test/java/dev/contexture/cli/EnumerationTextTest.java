package dev.contexture.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.block.BlockType;
import dev.contexture.compaction.CompactionPolicy;
import dev.contexture.error.Choices;
import dev.contexture.error.ErrorCode;
import dev.contexture.memory.permission.MemoryPermission;
import dev.contexture.memory.schema.FieldType;
import dev.contexture.memory.schema.MemoryBlockType;
import dev.contexture.search.SearchMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Texts of the product take the names of an enumeration from it ({@link Choices}), and pages that
 * list one list all of it.
 */
class EnumerationTextTest {
  private static final int LISTED = 3; // so many names side by side are a list
  private static final int SIDE_BY_SIDE = 100; // characters

  /** The literals of Java: text blocks and strings, without comments. */
  private static final Pattern LITERAL =
      Pattern.compile(
          "(?s)/\\*.*?\\*/|//[^\\n"
              + "]*|'(?:[^'\\\\]|\\\\.)'|\"\"\"(.*?)\"\"\"|\"((?:[^\"\\\\\\n"
              + "]|\\\\.)*)\"");

  private static final List<List<String>> ENUMERATIONS =
      List.of(
          CompactionPolicy.names(),
          Choices.of(SearchMode.values()),
          Choices.of(MemoryPermission.values()),
          Stream.of(MemoryPermission.values()).map(MemoryPermission::identifier).toList(),
          Choices.of(MemoryBlockType.values()),
          Stream.of(MemoryBlockType.values()).map(MemoryBlockType::identifier).toList(),
          Choices.of(FieldType.values()),
          Stream.of(FieldType.values()).map(FieldType::identifier).toList(),
          BlockType.known().stream().map(BlockType::name).toList(),
          Stream.of(ErrorCode.values()).map(ErrorCode::wireName).toList());

  @Test
  void noTextOfTheProductListsThemByHand() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path file : files("src/main/java", ".java")) {
      for (MatchResult literal : LITERAL.matcher(Files.readString(file)).results().toList()) {
        String text = literal.group(1) == null ? literal.group(2) : literal.group(1);
        if (text != null) {
          lists(text).forEach(names -> found.add(root().relativize(file) + ": " + names));
        }
      }
    }
    for (Path file : files("src/main/resources", "routes.txt")) {
      lists(Files.readString(file))
          .forEach(names -> found.add(root().relativize(file) + ": " + names));
    }
    assertThat(found).isEmpty();
  }

  @Test
  void aListByHandIsFound() {
    assertThat(lists("one of read_only, append or admin")).hasSize(1);
    assertThat(lists("append only")).isEmpty();
  }

  /** The enumerations of which a text has several names side by side. */
  private static List<Set<String>> lists(String text) {
    List<Set<String>> found = new ArrayList<>();
    for (List<String> names : ENUMERATIONS) {
      List<MatchResult> places =
          Pattern.compile(
                  names.stream()
                      .map(Pattern::quote)
                      .collect(Collectors.joining("|", "(?<![\\w.])(?:", ")(?!\\w)")))
              .matcher(text)
              .results()
              .toList();
      for (MatchResult first : places) {
        Set<String> near =
            places.stream()
                .filter(place -> place.start() >= first.start())
                .filter(place -> place.start() < first.start() + SIDE_BY_SIDE)
                .map(MatchResult::group)
                .collect(Collectors.toCollection(TreeSet::new));
        if (near.size() >= Math.min(LISTED, names.size())) {
          found.add(near);
          break;
        }
      }
    }
    return found;
  }

  private static List<Path> files(String folder, String end) throws IOException {
    List<Path> found = new ArrayList<>();
    try (Stream<Path> modules = Files.list(root())) {
      for (Path sources : modules.map(module -> module.resolve(folder)).toList()) {
        if (Files.isDirectory(sources)) {
          try (Stream<Path> all = Files.walk(sources)) {
            all.filter(file -> file.toString().endsWith(end)).forEach(found::add);
          }
        }
      }
    }
    return found;
  }

  private static Path root() {
    return Path.of(Objects.requireNonNull(System.getProperty("contexture.root")));
  }
}
