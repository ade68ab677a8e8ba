package dev.contexture.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompletionCommandTest {
  @TempDir Path folder;

  @Test
  void printsAScriptThatCompletesEveryCommand() throws Exception {
    Run run = Run.of("completion");
    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains(Commands.NAMES).contains("--dry-run", "complete -F");
    assertThat(Run.of("completion", "zsh").out()).isEqualTo(run.out());
    Path script = Files.writeString(folder.resolve("completion.bash"), run.out());
    Process bash = new ProcessBuilder("bash", "-n", script.toString()).start();
    assertThat(bash.waitFor(2, TimeUnit.MINUTES)).isTrue();
    assertThat(bash.exitValue()).isZero();
  }

  @Test
  void fishKnowsCommandsBelowCommandsWithWhatTheyDo() {
    String script = Run.of("completion", "fish").out();
    assertThat(script.lines())
        .contains("complete -c contexture -f")
        .anySatisfy(
            line ->
                assertThat(line)
                    .startsWith("complete -c contexture -n '__fish_use_subcommand' -a serve -d '"))
        .anySatisfy(
            line ->
                assertThat(line)
                    .contains("'__fish_seen_subcommand_from memory; and not")
                    .contains(" -a history -d 'Lists the versions"))
        .anySatisfy(
            line ->
                assertThat(line)
                    .contains("from memory; and __fish_seen_subcommand_from history'")
                    .contains(" -l limit -r -d '"))
        .allSatisfy(line -> assertThat(line).doesNotContain("${"))
        .allSatisfy(
            line ->
                assertThat(line.replace("\\'", "").chars().filter(c -> c == '\'').count())
                    .isEven());
  }

  @Test
  void powershellKnowsWhatFollowsEachCommand() {
    String script = Run.of("completion", "powershell").out();
    assertThat(script)
        .startsWith("Register-ArgumentCompleter -Native -CommandName contexture ")
        .containsPattern("'' = '[^']*\\bserve\\b[^']*\\bmemory\\b")
        .containsPattern("'memory' = '[^']*\\bhistory\\b")
        .containsPattern("'memory history' = '[^']*--limit\\b");
    assertThat(script.chars().filter(c -> c == '{').count())
        .isEqualTo(script.chars().filter(c -> c == '}').count());
  }

  @Test
  void refusesAnotherShell() {
    Run run = Run.of("completion", "tcsh");
    assertThat(run.exitCode()).isEqualTo(Main.USAGE);
    assertThat(run.err()).contains("there is no script for 'tcsh': bash, zsh, fish or powershell");
  }
}
