package dev.contexture.cli;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints what a shell needs to complete commands and options. */
@Command(
    name = "completion",
    description = {
      "Prints a script that completes commands and options, for bash and zsh.",
      "Try it with: source <(contexture completion)"
    },
    footerHeading = "%nExamples:%n",
    footer = {"  contexture completion zsh"})
final class CompletionCommand implements Runnable {
  @Spec private @Nullable CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "SHELL",
      defaultValue = "bash",
      description = "bash or zsh; the script is the same (default: ${DEFAULT-VALUE}).")
  private String shell = "bash";

  @Override
  public void run() {
    CommandLine self = Objects.requireNonNull(spec).commandLine();
    if (!shell.equals("bash") && !shell.equals("zsh")) {
      throw new ParameterException(self, "there is no script for '" + shell + "': bash or zsh");
    }
    CommandLine root = self.getParent();
    self.getOut().print(AutoComplete.bash(root.getCommandName(), root));
  }
}
