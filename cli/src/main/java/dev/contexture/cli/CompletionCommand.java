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
      "Prints a script that completes commands and options, for bash, zsh, fish and PowerShell.",
      "Try it with: source <(contexture completion), contexture completion fish | source, or"
          + " contexture completion powershell | Out-String | Invoke-Expression"
    },
    footerHeading = "%nExamples:%n",
    footer = {"  contexture completion zsh", "  contexture completion fish"})
final class CompletionCommand implements Runnable {
  @Spec private @Nullable CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "SHELL",
      defaultValue = "bash",
      description = "bash, zsh (the same script), fish or powershell (default: ${DEFAULT-VALUE}).")
  private String shell = "bash";

  @Override
  public void run() {
    CommandLine self = Objects.requireNonNull(spec).commandLine();
    CommandLine root = self.getParent();
    String name = root.getCommandName();
    self.getOut()
        .print(
            switch (shell) {
              case "bash", "zsh" -> AutoComplete.bash(name, root);
              case "fish" -> CompletionScript.fish(name, root);
              case "powershell" -> CompletionScript.powershell(name, root);
              default ->
                  throw new ParameterException(
                      self,
                      "there is no script for '" + shell + "': bash, zsh, fish or powershell");
            });
  }
}
