package dev.contexture.cli;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows the help of the whole command or of one of its commands. */
@Command(name = "help", description = "Show the help of a command.")
final class HelpCommand implements Runnable {
  @Spec private @Nullable CommandSpec spec;

  @Parameters(arity = "0..1", paramLabel = "COMMAND", description = "The command to explain.")
  private @Nullable String command;

  @Override
  public void run() {
    CommandLine self = Objects.requireNonNull(spec).commandLine();
    CommandLine root = self.getParent();
    CommandLine explained = command == null ? root : root.getSubcommands().get(command);
    if (explained == null) {
      String known = String.join(", ", root.getSubcommands().keySet());
      throw new ParameterException(self, "unknown command '" + command + "'; commands: " + known);
    }
    explained.usage(self.getOut());
  }
}
