package dev.contexture.cli.output;

import dev.contexture.cli.Main;
import dev.contexture.cli.support.Configuration;
import dev.contexture.cli.support.Suggestions;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.server.Problem;
import java.io.PrintWriter;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Prints failures, for people or for programs, and says which exit code they have. */
public final class FailurePrinter {
  private final PrintWriter err;
  private final boolean json;
  private final Paint paint;
  private final Configuration configuration;

  public FailurePrinter(PrintWriter err, OutputStyle looks, Configuration configuration) {
    this.err = err;
    this.json = looks.json();
    this.paint = looks.err();
    this.configuration = configuration;
  }

  /** What the engine refused: message and code, never a stack trace. */
  public int refusal(ContextureException refused) {
    print(refused);
    return exitCode(refused);
  }

  /** A value of an option that is refused is a usage error, whoever refuses it. */
  public static int exitCode(ContextureException refused) {
    boolean ofOption = refused.field().filter(field -> field.startsWith("--")).isPresent();
    boolean isValue =
        refused.details().containsKey("actual") && refused.code() != ErrorCode.NOT_FOUND;
    return ofOption && isValue ? Main.USAGE : Main.FAILED;
  }

  /** A command line that was not understood. */
  public int usage(ParameterException refused) {
    CommandLine line = refused.getCommandLine();
    print(
        new ContextureException(
            ErrorCode.INVALID_ARGUMENT, message(line, refused), Map.of(), refused));
    if (!json) {
      err.println("see: " + line.getCommandSpec().qualifiedName() + " --help");
    }
    return Main.USAGE;
  }

  /** A failure that nobody foresaw. Its trace is printed, because it is what a report needs. */
  public int defect(String command, Exception thrown) {
    String message = command + " failed: " + thrown;
    if (json) {
      err.println(Problem.internal(message).toJson());
    } else {
      err.println(paint.bad("error:") + " " + TerminalText.line(message));
      err.println("code: " + ErrorCode.INTERNAL.wireName());
      thrown.printStackTrace(err);
    }
    return Main.FAILED;
  }

  private void print(ContextureException refused) {
    if (json) {
      err.println(Problem.of(refused).toJson());
    } else {
      err.println(
          paint.bad("error:") + " " + TerminalText.line(String.valueOf(refused.getMessage())));
      err.println("code: " + refused.code().wireName());
      hint(refused.code()).ifPresent(hint -> err.println("hint: " + hint));
    }
  }

  /** What helps with most refusals of a code, where their message cannot know it. */
  private static Optional<String> hint(ErrorCode code) {
    return switch (code.wireName()) {
      case "store_damaged" ->
          Optional.of("contexture doctor looks for more; restore a backup with --data BACKUP");
      case "store_in_use" -> Optional.of("contexture doctor says who has it open");
      case "store_full" -> Optional.of("contexture doctor says how much room is left");
      case "forbidden", "unauthenticated" ->
          Optional.of("a server with keys needs one that may do this: --key or CONTEXTURE_KEY");
      default -> Optional.empty();
    };
  }

  private String message(CommandLine line, ParameterException refused) {
    if (refused instanceof UnmatchedArgumentException unmatched) {
      return unmatched(line, unmatched);
    }
    String said =
        Objects.requireNonNullElse(refused.getMessage(), "the command line is not understood");
    return configuration
        .origin(refused.getArgSpec(), refused.getValue())
        .map(origin -> said + " (from " + origin + ")")
        .orElse(said);
  }

  private static String unmatched(CommandLine line, UnmatchedArgumentException unmatched) {
    String first = unmatched.getUnmatched().getFirst();
    boolean isCommand = !unmatched.isUnknownOption() && !line.getSubcommands().isEmpty();
    String what =
        unmatched.isUnknownOption()
            ? "unknown option '" + first + "'"
            : (isCommand ? "unknown command '" : "unexpected argument '") + first + "'";
    return meant(line, first, isCommand)
        .map(name -> what + "; did you mean " + name + "?")
        .orElse(isCommand ? what + "; commands: " + commands(line) : what);
  }

  private static Optional<String> meant(CommandLine line, String written, boolean isCommand) {
    String name = written.split("=", 2)[0];
    return isCommand
        ? Suggestions.to(name, line.getSubcommands().keySet())
        : Suggestions.to(name, line.getCommandSpec().optionsMap().keySet())
            .filter(option -> name.startsWith("-"));
  }

  /** The names of the commands of a command, in order. */
  public static String commands(CommandLine line) {
    return new TreeSet<>(line.getSubcommands().keySet()).stream().collect(Collectors.joining(", "));
  }
}
