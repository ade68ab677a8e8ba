package dev.contexture.compaction.summary;

import dev.contexture.block.BlockType;
import dev.contexture.token.TokenMeter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The references of what a summary replaces: urls, paths, ids, symbols and numbers, each once, from
 * the newest block to the oldest.
 *
 * <p>A reference is a url up to a blank, quote or bracket; or a run of 4 to 120 of {@code
 * [A-Za-z0-9_./:@-]} without a mark at its ends that holds a digit, {@code _}, {@code /} or a
 * capital after a small letter; or a number of two or more digits. The underscore and the slash
 * belong to names and paths and may stand at the ends.
 */
public final class Inventory {
  public static final String HEADING = "## References";

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

  private final Set<String> references = new LinkedHashSet<>();

  /**
   * The references of the blocks, newest first, then those that a previous summary lists; without
   * those that still stand in what remains visible.
   */
  public static Inventory of(
      List<SummaryRequest.Item> oldestFirst, Collection<String> previous, List<String> remaining) {
    Inventory inventory = new Inventory();
    for (SummaryRequest.Item item : oldestFirst.reversed()) {
      inventory.add(content(item));
    }
    inventory.references.addAll(previous);
    Inventory visible = new Inventory();
    remaining.forEach(visible::add);
    inventory.references.removeAll(visible.references);
    return inventory;
  }

  /** The references of one text, in its order. */
  public static Set<String> referencesOf(String text) {
    Inventory inventory = new Inventory();
    inventory.add(text);
    return inventory.references;
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

  /** The text with the newer half of the references that it ends with; without any, as it is. */
  static String halved(String text) {
    int at = text.lastIndexOf(HEADING + "\n");
    if (at < 0) {
      return text;
    }
    List<String> words = List.of(text.substring(at + HEADING.length()).strip().split("\\s+"));
    String before = text.substring(0, at).stripTrailing();
    String kept = words.size() < 2 ? "" : joined(words, words.size() / 2);
    if (before.isEmpty()) {
      return kept.isEmpty() ? text : kept;
    }
    return kept.isEmpty() ? before : before + "\n\n" + kept;
  }

  /** The heading and as many whole references as the tokens allow; empty if not one fits. */
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
    return low == 0 ? "" : joined(words, low);
  }

  private List<String> bounded(long tokens) {
    List<String> words = new ArrayList<>();
    long chars = 0;
    for (String word : references) {
      chars += word.length() + 1;
      if (chars > tokens * MAX_CHARS_PER_TOKEN) {
        break;
      }
      words.add(word);
    }
    return words;
  }

  private static String joined(List<String> words, int count) {
    return HEADING + "\n" + String.join(" ", words.subList(0, count));
  }

  private void add(String text) {
    Matcher found = FOUND.matcher(text);
    while (found.find()) {
      String word = found.group();
      if (word.startsWith("http://") || word.startsWith("https://")) {
        references.add(trimmed(word, ".,;:!?"));
      } else {
        addRun(trimmed(word, ".:@-"));
      }
    }
  }

  private void addRun(String word) {
    if (isNumber(word) || (isReference(word) && word.length() <= MAX_CHARS)) {
      references.add(word);
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

  private static boolean isNumber(String word) {
    return word.length() >= 2
        && word.length() < MIN_CHARS
        && word.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  private static boolean isReference(String word) {
    if (word.length() < MIN_CHARS || MARKS_ONLY.matcher(word).matches()) {
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
