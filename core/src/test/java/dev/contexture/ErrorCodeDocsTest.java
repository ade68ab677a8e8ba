package dev.contexture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.error.ErrorCode;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@code docs/reference/errors.md} lists every error code, and none that does not exist. */
class ErrorCodeDocsTest {
  private final List<List<String>> rows = DocTable.rows("docs/reference/errors.md");

  @Test
  void documentsEveryErrorCodeAndNoOther() {
    List<String> codes = Arrays.stream(ErrorCode.values()).map(ErrorCode::wireName).toList();
    List<String> documented = rows.stream().map(List::getFirst).toList();
    assertThat(documented).containsExactlyInAnyOrderElementsOf(codes);
  }

  @Test
  void givesEveryCodeAStatusAMeaningAndWhatToDo() {
    assertThat(rows)
        .allSatisfy(
            row -> {
              assertThat(row).hasSize(4).doesNotContain("");
              assertThat(row.get(1)).matches("[45]\\d\\d");
            });
  }
}
