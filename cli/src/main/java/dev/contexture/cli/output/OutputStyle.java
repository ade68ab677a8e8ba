package dev.contexture.cli.output;

import dev.contexture.cli.support.Arguments;
import dev.contexture.cli.support.Configuration;
import dev.contexture.cli.support.Environment;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The style in which results and failures are printed. Read from the arguments as they are, so that
 * it also holds when they cannot be parsed.
 *
 * @param json whether they are for programs
 * @param out colours of results
 * @param err colours of failures
 * @param progress how work that takes time shows how far it is
 */
public record OutputStyle(boolean json, Paint out, Paint err, Progress.Form progress) {
  public static final String JSON = "--json";
  public static final String COLOR = "--color";

  public static OutputStyle of(
      List<String> args, Configuration configuration, Environment environment) {
    boolean json = Arguments.has(args, JSON);
    String color = Arguments.value(args, COLOR);
    if (color == null) {
      color = configuration.value("color");
    }
    return new OutputStyle(
        json,
        paint(color, environment, environment.outIsTerminal()),
        paint(color, environment, environment.errIsTerminal()),
        json
            ? Progress.Form.NONE
            : environment.errIsTerminal() ? Progress.Form.BAR : Progress.Form.LINES);
  }

  private static Paint paint(@Nullable String color, Environment environment, boolean terminal) {
    boolean wanted =
        terminal
            && environment.variable("NO_COLOR") == null
            && !"dumb".equals(environment.variable("TERM"));
    if (color == null) {
      return wanted ? Paint.COLOURED : Paint.PLAIN;
    }
    return switch (color) {
      case "always" -> Paint.COLOURED;
      case "auto" -> wanted ? Paint.COLOURED : Paint.PLAIN;
      default -> Paint.PLAIN;
    };
  }

  /**
   * Refuses a word that means nothing.
   *
   * @throws ContextureException {@code invalid_argument}
   */
  public static void checkColor(@Nullable String color) {
    if (color != null && !List.of("auto", "always", "never").contains(color)) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT, COLOR, color, "auto, always or never");
    }
  }
}
