package dev.contexture.compaction.summary;

import dev.contexture.json.JsonObject;
import dev.contexture.timeline.TimelineEntry;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The kind of work that a tool does: as it is declared, else told by the words of its name, in
 * {@code snake_case}, {@code camelCase} or {@code dotted.form}.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.2")
public enum ToolKind {
  READ,
  WRITE,
  PATCH,
  EXECUTE,
  SEARCH_MEMORY,
  OTHER;

  /** The key of a call block's metadata that holds a declared kind. */
  public static final String META_KEY = "tool_kind";

  private static final Pattern SEGMENTS = Pattern.compile("[./:]+");
  private static final Pattern WORDS =
      Pattern.compile("[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])");
  private static final Set<String> MEMORY_SEARCHES = Set.of("memsearch", "memoryread");
  private static final Set<String> WEAK_READS = Set.of("search", "find", "look", "lookup", "open");
  private static final List<String> COMMANDS = List.of("command", "action", "operation", "op");
  private static final Map<String, ToolKind> BY_WORD =
      Map.of(
              READ, "read get list view show fetch describe cat ls grep glob",
              WRITE, "write create save append",
              PATCH, "patch edit editor replace apply insert update modify",
              EXECUTE, "exec execute run bash shell terminal python command")
          .entrySet()
          .stream()
          .flatMap(
              e -> Stream.of(e.getValue().split(" ", -1)).map(word -> Map.entry(word, e.getKey())))
          .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
  private static final Map<String, ToolKind> BY_WIRE_NAME =
      Arrays.stream(values())
          .collect(Collectors.toUnmodifiableMap(ToolKind::wireName, Function.identity()));

  /**
   * What the tool of a call or a result does: as it was declared, else as its name and its command
   * tell.
   *
   * @param call the call that the block belongs to; the block itself if there is none
   */
  public static ToolKind of(TimelineEntry entry, TimelineEntry call) {
    return call.block()
        .meta()
        .string(META_KEY)
        .flatMap(ToolKind::named)
        .orElseGet(
            () ->
                of(entry.ownToolId().or(call::ownToolId).orElse(null))
                    .narrowedBy(call.callParams()));
  }

  /**
   * The kind that a name tells: of its last segment, or of the one before where that tells none.
   */
  public static ToolKind of(@Nullable String tool) {
    List<String> segments = tool == null ? List.of() : List.of(SEGMENTS.split(tool));
    return segments.reversed().stream()
        .map(ToolKind::ofSegment)
        .filter(kind -> kind != OTHER)
        .findFirst()
        .orElse(OTHER);
  }

  /** The first word that says something decides; a search may still be one for a replacement. */
  private static ToolKind ofSegment(String segment) {
    List<String> words =
        WORDS.splitAsStream(segment).map(word -> word.toLowerCase(Locale.ROOT)).toList();
    if (MEMORY_SEARCHES.contains(String.join("", words))) {
      return SEARCH_MEMORY;
    }
    return words.stream()
        .filter(BY_WORD::containsKey)
        .findFirst()
        .map(BY_WORD::get)
        .orElse(words.stream().anyMatch(WEAK_READS::contains) ? READ : OTHER);
  }

  public static Optional<ToolKind> named(String wireName) {
    return Optional.ofNullable(BY_WIRE_NAME.get(wireName));
  }

  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The kind of one call: an editor with several commands does what the command says. */
  public ToolKind narrowedBy(JsonObject params) {
    if (!writes()) {
      return this;
    }
    return COMMANDS.stream()
        .flatMap(key -> params.string(key).stream())
        .map(ToolKind::of)
        .filter(kind -> kind == READ || kind.writes())
        .findFirst()
        .orElse(this);
  }

  /** Whether it changes files. */
  public boolean writes() {
    return this == WRITE || this == PATCH;
  }
}
