package dev.contexture.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.bench.support.UsageException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class RetentionBenchTest {
  private static final String SESSION =
      Path.of(Objects.requireNonNull(System.getProperty("contexture.root")))
          .resolve("bench/src/test/resources/airline.events.jsonl")
          .toString();

  private static String run(String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    assertThat(new RetentionBench().run(List.of(args), new PrintStream(out, true, UTF_8))).isZero();
    return out.toString(UTF_8);
  }

  @Test
  void measuresSessionsByGroupAndSaysWhatTheyCost() {
    assertThat(
            run(
                "sessions",
                SESSION,
                "--limits",
                "16000",
                "--presets",
                "economical,last-messages",
                "--json"))
        .contains("\"bench\":\"retention\"")
        .contains("\"name\":\"sessions 16000 economical airline sentences\",\"value\":100")
        .contains("\"name\":\"sessions 16000 economical all references\"")
        .contains("\"name\":\"sessions 16000 economical all cost\"")
        .contains("\"name\":\"sessions 16000 airline sentences\"")
        .doesNotContain("standard");
  }

  @Test
  void measuresFactsAfterCompactions() {
    assertThat(run("needles", "--quick", "--limits", "2000"))
        .contains("after 1 ", "fit, after 5", "cut lines", "economical", "blind-summary")
        .contains("% of 25");
  }

  @Test
  void refusesWhatItDoesNotUnderstand() {
    for (List<String> args :
        List.of(
            List.of("pins"),
            List.of("--limits"),
            List.of("--limits", "many"),
            List.of("--presets", "thrifty"),
            List.of("--frobnicate", "1"))) {
      assertThatThrownBy(() -> new RetentionBench().run(args, System.out))
          .isInstanceOf(UsageException.class);
    }
  }
}
