package dev.contexture.cli;

import dev.contexture.cli.output.OutputStyle;
import dev.contexture.cli.support.BuildVersion;
import dev.contexture.cli.support.Configuration;
import dev.contexture.cli.support.Environment;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command itself: holds the subcommands and what all of them share. */
@Command(
    name = "contexture",
    description = "A context engine for LLM agents.",
    versionProvider = BuildVersion.class,
    synopsisSubcommandLabel = "COMMAND",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done",
      "1:failed or refused; standard error says why",
      "2:the command line was not understood, or a value of an option is refused"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  contexture serve --demo",
      "  contexture help memory edit",
      "",
      "All commands, options and settings are explained in docs/cli.md."
    })
public final class ContextureCommand implements Callable<Integer> {
  private final Environment environment;
  private final OutputStyle looks;

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Show this help and exit.")
  boolean helpRequested;

  @Option(
      names = {"-V", "--version"},
      versionHelp = true,
      description = "Print the version and exit.")
  boolean versionRequested;

  @Option(
      names = OutputStyle.JSON,
      scope = ScopeType.INHERIT,
      description = "Print for programs: results as JSON, failures as a problem object.")
  public boolean json;

  @Option(
      names = OutputStyle.COLOR,
      paramLabel = "WHEN",
      scope = ScopeType.INHERIT,
      description = "auto, always or never; auto colours a terminal, unless NO_COLOR is set.")
  @Nullable String color;

  @Option(
      names = Configuration.OPTION,
      paramLabel = "FILE",
      scope = ScopeType.INHERIT,
      description = "Read settings from FILE, a line each: name = value.")
  @Nullable String config;

  ContextureCommand(Environment environment, OutputStyle looks) {
    this.environment = environment;
    this.looks = looks;
  }

  /** The one above a command. */
  public static ContextureCommand of(@Nullable CommandSpec spec) {
    return (ContextureCommand) Objects.requireNonNull(spec).root().userObject();
  }

  public Environment environment() {
    return environment;
  }

  public OutputStyle looks() {
    return looks;
  }

  /** Runs when no subcommand was given: that is no use of the command, so people get its help. */
  @Override
  public Integer call() {
    CommandLine line = Objects.requireNonNull(spec).commandLine();
    if (!looks.json()) {
      line.usage(line.getErr());
    }
    throw new CommandLine.ParameterException(line, "no command given");
  }
}
