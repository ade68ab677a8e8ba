package dev.contexture.engine.request;

import dev.contexture.tool.ToolSpec;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Knows which tools can read a path of the conversation. */
final class ReadablePaths {
  private static final String READ = "react_read";

  private ReadablePaths() {}

  /** Whether one of the tools reads paths; providers have other rules for names. */
  static boolean offeredBy(@Nullable List<ToolSpec> tools) {
    return tools != null
        && tools.stream()
            .map(tool -> tool.name().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "_"))
            .anyMatch(READ::equals);
  }
}
