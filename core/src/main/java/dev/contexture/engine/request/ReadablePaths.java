package dev.contexture.engine.request;

import dev.contexture.tool.ToolSpec;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Knows which tools can read a path of the conversation. */
final class ReadablePaths {
  private static final String READ = "react_read";
  private static final String BUILT_IN = "react.";

  private ReadablePaths() {}

  /**
   * Tells under which names the model knows the tools of which previews and results speak; empty
   * where it knows them by those.
   */
  static String givenNames(RequestState state) {
    List<ToolSpec> tools = state.tools == null ? List.of() : state.tools;
    String lines =
        tools.stream()
            .map(ToolSpec::name)
            .filter(name -> name.startsWith(BUILT_IN) && !state.wireName(name).equals(name))
            .map(name -> "- `" + name + "` is your tool `" + state.wireName(name) + "`")
            .collect(Collectors.joining("\n"));
    return lines.isEmpty() ? "" : "# Tool Names\n\n" + lines;
  }

  /** Whether one of the tools reads paths; providers have other rules for names. */
  static boolean offeredBy(@Nullable List<ToolSpec> tools) {
    return tools != null
        && tools.stream()
            .map(tool -> tool.name().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "_"))
            .anyMatch(READ::equals);
  }
}
