package dev.contexture.cli.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalServerTest {
  @TempDir Path directory;

  /** Other users of the machine reach its port, too. */
  @Test
  void answersOnlyToThisProcess() {
    try (LocalServer first = LocalServer.open(directory.resolve("a"), UnaryOperator.identity());
        LocalServer second = LocalServer.open(directory.resolve("b"), UnaryOperator.identity());
        Api stranger = Api.at(first.address())) {
      assertThat(first.key()).hasSize(64).isNotEqualTo(second.key());
      for (Map<String, String> headers :
          List.of(Map.<String, String>of(), Map.of("Authorization", "Bearer " + second.key()))) {
        assertThatThrownBy(() -> stranger.send("GET", "/v1/agents", null, headers))
            .isInstanceOfSatisfying(
                ContextureException.class,
                refused -> assertThat(refused.code()).isEqualTo(ErrorCode.UNAUTHENTICATED));
      }
      Map<String, String> own = Map.of("Authorization", "Bearer " + first.key());
      assertThat(stranger.send("GET", "/v1/agents", null, own).has("agents")).isTrue();
    }
  }
}
