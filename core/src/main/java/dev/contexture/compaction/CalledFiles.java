package dev.contexture.compaction;

import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the files that the arguments of a call name: as a path, or inside the text of a patch. */
final class CalledFiles {
  private static final List<String> KEYS =
      List.of("path", "file_path", "filePath", "filename", "file", "target_file", "notebook_path");
  private static final Pattern PATCH_LINE =
      Pattern.compile(
          "^(?:\\*\\*\\* (?:Add|Update|Delete) File: |\\*\\*\\* Move to: |\\+\\+\\+ )([^\\t\\r"
              + "\\n"
              + "]+)",
          Pattern.MULTILINE);
  private static final String NOTHING = "/dev/null";

  private CalledFiles() {}

  static List<String> of(JsonObject params) {
    Optional<String> named =
        KEYS.stream()
            .flatMap(key -> params.string(key).stream())
            .filter(path -> !path.isBlank())
            .findFirst();
    return named.map(List::of).orElseGet(() -> inPatches(params));
  }

  private static List<String> inPatches(JsonObject params) {
    Set<String> found = new LinkedHashSet<>();
    for (JsonValue value : params.members().values()) {
      if (value instanceof JsonString text) {
        Matcher line = PATCH_LINE.matcher(text.value());
        while (line.find()) {
          found.add(path(line.group(), line.group(1).strip()));
        }
      }
    }
    found.remove(NOTHING);
    return new ArrayList<>(found);
  }

  /** A unified diff names the new side with a prefix. */
  private static String path(String line, String name) {
    return line.startsWith("+++") && name.startsWith("b/") ? name.substring(2) : name;
  }
}
