package dev.contexture.compaction.summary;

import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a tool does, told by the words of its name behind the last dot. */
public enum ToolKind {
  WRITE,
  PATCH,
  EXECUTE,
  SEARCH_MEMORY,
  OTHER;

  private static final Set<String> WRITES = Set.of("write", "create", "save");
  private static final Set<String> PATCHES = Set.of("patch", "edit", "replace", "apply");
  private static final Set<String> EXECUTES =
      Set.of("exec", "execute", "run", "bash", "shell", "python", "command");

  public static ToolKind of(@Nullable String tool) {
    if (tool == null) {
      return OTHER;
    }
    String name = tool.substring(tool.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    if (name.equals("memsearch") || name.equals("memory_read")) {
      return SEARCH_MEMORY;
    }
    for (String word : name.split("[_-]")) {
      if (PATCHES.contains(word)) {
        return PATCH;
      }
      if (WRITES.contains(word)) {
        return WRITE;
      }
      if (EXECUTES.contains(word)) {
        return EXECUTE;
      }
    }
    return OTHER;
  }

  /** Whether it changes files. */
  public boolean writes() {
    return this == WRITE || this == PATCH;
  }
}
