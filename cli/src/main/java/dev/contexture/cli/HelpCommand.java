package dev.contexture.cli;

import dev.contexture.cli.output.FailurePrinter;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows the help of the whole command or of one of its commands. */
@Command(
    name = "help",
    description = "Show the help of a command.",
    footerHeading = "%nExamples:%n",
    footer = {"  contexture help search", "  contexture help memory edit"})
final class HelpCommand implements Runnable {
  @Spec private @Nullable CommandSpec spec;

  @Parameters(arity = "0..*", paramLabel = "COMMAND", description = "The command to explain.")
  private List<String> path = List.of();

  @Override
  public void run() {
    CommandLine self = Objects.requireNonNull(spec).commandLine();
    CommandLine explained = self.getParent();
    for (String name : path) {
      CommandLine next = explained.getSubcommands().get(name);
      if (next == null) {
        throw new ParameterException(self, unknown(name, explained));
      }
      explained = next;
    }
    explained.usage(self.getOut());
  }

  private static String unknown(String name, CommandLine under) {
    return under.getSubcommands().isEmpty()
        ? "'" + under.getCommandName() + "' has no commands, so no '" + name + "'"
        : "unknown command '" + name + "'; commands: " + FailurePrinter.commands(under);
  }
}
