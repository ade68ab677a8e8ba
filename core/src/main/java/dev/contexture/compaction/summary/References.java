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
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The identifiers of what a summary replaces, each once, the newest first: what an agent met last
 * is what it asks for next. Those that somebody asked for (a call took them, the user wrote them)
 * are listed apart and first, with a share of the room of their own: an agent comes back to them
 * long after what only results named is of no use any more. What the agent itself wrote once, and
 * versions, come last, where room is left.
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
  private static final int ASKED_PERCENT = 65;
  private static final Pattern FOUND =
      Pattern.compile("https?://[^\\s\"'`<>()\\[\\]{}]+|[A-Za-z0-9_./:@-]+");
  private static final Pattern DIGITS = Pattern.compile("\\d+");
  private static final Pattern VERSION = Pattern.compile("\\d{1,4}(?:\\.\\d{1,4}){1,3}");
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

  /** A name of code: no path, no number, no hash and no file, which listings are full of. */
  private static final Pattern NAME =
      Pattern.compile(
          "(?!.*\\.[a-z]{1,4}$)(?=.*(?:[_.0-9]|[a-z][A-Z]))[A-Za-z_][A-Za-z0-9_]*(?:[.:]+[A-Za-z_][A-Za-z0-9_]*)*");

  private static final Set<BlockType> WRITTEN_BY_AGENT =
      Set.of(BlockType.ASSISTANT_COMPLETION, BlockType.REACT_NOTES, BlockType.REACT_NOTE);
  private static final Set<String> FIELDS_OF_ENGINE =
      Set.of("tool_id", "tool_call_id", "turn_id", "artifact_path", "is_error", "top_k");

  private final Map<String, Uses> found = new LinkedHashMap<>();

  /**
   * The number of times that an identifier was met, whether somebody asked for it, or the agent
   * wrote it.
   */
  private static final class Uses {
    int times;
    boolean asked;
    boolean written;

    Rank rank(String word) {
      if (asked) {
        return Rank.ASKED;
      }
      if (times > 1 || NAME.matcher(word).matches()) {
        return Rank.MET;
      }
      boolean single = written ? !DIGITS.matcher(word).matches() : VERSION.matcher(word).matches();
      return single ? Rank.SINGLE : Rank.NONE;
    }
  }

  /** The reason why an identifier is listed; each has a line of the list, in this order. */
  private enum Rank {
    ASKED,
    MET,
    SINGLE,
    NONE
  }

  /**
   * The identifiers that a summary named: those that were asked for, those that were only met, and
   * those that were named once and are worth it; newest first.
   */
  public record Known(List<String> asked, List<String> met, List<String> single) {
    public Known {
      asked = List.copyOf(asked);
      met = List.copyOf(met);
      single = List.copyOf(single);
    }
  }

  /**
   * What the entries of a summary name: its list, and also its lines, which may go now, since the
   * list leaves out what they say.
   */
  public static Known knownBy(List<SummaryEntry> entries) {
    Set<String> asked = new LinkedHashSet<>();
    List<String> listed = new ArrayList<>();
    List<String> said = new ArrayList<>();
    List<String> met = new ArrayList<>();
    List<String> single = new ArrayList<>();
    for (SummaryEntry entry : entries.reversed()) {
      switch (entry.kind()) {
        case REFERENCE -> {
          List<List<String>> lines = entry.text().lines().map(References::split).toList();
          listed.addAll(lines.getFirst());
          lines.stream().skip(1).limit(1).forEach(met::addAll);
          lines.stream().skip(2).forEach(single::addAll);
        }
        case USER -> said.addAll(wordsOf(entry.text()));
        default -> asked.addAll(wordsOf(entry.text()));
      }
    }
    asked.addAll(listed);
    asked.addAll(said);
    return new Known(List.copyOf(asked), met, single);
  }

  private static List<String> split(String line) {
    return Stream.of(line.split(" ")).filter(word -> !word.isEmpty()).toList();
  }

  /**
   * The identifiers of the blocks, newest first, then those that a previous summary names; without
   * those that still stand in what remains visible.
   */
  public static References of(
      List<SummaryRequest.Item> oldestFirst, Known previous, Collection<String> remaining) {
    References references = new References();
    for (SummaryRequest.Item item : oldestFirst.reversed()) {
      boolean engine = item.tool().filter(tool -> tool.startsWith("react.")).isPresent();
      if (!engine) {
        references.add(item);
      }
    }
    for (String word : previous.asked) {
      references.found.computeIfAbsent(word, unused -> new Uses()).asked = true;
    }
    for (String word : previous.met) {
      references.found.computeIfAbsent(word, unused -> new Uses()).times += 2;
    }
    for (String word : previous.single) {
      references.found.computeIfAbsent(word, unused -> new Uses()).written = true;
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

  /**
   * As many whole identifiers as the tokens allow: a line of those asked for, one of those met and
   * one of those that were named once; a line before others may be empty. Empty if there is none.
   */
  public String text(long tokens, TokenMeter meter) {
    List<String> asked = words(Rank.ASKED);
    List<String> met = words(Rank.MET);
    List<String> single = words(Rank.SINGLE);
    int first = fitting(asked, tokens * ASKED_PERCENT / 100, meter);
    int second = fitting(met, tokens - cost(asked, first, meter), meter);
    if (second == met.size()) {
      first = fitting(asked, tokens - cost(met, second, meter), meter);
    }
    long left = tokens - cost(asked, first, meter) - cost(met, second, meter);
    int third = fitting(single, left, meter);
    return (joined(asked, first) + "\n" + joined(met, second) + "\n" + joined(single, third))
        .stripTrailing();
  }

  private List<String> words(Rank rank) {
    List<String> wanted = new ArrayList<>();
    found.forEach(
        (word, uses) -> {
          if (uses.rank(word) == rank) {
            wanted.add(word);
          }
        });
    return wanted;
  }

  /** How many of the words fit. */
  private static int fitting(List<String> all, long tokens, TokenMeter meter) {
    int low = 0;
    int high = bounded(all, tokens);
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (cost(all, middle, meter) <= tokens) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  private static int bounded(List<String> words, long tokens) {
    long chars = 0;
    int count = 0;
    while (count < words.size() && chars <= tokens * MAX_CHARS_PER_TOKEN) {
      chars += words.get(count++).length() + 1;
    }
    return count;
  }

  private static long cost(List<String> words, int count, TokenMeter meter) {
    return count == 0 ? 0 : meter.texts(List.of(joined(words, count) + "\n"));
  }

  private static String joined(List<String> words, int count) {
    return String.join(" ", words.subList(0, count));
  }

  /** A list as {@link #text} gives it, without some of its words. */
  public static String without(String text, Set<String> words) {
    return text.lines()
        .map(
            line ->
                split(line).stream()
                    .filter(word -> !words.contains(word))
                    .collect(Collectors.joining(" ")))
        .collect(Collectors.joining("\n"));
  }

  private void add(SummaryRequest.Item item) {
    boolean asked = item.type().isCall() || item.type().equals(BlockType.USER_PROMPT);
    boolean written = WRITTEN_BY_AGENT.contains(item.type());
    for (String word : occurrences(content(item))) {
      Uses uses = found.computeIfAbsent(word, unused -> new Uses());
      uses.times++;
      uses.asked |= asked;
      uses.written |= written;
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
