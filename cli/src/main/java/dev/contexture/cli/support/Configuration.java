package dev.contexture.cli.support;

import dev.contexture.cli.Commands;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Values for options that the command line does not give: first from the environment ({@code
 * --jdbc-url}: {@code CONTEXTURE_JDBC_URL}), then from a file ({@code jdbc-url = …}).
 *
 * <p>Every option of serve can be set so, whichever it has, and for the other commands those that
 * say where and who: {@link #SHARED}. The rest of their options belong to one call, and a line that
 * changed them unseen would surprise. For the same reason no file is read that nobody named: one
 * that lies in the working directory could send keys to an address of its author. Immutable.
 */
public final class Configuration implements IDefaultValueProvider {
  public static final String OPTION = "--config";

  /** What can be set for every command that has it. */
  static final Set<String> SHARED =
      Set.of(
          "data",
          "tenant",
          "project",
          "key",
          "embedder",
          "summarizer",
          "retain",
          "color",
          "models",
          "model-fact");

  /** What is about one call, or about the configuration itself. */
  private static final Set<String> NEVER = Set.of("help", "version", "json", "config");

  private static final String SERVE = "serve";
  private static final String PREFIX = "CONTEXTURE_";

  private final Environment environment;
  private final @Nullable String file;
  private final Map<String, Line> lines;
  private final @Nullable ContextureException failure;

  private record Line(int number, String value) {}

  private Configuration(
      Environment environment,
      @Nullable String file,
      Map<String, Line> lines,
      @Nullable ContextureException failure) {
    this.environment = environment;
    this.file = file;
    this.lines = lines;
    this.failure = failure;
  }

  /** Reads the file that the arguments or the environment name; without one, none. */
  public static Configuration of(List<String> args, Environment environment) {
    String named = Arguments.value(args, OPTION);
    String file = named == null ? environment.variable(variable("config")) : named;
    if (file == null) {
      return new Configuration(environment, null, Map.of(), null);
    }
    try {
      return new Configuration(environment, file, read(file), null);
    } catch (ContextureException refused) {
      return new Configuration(environment, file, Map.of(), refused);
    }
  }

  private static Map<String, Line> read(String file) {
    Map<String, Line> lines = new LinkedHashMap<>();
    Set<String> known = names();
    int number = 0;
    for (String text : JsonFile.lines(Path.of(file))) {
      number++;
      String line = text.strip();
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      int equals = line.indexOf('=');
      String name = (equals < 0 ? line : line.substring(0, equals)).strip();
      if (!known.contains(name)) {
        throw refused(file, number, unknown(name, known));
      }
      if (equals < 0) {
        throw refused(file, number, "'" + name + "' has no value; write " + name + " = VALUE");
      }
      Line before = lines.put(name, new Line(number, line.substring(equals + 1).strip()));
      if (before != null) {
        throw refused(
            file, number, "'" + name + "' is set in line " + before.number + " already; keep one");
      }
    }
    return lines;
  }

  private static String unknown(String name, Set<String> known) {
    String hint =
        Suggestions.to(name, known)
            .map(near -> "did you mean '" + near + "'?")
            .orElseGet(() -> "settings are " + String.join(", ", known));
    return "there is no setting '" + name + "'; " + hint;
  }

  private static ContextureException refused(String file, int line, String why) {
    return new ContextureException(
        ErrorCode.INVALID_CONFIG,
        file + " line " + line + ": " + why,
        Map.of("field", file, "line", line),
        null);
  }

  /** Everything that can be set: the options of serve, and what all commands share. */
  static Set<String> names() {
    Set<String> names = new TreeSet<>(SHARED);
    CommandSpec serve = CommandSpec.forAnnotatedObject(Commands.make(SERVE));
    serve.options().forEach(option -> names.add(name(option)));
    names.removeAll(NEVER);
    return names;
  }

  public static String name(OptionSpec option) {
    return option.longestName().replaceFirst("^--", "");
  }

  /** The variable of a setting. */
  public static String variable(String name) {
    return PREFIX + name.toUpperCase(Locale.ROOT).replace('-', '_');
  }

  /**
   * Refuses to go on with a file that could not be read.
   *
   * @throws ContextureException {@code invalid_config} with the line, or why there is no such file
   */
  public void check() {
    if (failure != null) {
      throw failure;
    }
  }

  /** What a setting is; null if nobody says so. */
  public @Nullable String value(String name) {
    String variable = environment.variable(variable(name));
    Line line = lines.get(name);
    return variable != null ? variable : line == null ? null : line.value;
  }

  @Override
  public @Nullable String defaultValue(ArgSpec argument) {
    return applies(argument) ? value(name((OptionSpec) argument)) : null;
  }

  private static boolean applies(ArgSpec argument) {
    if (!(argument instanceof OptionSpec option)) {
      return false;
    }
    String name = name(option);
    boolean serves = option.command() != null && option.command().name().equals(SERVE);
    return !NEVER.contains(name) && (serves || SHARED.contains(name));
  }

  /** Where the value of an argument comes from, if not from the command line. */
  public Optional<String> origin(@Nullable ArgSpec argument, @Nullable String value) {
    if (argument == null || !applies(argument)) {
      return Optional.empty();
    }
    String name = name((OptionSpec) argument);
    if (value == null || !value.equals(value(name))) {
      return Optional.empty();
    }
    Line line = lines.get(name);
    return environment.variable(variable(name)) != null
        ? Optional.of(variable(name))
        : Optional.ofNullable(line).map(from -> file + " line " + from.number);
  }

  /** Variables that look like settings and are none, with what was probably meant. */
  public static Map<String, String> unknownVariables(Environment environment, Set<String> others) {
    Set<String> known = new TreeSet<>(others);
    names().forEach(name -> known.add(variable(name)));
    known.add(variable("config"));
    Map<String, String> unknown = new HashMap<>();
    for (String name : environment.variables().keySet()) {
      if (name.startsWith(PREFIX) && !known.contains(name)) {
        unknown.put(name, Suggestions.to(name, known).orElse(""));
      }
    }
    return unknown;
  }
}
