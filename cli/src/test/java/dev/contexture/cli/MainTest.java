package dev.contexture.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.util.List;
import java.util.stream.Collectors;
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
        .contains("error: unknown command 'xyzzy'; commands: " + sortedNames());
  }

  @Test
  void explainsACommandOfACommand() {
    assertThat(Run.of("help", "memory", "edit").out())
        .isEqualTo(Run.of("memory", "edit", "--help").out())
        .contains("Usage: contexture memory edit");
    Run unknown = Run.of("help", "memory", "xyzzy");
    assertThat(unknown.exitCode()).isEqualTo(Main.USAGE);
    assertThat(unknown.err())
        .contains(
            "unknown command 'xyzzy'; commands: edit, entries, history, list, move, restore, show,"
                + " undo");
    assertThat(Run.of("help", "search", "xyzzy").err()).contains("'search' has no commands");
  }

  @Test
  void namesAnUnknownCommandAndTheKnownOnes() {
    Run run = Run.of("xyzzy");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .contains("error: unknown command 'xyzzy'; commands: " + sortedNames())
        .contains("code: invalid_argument")
        .contains("see: contexture --help")
        .doesNotContain("\tat ");
  }

  private static String sortedNames() {
    return Commands.NAMES.stream().sorted().collect(Collectors.joining(", "));
  }

  @Test
  void suggestsTheOneThatWasMeant() {
    assertThat(Run.of("--versoin").err())
        .contains("error: unknown option '--versoin'; did you mean --version?");
    assertThat(Run.of("serv").err()).contains("unknown command 'serv'; did you mean serve?");
    assertThat(Run.of("search", "x", "--limt=3").err()).contains("did you mean --limit?");
    assertThat(Run.of("doctor", "now").err()).contains("unexpected argument 'now'");
  }

  /** Whichever word is the command: those that may be it are known, and help knows all. */
  @Test
  void makesOnlyCommandsThatMayBeMeant() {
    assertThat(Commands.meant(List.of("search", "x"))).containsExactly("search");
    assertThat(Commands.meant(List.of("--config", "serve", "render", "f")))
        .containsExactlyInAnyOrder("serve", "render");
    assertThat(Commands.meant(List.of("xyzzy"))).isEqualTo(Commands.NAMES);
    assertThat(Commands.meant(List.of("help", "search"))).isEqualTo(Commands.NAMES);
    assertThat(Commands.meant(List.of("completion"))).isEqualTo(Commands.NAMES);
    assertThat(Run.of("-V").out()).isEqualTo(Run.of("--version").out());
    assertThat(Run.of("--version", "--json").out()).isEqualTo(Run.of("--version").out());
  }

  @Test
  void holdsOptionsOfAllCommandsWhereverTheyStand() {
    assertThat(Run.of("conversations", "list", "--help").out())
        .contains("--json", "--color", "--config", "--user");
    for (String[] args :
        new String[][] {
          {"--json", "conversations", "list"},
          {"conversations", "--json", "list"},
          {"conversations", "list", "--json"}
        }) {
      Run run = Run.of(args);
      assertThat(run.exitCode()).isEqualTo(Main.USAGE);
      assertThat(run.err()).startsWith("{").contains("--user");
    }
    for (String group : List.of("conversations", "memory")) {
      Run alone = Run.of(group);
      assertThat(alone.exitCode()).isEqualTo(Main.USAGE);
      assertThat(alone.err()).contains("no command given: list, show");
    }
  }

  @Test
  void showsTheCommandsToWhomGivesNone() {
    Run run = Run.of();
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .contains(Run.of("--help").out())
        .contains("error: no command given", "see: contexture --help");
    assertThat(Run.of("--json").json().string("detail")).contains("no command given");
  }

  @Test
  void printsOneProblemObjectForPrograms() {
    Run run = Run.of("--json", "xyzzy");
    assertThat(run.exitCode()).isEqualTo(2);
    JsonObject problem = (JsonObject) JsonValue.parse(run.err());
    assertThat(problem.keys()).startsWith("type", "title", "status", "code", "detail");
    assertThat(problem.string("code")).contains("invalid_argument");
  }
}
