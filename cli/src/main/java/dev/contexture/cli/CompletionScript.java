package dev.contexture.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Scripts that complete commands and options in shells that picocli writes none for. */
final class CompletionScript {
  private CompletionScript() {}

  /** For fish: a line for each command and each option, with its description. */
  static String fish(String name, CommandLine root) {
    StringBuilder script = new StringBuilder("complete -c " + name + " -f\n");
    walk(
        root,
        new ArrayList<>(),
        (path, spec) -> {
          String seen = fishCondition(path, spec);
          spec.subcommands()
              .forEach(
                  (word, command) ->
                      fishLine(script, name, seen, " -a " + word, about(command.getCommandSpec())));
          for (OptionSpec option : spec.options()) {
            fishLine(script, name, seen, fishOption(option), first(option.description()));
          }
        });
    return script.toString();
  }

  /** True where the words behind the name begin with a path, and no command follows that it has. */
  private static String fishCondition(List<String> path, CommandSpec spec) {
    List<String> tests = new ArrayList<>();
    if (path.isEmpty()) {
      tests.add("__fish_use_subcommand");
    }
    path.forEach(word -> tests.add("__fish_seen_subcommand_from " + word));
    if (!path.isEmpty() && !spec.subcommands().isEmpty()) {
      tests.add("not __fish_seen_subcommand_from " + String.join(" ", spec.subcommands().keySet()));
    }
    return String.join("; and ", tests);
  }

  private static String fishOption(OptionSpec option) {
    StringBuilder words = new StringBuilder();
    for (String word : option.names()) {
      words.append(word.startsWith("--") ? " -l " + word.substring(2) : " -s " + word.substring(1));
    }
    return words.append(option.arity().max() > 0 ? " -r" : "").toString();
  }

  private static void fishLine(
      StringBuilder script, String name, String seen, String what, String about) {
    String says =
        about.isEmpty() ? "" : " -d '" + about.replace("\\", "\\\\").replace("'", "\\'") + "'";
    script.append("complete -c " + name + " -n '" + seen + "'" + what + says + "\n");
  }

  /** For PowerShell: the words that may follow each command, in one table. */
  static String powershell(String name, CommandLine root) {
    StringBuilder table = new StringBuilder();
    walk(
        root,
        new ArrayList<>(),
        (path, spec) -> {
          List<String> words = new ArrayList<>(spec.subcommands().keySet());
          spec.options().forEach(option -> words.addAll(List.of(option.names())));
          table.append(
              "    '" + String.join(" ", path) + "' = '" + String.join(" ", words) + "'\n");
        });
    return """
    Register-ArgumentCompleter -Native -CommandName NAME -ScriptBlock {
      param($word, $line, $cursor)
      $follows = @{
    TABLE  }
      $path = ''
      foreach ($one in $line.CommandElements | Select-Object -Skip 1) {
        $next = ("$path " + $one.Extent.Text).Trim()
        if ($one.Extent.EndOffset -lt $cursor -and $follows.ContainsKey($next)) { $path = $next }
      }
      $follows[$path] -split ' ' | Where-Object { $_ -like "$word*" } | ForEach-Object {
        [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
      }
    }
    """
        .replace("NAME", name)
        .replace("TABLE", table);
  }

  private static void walk(
      CommandLine command, List<String> path, BiConsumer<List<String>, CommandSpec> each) {
    each.accept(List.copyOf(path), command.getCommandSpec());
    command
        .getSubcommands()
        .forEach(
            (word, inner) -> {
              path.add(word);
              walk(inner, path, each);
              path.removeLast();
            });
  }

  private static String about(CommandSpec spec) {
    return first(spec.usageMessage().description());
  }

  /** The first sentence, without what stands for a value. */
  private static String first(String[] description) {
    return description.length == 0 ? "" : description[0].replaceAll(" \\(default: \\$\\{.*", "");
  }
}
