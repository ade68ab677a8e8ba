package dev.contexture.cli;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.server.Problem;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Prints failures, for people or for programs, and says which exit code they have. */
final class Failures {
  private final PrintWriter err;
  private final boolean json;

  Failures(PrintWriter err, boolean json) {
    this.err = err;
    this.json = json;
  }

  /** What the engine refused: message and code, never a stack trace. */
  int refusal(ContextureException refused) {
    print(refused);
    return Main.FAILED;
  }

  /** A command line that was not understood. */
  int usage(ParameterException refused) {
    CommandLine line = refused.getCommandLine();
    print(
        new ContextureException(
            ErrorCode.INVALID_PARAMS, message(line, refused), Map.of(), refused));
    if (!json) {
      err.println("see: " + line.getCommandSpec().qualifiedName() + " --help");
    }
    return Main.USAGE;
  }

  /** A failure that nobody foresaw. Its trace is printed, because it is what a report needs. */
  int defect(String command, Exception thrown) {
    String message = command + " failed: " + thrown;
    if (json) {
      err.println(Problem.internal(message).toJson());
    } else {
      err.println("error: " + message);
      err.println("code: " + ErrorCode.INTERNAL.wireName());
      thrown.printStackTrace(err);
    }
    return Main.FAILED;
  }

  private void print(ContextureException refused) {
    if (json) {
      err.println(Problem.of(refused).toJson());
    } else {
      err.println("error: " + refused.getMessage());
      err.println("code: " + refused.code().wireName());
    }
  }

  private static String message(CommandLine line, ParameterException refused) {
    return refused instanceof UnmatchedArgumentException unmatched
        ? unmatched(line, unmatched)
        : Objects.requireNonNullElse(refused.getMessage(), "the command line is not understood");
  }

  private static String unmatched(CommandLine line, UnmatchedArgumentException unmatched) {
    String first = unmatched.getUnmatched().getFirst();
    boolean isCommand = !unmatched.isUnknownOption() && !line.getSubcommands().isEmpty();
    String what =
        unmatched.isUnknownOption()
            ? "unknown option '" + first + "'"
            : isCommand ? "unknown command '" + first + "'" : "'" + first + "' is one too many";
    List<String> suggestions = unmatched.getSuggestions();
    if (!suggestions.isEmpty()) {
      return what + "; did you mean " + String.join(" or ", suggestions) + "?";
    }
    return isCommand ? what + "; commands: " + commands(line) : what;
  }

  private static String commands(CommandLine line) {
    return new TreeSet<>(line.getSubcommands().keySet()).stream().collect(Collectors.joining(", "));
  }
}
