package dev.contexture.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import org.junit.jupiter.api.Test;

class MainTest {
  @Test
  void printsTheVersionOfTheBuild() {
    Run run = Run.of("--version");
    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).matches("contexture \\d+\\.\\d+\\.\\d+(-SNAPSHOT)?\\R");
    assertThat(run.err()).isEmpty();
  }

  @Test
  void printsHelpWithExitCodes() {
    Run run = Run.of("--help");
    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("Usage: contexture", "Exit codes:", "--json");
    assertThat(Run.of("help").out()).isEqualTo(run.out());
  }

  @Test
  void explainsOneCommand() {
    assertThat(Run.of("help", "help").out()).isEqualTo(Run.of("help", "--help").out());
    Run unknown = Run.of("help", "xyzzy");
    assertThat(unknown.exitCode()).isEqualTo(2);
    assertThat(unknown.err())
        .contains(
            "error: unknown command 'xyzzy'; commands: help, render, serve, search, reindex, keys,"
                + " simulate");
  }

  @Test
  void namesAnUnknownCommandAndTheKnownOnes() {
    Run run = Run.of("xyzzy");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .contains(
            "error: unknown command 'xyzzy'; commands: help, keys, reindex, render, search, serve,"
                + " simulate")
        .contains("code: invalid_params")
        .contains("see: contexture --help")
        .doesNotContain("\tat ");
  }

  @Test
  void suggestsWhatWasMeant() {
    assertThat(Run.of("--versoin").err())
        .contains("error: unknown option '--versoin'; did you mean", "--version");
  }

  @Test
  void refusesToRunWithoutACommand() {
    Run run = Run.of();
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("error: no command given", "see: contexture --help");
  }

  @Test
  void printsOneProblemObjectForPrograms() {
    Run run = Run.of("--json", "xyzzy");
    assertThat(run.exitCode()).isEqualTo(2);
    JsonObject problem = (JsonObject) JsonValue.parse(run.err());
    assertThat(problem.keys()).startsWith("type", "title", "status", "code", "detail");
    assertThat(problem.string("code")).contains("invalid_params");
  }
}
