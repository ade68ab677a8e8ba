package dev.contexture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.block.BlockType;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/reference/block-types.md} lists every known block type with its flags (T-12), and
 * none that is not known.
 */
class BlockTypeDocsTest {
  private final List<List<String>> rows = DocTable.rows("docs/reference/block-types.md");

  @Test
  void documentsEveryKnownTypeAndNoOther() {
    List<String> known = BlockType.known().stream().map(BlockType::name).toList();
    List<String> documented = rows.stream().map(List::getFirst).toList();
    assertThat(documented).containsExactlyInAnyOrderElementsOf(known);
  }

  @Test
  void statesTheFlagsThatTheCatalogueHas() {
    assertThat(rows)
        .allSatisfy(
            row -> {
              assertThat(row).hasSize(5);
              assertThat(row.get(3)).as(row.getFirst()).isEqualTo(flags(row.getFirst()));
            });
  }

  private static String flags(String name) {
    BlockType type = BlockType.of(name);
    String flags =
        Arrays.stream(BlockType.Flag.values())
            .filter(type::has)
            .map(flag -> flag.name().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(", "));
    return flags.isEmpty() ? "none" : flags;
  }
}
