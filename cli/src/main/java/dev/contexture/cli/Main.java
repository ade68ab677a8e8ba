package dev.contexture.cli;

import dev.contexture.error.ContextureException;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine;

/** Where the program starts, and the one place that turns failures into messages and exit codes. */
public final class Main {
  /** The command did what it was asked to do. */
  static final int DONE = 0;

  /** The command failed, or the engine refused. */
  static final int FAILED = 1;

  /** The command line was not understood. */
  static final int USAGE = 2;

  private Main() {}

  public static void main(String[] args) {
    // UTF-8 whatever the locale says: the output is JSON and text in every language.
    PrintWriter out = utf8(FileDescriptor.out);
    PrintWriter err = utf8(FileDescriptor.err);
    int exitCode = run(Arrays.asList(args), out, err);
    out.flush();
    err.flush();
    System.exit(exitCode);
  }

  private static PrintWriter utf8(FileDescriptor descriptor) {
    return new PrintWriter(
        new OutputStreamWriter(
            new BufferedOutputStream(new FileOutputStream(descriptor)), StandardCharsets.UTF_8));
  }

  /**
   * Runs one command line.
   *
   * @return the exit code: {@link #DONE}, {@link #FAILED} or {@link #USAGE}
   */
  static int run(List<String> args, PrintWriter out, PrintWriter err) {
    Failures failures = new Failures(err, wantsJson(args));
    return commandLine()
        .setOut(out)
        .setErr(err)
        .setParameterExceptionHandler((refused, unused) -> failures.usage(refused))
        .setExecutionExceptionHandler((thrown, line, unused) -> failed(failures, line, thrown))
        .execute(args.toArray(String[]::new));
  }

  /** The command with all its subcommands, not yet run. */
  static CommandLine commandLine() {
    return new CommandLine(new ContextureCommand())
        .setExpandAtFiles(false) // a value may begin with @
        .setExitCodeExceptionMapper(thrown -> FAILED);
  }

  private static int failed(Failures failures, CommandLine line, Exception thrown) {
    return switch (thrown) {
      case ContextureException refused -> failures.refusal(refused);
      case CommandLine.ParameterException refused -> failures.usage(refused);
      default -> failures.defect(line.getCommandSpec().qualifiedName(), thrown);
    };
  }

  private static boolean wantsJson(List<String> args) {
    int end = args.indexOf("--");
    return args.subList(0, end < 0 ? args.size() : end).contains(ContextureCommand.JSON);
  }
}
