package dev.contexture.compaction.summary;

import dev.contexture.block.BlockType;
import dev.contexture.token.TokenMeter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The identifiers of what a summary replaces, each once, the newest first: what an agent met last
 * is what it asks for next, whether or not it was named before.
 *
 * <p>An identifier is a url up to a blank, quote or bracket; or a run of 4 to 120 of {@code
 * [A-Za-z0-9_./:@-]} without a mark at its ends that holds a digit, {@code _}, {@code /} or a
 * capital after a small letter. The underscore and the slash belong to names and paths and may
 * stand at the ends. The engine's own ids, labels and field names are none.
 */
public final class References {
  private static final int MIN_CHARS = 4;
  private static final int MAX_CHARS = 120;
  private static final int MAX_CHARS_PER_TOKEN = 8;
  private static final Pattern FOUND =
      Pattern.compile("https?://[^\\s\"'`<>()\\[\\]{}]+|[A-Za-z0-9_./:@-]+");
  private static final Pattern MARKS_ONLY = Pattern.compile("[_/.:@-]*");
  private static final Pattern ESCAPE = Pattern.compile("\\\\(?:u[0-9a-fA-F]{4}|.)");
  private static final Pattern LABEL =
      Pattern.compile(
          "^\\[(?:path|physical_path): [^\\n]*\\]$|^\\[(?:react\\.|USER |ASSISTANT |AI Agent |"
              + "INTERNAL |SYSTEM |TURN )[^\\n\\]]*\\](?: \\([A-Za-z ]+\\))?:?|"
              + "^  \"tool_(?:call_)?id\": [^\\n]*$|^\\[PREVIEW\\][^\\n]*$",
          Pattern.MULTILINE);
  private static final Pattern OF_ENGINE =
      Pattern.compile("(?:ar|fi|tc|so|su|sk):.*|tc_.*|su_.*|turn_\\d+_.*|react\\..*");
  private static final Pattern DIGITS = Pattern.compile("[0-9]+");
  private static final Set<String> FIELDS_OF_ENGINE =
      Set.of("tool_id", "tool_call_id", "turn_id", "artifact_path", "is_error", "top_k");

  private final Map<String, Uses> found = new LinkedHashMap<>();

  /** How often an identifier was met, and whether somebody asked for it. */
  private static final class Uses {
    int times;
    boolean asked;
  }

  /**
   * The identifiers of the blocks, newest first, then those that a previous summary lists; without
   * those that still stand in what remains visible.
   */
  public static References of(
      List<SummaryRequest.Item> oldestFirst,
      Collection<String> previous,
      Collection<String> remaining) {
    References references = new References();
    for (SummaryRequest.Item item : oldestFirst.reversed()) {
      boolean engine = item.tool().filter(tool -> tool.startsWith("react.")).isPresent();
      if (!engine) {
        boolean asked = item.type().isCall() || item.type().equals(BlockType.USER_PROMPT);
        references.add(content(item), asked);
      }
    }
    for (String word : previous) {
      references.found.computeIfAbsent(word, unused -> new Uses()).asked = true;
    }
    remaining.forEach(text -> references.found.keySet().removeAll(wordsOf(text)));
    return references;
  }

  /** The identifiers of one text, in its order. */
  public static Set<String> wordsOf(String text) {
    return new LinkedHashSet<>(occurrences(text));
  }

  private static List<String> occurrences(String text) {
    List<String> words = new ArrayList<>();
    Matcher run = FOUND.matcher(text);
    while (run.find()) {
      String word = run.group();
      boolean url = word.startsWith("http://") || word.startsWith("https://");
      String trimmed = url ? trimmed(word, ".,;:!?") : trimmed(word, ".:@-");
      if (url || isReference(trimmed)) {
        words.add(trimmed);
      }
    }
    return words;
  }

  /** What a block says, without labels, paths and, in calls and results, the engine's ids. */
  public static String content(SummaryRequest.Item item) {
    if (item.type().equals(BlockType.TURN_HEADER)) {
      return "";
    }
    String text = LABEL.matcher(item.text()).replaceAll("");
    boolean json = item.type().isCall() || item.text().contains("] (JSON");
    return json ? ESCAPE.matcher(text).replaceAll(" ") : text;
  }

  /** As many whole identifiers as the tokens allow, separated by blanks. */
  public String text(long tokens, TokenMeter meter) {
    List<String> words = bounded(tokens);
    int low = 0;
    int high = words.size();
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (meter.texts(List.of(joined(words, middle))) <= tokens) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return joined(words, low);
  }

  /** Numbers alone are wanted only if somebody asked for them, or if they occur again. */
  private List<String> wanted() {
    List<String> wanted = new ArrayList<>();
    found.forEach(
        (word, uses) -> {
          if (uses.asked || uses.times > 1 || !DIGITS.matcher(word).matches()) {
            wanted.add(word);
          }
        });
    return wanted;
  }

  private List<String> bounded(long tokens) {
    List<String> words = new ArrayList<>();
    long chars = 0;
    for (String word : wanted()) {
      chars += word.length() + 1;
      if (chars > tokens * MAX_CHARS_PER_TOKEN) {
        break;
      }
      words.add(word);
    }
    return words;
  }

  private static String joined(List<String> words, int count) {
    return String.join(" ", words.subList(0, count));
  }

  private void add(String text, boolean asked) {
    for (String word : occurrences(text)) {
      found.computeIfAbsent(word, unused -> new Uses()).times++;
    }
    if (asked) {
      wordsOf(text).forEach(word -> found.computeIfAbsent(word, unused -> new Uses()).asked = true);
    }
  }

  private static String trimmed(String word, String marks) {
    int start = 0;
    int end = word.length();
    while (start < end && marks.indexOf(word.charAt(start)) >= 0) {
      start++;
    }
    while (end > start && marks.indexOf(word.charAt(end - 1)) >= 0) {
      end--;
    }
    return word.substring(start, end);
  }

  private static boolean isReference(String word) {
    if (word.length() < MIN_CHARS
        || word.length() > MAX_CHARS
        || MARKS_ONLY.matcher(word).matches()
        || OF_ENGINE.matcher(word).matches()
        || FIELDS_OF_ENGINE.contains(word)) {
      return false;
    }
    for (int i = 0; i < word.length(); i++) {
      char c = word.charAt(i);
      boolean hump = i > 0 && isUpper(c) && isLower(word.charAt(i - 1));
      if ((c >= '0' && c <= '9') || c == '_' || c == '/' || hump) {
        return true;
      }
    }
    return false;
  }

  private static boolean isUpper(char c) {
    return c >= 'A' && c <= 'Z';
  }

  private static boolean isLower(char c) {
    return c >= 'a' && c <= 'z';
  }
}
