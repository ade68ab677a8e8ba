package dev.contexture.cli.support;

import dev.contexture.error.ContextureException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Looks into arguments that are not parsed yet, and names those that were refused. */
public final class Arguments {
  private Arguments() {}

  /** Whether an option without a value is there. */
  public static boolean has(List<String> args, String option) {
    return options(args).contains(option);
  }

  /** The value of an option, given as {@code --name value} or {@code --name=value}. */
  static @Nullable public String value(List<String> args, String option) {
    List<String> read = options(args);
    String found = null;
    for (int i = 0; i < read.size(); i++) {
      if (read.get(i).startsWith(option + "=")) {
        found = read.get(i).substring(option.length() + 1);
      } else if (read.get(i).equals(option) && i + 1 < read.size()) {
        found = read.get(i + 1);
      }
    }
    return found;
  }

  /**
   * The same refusal, with the option in the place of the field that it sets.
   *
   * @param options their names by field
   */
  public static ContextureException named(
      ContextureException refused, Map<String, String> options) {
    String field = refused.field().orElse("");
    String option = options.get(field);
    String message = Objects.requireNonNullElse(refused.getMessage(), "");
    if (option == null || !message.startsWith(field + " ")) {
      return refused;
    }
    Map<String, Object> details = new LinkedHashMap<>(refused.details());
    details.put("field", option);
    return new ContextureException(
        refused.code(), option + message.substring(field.length()), details, refused);
  }

  /** Those before {@code --}, behind which nothing is an option. */
  private static List<String> options(List<String> args) {
    int end = args.indexOf("--");
    return end < 0 ? args : args.subList(0, end);
  }
}
