package dev.contexture.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.error.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** {@code docs/cli.md} names every command, option and exit code; the errors page every status. */
class DocsTest {
  /** An option is found in the section of its command, or of the options that many have. */
  @Test
  void documentsEveryCommandAndOption() throws IOException {
    String page = page("docs/cli.md");
    Map<String, CommandLine> commands = Main.commandLine().getSubcommands();
    assertThat(commands.keySet()).containsExactlyElementsOf(Commands.NAMES);
    String common = section(page, "Commands");
    assertThat(common).contains(names(Main.commandLine().getCommandSpec()).toList());
    commands.forEach(
        (name, line) -> {
          assertThat(common).contains("| `contexture " + name + "` |");
          String own = name.equals("help") ? "" : section(page, name);
          assertThat(specs(line))
              .allSatisfy(
                  spec ->
                      assertThat(common + own)
                          .as(spec.qualifiedName())
                          .contains(names(spec).toList()));
        });
  }

  private static String section(String page, String name) {
    int start = page.indexOf("\n## " + name + "\n");
    assertThat(start).as("a section '## " + name + "'").isNotNegative();
    int end = page.indexOf("\n## ", start + 1);
    return page.substring(start, end < 0 ? page.length() : end);
  }

  private static Stream<CommandSpec> specs(CommandLine line) {
    return Stream.concat(
        Stream.of(line.getCommandSpec()),
        line.getSubcommands().values().stream().flatMap(DocsTest::specs));
  }

  private static Stream<String> names(CommandSpec spec) {
    Stream<String> options =
        spec.options().stream()
            .filter(option -> !option.hidden())
            .map(option -> "`" + option.longestName() + "`");
    return Stream.concat(Stream.of("`" + spec.qualifiedName() + "`"), options);
  }

  /** Help has an example of every command, in words that the command line takes. */
  @Test
  void showsAnExampleOfEveryCommand() {
    Main.commandLine()
        .getSubcommands()
        .forEach(
            (name, line) -> {
              List<String> examples =
                  Arrays.stream(line.getCommandSpec().usageMessage().footer())
                      .filter(text -> text.startsWith("  contexture "))
                      .toList();
              assertThat(examples).as(name).isNotEmpty();
              assertThat(examples)
                  .allSatisfy(
                      example ->
                          assertThat(Main.commandLine().parseArgs(words(example)).hasSubcommand())
                              .as(example)
                              .isTrue());
            });
    assertThat(Run.of("--help").out()).contains("docs/cli.md");
  }

  /** The words of an example behind the name of the program, as a shell divides them. */
  private static String[] words(String example) {
    return Pattern.compile("'([^']*)'|(\\S+)")
        .matcher(example)
        .results()
        .map(found -> found.group(1) == null ? found.group() : found.group(1))
        .skip(1)
        .toArray(String[]::new);
  }

  /** What pages say to type is taken, with something in the place of each word in capitals. */
  @Test
  void showsOnlyCommandLinesThatAreTaken() throws IOException {
    List<String> refused = new ArrayList<>();
    int seen = 0;
    for (Path page : pages()) {
      for (String line : commandLines(Files.readString(page))) {
        seen++;
        try {
          Main.commandLine().parseArgs(typed(line));
        } catch (CommandLine.ParameterException wrong) {
          refused.add(root().relativize(page) + ": " + line + ": " + wrong.getMessage());
        }
      }
    }
    assertThat(refused).isEmpty();
    assertThat(seen).isGreaterThan(30);
  }

  private static final Pattern COMMAND_LINE =
      Pattern.compile(
          "(?m)^ *(?:\\./)?contexture ((" + String.join("|", Commands.NAMES) + ")\\b.*)$");

  /** Lines that begin with the program and a command; a line goes on behind a backslash. */
  private static List<String> commandLines(String page) {
    return COMMAND_LINE
        .matcher(page.replace("\\\n", " "))
        .results()
        .map(found -> found.group(1).replaceFirst(" +#.*$", ""))
        .toList();
  }

  /** One way to type a line that shows its choices: {@code [--a X] (--b | --c) d|e NAME...}. */
  private static String[] typed(String line) {
    String one =
        line.replace("[options]", "")
            .replaceAll("\\(([^|)]*)\\|[^)]*\\)", "$1")
            .replaceAll("\\[([^|\\]]*)\\|[^\\]]*\\]", "$1")
            .replaceAll("[\\[\\]]", " ")
            .replace("...", "");
    return Pattern.compile("'([^']*)'|\"([^\"]*)\"|(\\S+)")
        .matcher(one)
        .results()
        .map(
            found ->
                Stream.of(1, 2, 3)
                    .map(found::group)
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElseThrow())
        .map(DocsTest::value)
        .toArray(String[]::new);
  }

  /** What stands for a number is one; of words between bars the first is taken. */
  private static String value(String word) {
    return switch (word) {
      case "N", "VERSION", "SECONDS" -> "1";
      case "INSTANT" -> "2026-02-09T02:14:32Z";
      default -> word.matches("[a-z_0-9]+(\\|[a-z_0-9]+)+") ? word.split("\\|")[0] : word;
    };
  }

  private static List<Path> pages() throws IOException {
    try (Stream<Path> docs = Files.walk(root().resolve("docs"))) {
      return Stream.concat(
              Stream.of("README.md", "CONTRIBUTING.md", "ARCHITECTURE.md").map(root()::resolve),
              docs)
          .filter(path -> path.toString().endsWith(".md"))
          .sorted()
          .toList();
    }
  }

  private static Path root() {
    return Path.of(Objects.requireNonNull(System.getProperty("contexture.root")));
  }

  @Test
  void namesValuesInWordsForPeople() {
    assertThat(
            Main.commandLine().getSubcommands().values().stream()
                .flatMap(DocsTest::specs)
                .flatMap(spec -> spec.options().stream())
                .filter(option -> option.arity().max() > 0)
                .map(OptionSpec::paramLabel))
        .noneMatch(label -> label.startsWith("<"));
    assertThat(Run.of("simulate", "--help").out()).contains("--what-if=CHOICE", "--model=NAME");
    assertThat(Run.of("search", "--help").out()).contains("2026-02-09T02:14:32Z");
  }

  @ParameterizedTest
  @EnumSource
  void documentsTheStatusOfEveryCode(ErrorCode code) throws IOException {
    assertThat(page("docs/reference/errors.md"))
        .contains("| `" + code.wireName() + "` | " + code.httpStatus() + " |");
  }

  @Test
  void documentsEveryExitCode() throws IOException {
    String page = page("docs/cli.md");
    assertThat(Arrays.asList(Main.DONE, Main.FAILED, Main.USAGE))
        .allSatisfy(code -> assertThat(page).contains("| " + code + " |"));
  }

  private static String page(String name) throws IOException {
    return Files.readString(root().resolve(name));
  }
}
