package dev.contexture.cli;

import dev.contexture.cli.output.FailurePrinter;
import dev.contexture.cli.output.OutputStyle;
import dev.contexture.cli.output.Paint;
import dev.contexture.cli.support.BuildVersion;
import dev.contexture.cli.support.Configuration;
import dev.contexture.cli.support.Environment;
import dev.contexture.error.ContextureException;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.ParseResult;

/**
 * The entry point of the program, and the one place that turns failures into messages and exit
 * codes.
 */
public final class Main {
  /** The command did what it was asked to do. */
  public static final int DONE = 0;

  /** The command failed, or the engine refused. */
  public static final int FAILED = 1;

  /** The command line was not understood. */
  public static final int USAGE = 2;

  private Main() {}

  public static void main(String[] args) {
    // UTF-8 whatever the locale says: the output is JSON and text in every language.
    PrintWriter out = utf8(FileDescriptor.out);
    PrintWriter err = utf8(FileDescriptor.err);
    int exitCode = run(Arrays.asList(args), Environment.ofProcess(), out, err);
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
  static int run(List<String> args, Environment environment, PrintWriter out, PrintWriter err) {
    if (Commands.asksForVersion(args)) {
      out.println(BuildVersion.line()); // without what parses everything else
      return DONE;
    }
    Configuration configuration = Configuration.of(args, environment);
    OutputStyle looks = OutputStyle.of(args, configuration, environment);
    FailurePrinter failures = new FailurePrinter(err, looks, configuration);
    return commandLine(Commands.meant(args), configuration, environment, looks)
        .setOut(out)
        .setErr(err)
        .setColorScheme(Help.defaultColorScheme(ansi(looks.out())))
        .setParameterExceptionHandler((refused, unused) -> failures.usage(refused))
        .setExecutionExceptionHandler((thrown, line, unused) -> failed(failures, line, thrown))
        .setExecutionStrategy(parsed -> execute(parsed, configuration))
        .execute(args.toArray(String[]::new));
  }

  private static Help.Ansi ansi(Paint paint) {
    return paint == Paint.PLAIN ? Help.Ansi.OFF : Help.Ansi.ON;
  }

  /** The command with all its subcommands, not yet run. */
  static CommandLine commandLine() {
    Environment none = new Environment(Map.of(), false, false);
    Configuration configuration = Configuration.of(List.of(), none);
    return commandLine(
        Commands.NAMES, configuration, none, OutputStyle.of(List.of(), configuration, none));
  }

  static CommandLine commandLine(
      List<String> commands,
      Configuration configuration,
      Environment environment,
      OutputStyle looks) {
    CommandLine line = new CommandLine(new ContextureCommand(environment, looks));
    commands.forEach(name -> line.addSubcommand(name, Commands.make(name)));
    return line.setExpandAtFiles(false) // a value may begin with @
        .setDefaultValueProvider(configuration)
        .setExitCodeExceptionMapper(thrown -> FAILED);
  }

  /** Help is given whatever the configuration says. */
  private static int execute(ParseResult parsed, Configuration configuration) {
    Integer helped = CommandLine.executeHelpRequest(parsed);
    if (helped != null) {
      return helped;
    }
    ContextureCommand root = (ContextureCommand) parsed.commandSpec().userObject();
    try {
      configuration.check();
      OutputStyle.checkColor(root.color == null ? configuration.value("color") : root.color);
    } catch (ContextureException refused) {
      CommandLine line = parsed.commandSpec().commandLine();
      throw new CommandLine.ExecutionException(line, "settings", refused);
    }
    return new CommandLine.RunLast().execute(parsed);
  }

  private static int failed(FailurePrinter failures, CommandLine line, Exception thrown) {
    return switch (thrown) {
      case ContextureException refused -> failures.refusal(refused);
      case CommandLine.ParameterException refused -> failures.usage(refused);
      default -> failures.defect(line.getCommandSpec().qualifiedName(), thrown);
    };
  }
}
