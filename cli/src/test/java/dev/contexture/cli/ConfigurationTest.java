package dev.contexture.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.cli.output.OutputStyle;
import dev.contexture.cli.support.Configuration;
import dev.contexture.cli.support.Environment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

class ConfigurationTest {
  private static final Set<String> OF_ONE_CALL = Set.of("help", "json", "config", "color");

  @TempDir Path folder;

  static Stream<String> settingsOfServe() {
    return serve(Main.commandLine()).options().stream()
        .map(Configuration::name)
        .filter(name -> !OF_ONE_CALL.contains(name));
  }

  private static CommandLine.Model.CommandSpec serve(CommandLine line) {
    return Objects.requireNonNull(line.getSubcommands().get("serve")).getCommandSpec();
  }

  /** H-1: every option is also a line of the file and a variable; the nearest to the call wins. */
  @ParameterizedTest
  @MethodSource("settingsOfServe")
  void setsByFileVariableAndOption(String name) throws IOException {
    OptionSpec option = serve(Main.commandLine()).findOption("--" + name);
    boolean flag = option.arity().max() == 0;
    boolean number = !flag && option.type() == int.class;
    String byFile = flag ? "true" : number ? "4711" : "by-file";
    String byVariable = flag ? "true" : number ? "4712" : "by-variable";
    String byOption = flag ? "true" : number ? "4713" : "by-option";
    Map<String, String> none = Map.of();
    assertThat(parsed(name, byFile, none, null)).isEqualTo(byFile);
    Map<String, String> variables = Map.of(Configuration.variable(name), byVariable);
    assertThat(parsed(name, flag ? "false" : byFile, variables, null)).isEqualTo(byVariable);
    Map<String, String> off = flag ? Map.of(Configuration.variable(name), "false") : variables;
    assertThat(parsed(name, byFile, off, byOption)).isEqualTo(byOption);
  }

  private String parsed(
      String name, String line, Map<String, String> variables, @Nullable String value)
      throws IOException {
    Path file = Files.writeString(folder.resolve("c.conf"), "# ours\n\n" + name + " = " + line);
    List<String> args = new ArrayList<>(List.of("serve", "--config", file.toString()));
    boolean flag = value != null && value.equals("true");
    if (value != null) {
      args.add(flag ? "--" + name : "--" + name + "=" + value);
    }
    Environment environment = new Environment(variables, false, false);
    Configuration configuration = Configuration.of(args, environment);
    configuration.check();
    OutputStyle looks = OutputStyle.of(args, configuration, environment);
    CommandLine command = Main.commandLine(Commands.meant(args), configuration, environment, looks);
    OptionSpec read =
        command
            .parseArgs(args.toArray(String[]::new))
            .subcommand()
            .commandSpec()
            .findOption("--" + name);
    return Objects.toString(read.getValue());
  }

  @Test
  void showsInTheHelpOfServeHowToSet() {
    assertThat(Run.of("serve", "--help").out())
        .contains("CONTEXTURE_PORT", "--config or CONTEXTURE_CONFIG", "port = 8321");
  }

  @Test
  void takesTheEmbedderFromTheEnvironment() {
    Served.fill(folder, "c", 1);
    String data = folder.toString();
    Map<String, String> wrong = Map.of("CONTEXTURE_EMBEDDER", "magic");
    assertThat(Run.with(wrong, "search", "x", "--data", data).err()).contains("openai=MODEL@URL");
    assertThat(Run.with(wrong, "search", "x", "--data", data, "--embedder", "none").exitCode())
        .isZero();
    assertThat(Run.with(wrong, "serve", "--data", data).err()).contains("openai=MODEL@URL");
  }

  @Test
  void setsWhereAndWhoForEveryCommandButNothingOfOneCall() throws IOException {
    Served.fill(folder.resolve("data"), "c", 1);
    Path file =
        Files.writeString(
            folder.resolve("c.conf"),
            "data = " + folder.resolve("data") + "\npolicy = economical\ntenant = other\n");
    Map<String, String> named = Map.of("CONTEXTURE_CONFIG", file.toString());
    assertThat(Run.with(named, "conversations", "list", "--user", "u").err())
        .contains("has no conversations");
    Map<String, String> local =
        Map.of("CONTEXTURE_CONFIG", file.toString(), "CONTEXTURE_TENANT", "local");
    assertThat(Run.with(local, "conversations", "list", "--user", "u").out()).contains("c ");
    CommandLine.Model.ArgSpec policy =
        Objects.requireNonNull(Main.commandLine().getSubcommands().get("replay"))
            .getCommandSpec()
            .findOption("--policy");
    Environment environment = new Environment(named, false, false);
    assertThat(Configuration.of(List.of(), environment).defaultValue(policy)).isNull();
  }

  @Test
  void refusesALineThatMeansNothing() throws IOException {
    refused(
        "host = 127.0.0.1\nprot = 1", "line 2: there is no setting 'prot'; did you mean 'port'");
    refused("frobnicate = 1", "line 1: there is no setting 'frobnicate'; settings are ");
    refused("\n# x\nport", "line 3: 'port' has no value; write port = VALUE");
    refused("port = 1\nport = 2", "line 2: 'port' is set in line 1 already");
    Run missing = Run.of("serve", "--config", folder.resolve("nowhere").toString());
    assertThat(missing.exitCode()).isEqualTo(Main.FAILED);
    assertThat(missing.err()).contains("nowhere", "code: not_found");
  }

  private void refused(String text, String message) throws IOException {
    Path file = Files.writeString(folder.resolve("c.conf"), text);
    Run run = Run.of("serve", "--config=" + file, "--data", folder.resolve("d").toString());
    assertThat(run.exitCode()).isEqualTo(Main.FAILED);
    assertThat(run.err()).contains(file + " " + message, "code: invalid_config");
    assertThat(Run.of("serve", "--config=" + file, "--help").exitCode()).isZero();
    assertThat(folder.resolve("d")).doesNotExist();
  }

  @Test
  void saysWhereAValueThatCannotBeReadComesFrom() throws IOException {
    assertThat(Run.with(Map.of("CONTEXTURE_PORT", "many"), "serve").err())
        .contains("--port", "'many'", "(from CONTEXTURE_PORT)");
    Path file = Files.writeString(folder.resolve("c.conf"), "port = many\n");
    assertThat(Run.of("serve", "--config", file.toString()).err())
        .contains("--port", "(from " + file + " line 1)");
    assertThat(Run.of("serve", "--port", "many").err()).doesNotContain("(from");
  }

  /** One that lies there could send keys to an address of its author. */
  @Test
  void readsNoFileThatNobodyNamed() {
    assertThat(
            Configuration.of(List.of("serve"), new Environment(Map.of(), false, false))
                .value("data"))
        .isNull();
  }
}
