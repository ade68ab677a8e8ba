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
  void refusesAnotherShell() {
    Run run = Run.of("completion", "tcsh");
    assertThat(run.exitCode()).isEqualTo(Main.USAGE);
    assertThat(run.err()).contains("there is no script for 'tcsh': bash or zsh");
  }
}
