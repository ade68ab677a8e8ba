package dev.contexture.cli.support;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Looks into arguments that are not parsed yet, for what decides how they are parsed. */
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

  /** Those before {@code --}, behind which nothing is an option. */
  private static List<String> options(List<String> args) {
    int end = args.indexOf("--");
    return end < 0 ? args : args.subList(0, end);
  }
}
