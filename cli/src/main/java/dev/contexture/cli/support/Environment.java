package dev.contexture.cli.support;

import java.io.Console;
import java.lang.reflect.InvocationTargetException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The environment of a run: its variables and its output streams.
 *
 * @param variables of the environment
 * @param outIsTerminal whether people see standard output as it comes
 * @param errIsTerminal the same for standard error
 */
public record Environment(
    Map<String, String> variables, boolean outIsTerminal, boolean errIsTerminal) {
  /** Set by the launcher, which can ask for each output: holds 1 and 2 where it is a terminal. */
  private static final String TERMINALS = "contexture.terminals";

  public Environment {
    variables = Map.copyOf(variables);
  }

  /** Of this process. */
  public static Environment ofProcess() {
    String told = System.getProperty(TERMINALS);
    boolean both = told == null && isConsole();
    return new Environment(
        System.getenv(),
        told == null ? both : told.contains("1"),
        told == null ? both : told.contains("2"));
  }

  /** Java knows only about all three streams at once; from release 22 on it has to be asked. */
  @SuppressWarnings("SystemConsoleNull") // before release 22 it is null; after, it is asked
  private static boolean isConsole() {
    Console console = System.console();
    if (console == null) {
      return false;
    }
    try {
      return Boolean.TRUE.equals(Console.class.getMethod("isTerminal").invoke(console));
    } catch (NoSuchMethodException before22) {
      return true;
    } catch (IllegalAccessException | InvocationTargetException unknown) {
      return false;
    }
  }

  /** Asks whoever sits at the terminal; null where nobody does. */
  @SuppressWarnings("SystemConsoleNull") // before release 22 it is null; after, it is asked
  @Nullable
  public String ask(String question) {
    Console console = outIsTerminal && errIsTerminal && isConsole() ? System.console() : null;
    return console == null ? null : console.readLine("%s", question);
  }

  /** A variable; null if it is not set, or empty. */
  @Nullable
  public String variable(String name) {
    String value = variables.get(name);
    return value == null || value.isEmpty() ? null : value;
  }
}
