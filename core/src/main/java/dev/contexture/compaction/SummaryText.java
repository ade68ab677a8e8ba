package dev.contexture.compaction;

import dev.contexture.block.BlockPath;
import dev.contexture.block.TurnId;
import dev.contexture.compaction.summary.LeftOut;
import dev.contexture.compaction.summary.SummaryContent;
import dev.contexture.compaction.summary.SummaryEntry;
import dev.contexture.compaction.summary.SummaryEntry.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The text of a summary, made of its entries by fixed rules. */
final class SummaryText {
  static final String NO_HISTORY = "No prior history.";
  static final String SPLIT_LABEL = "**Turn Context (split turn):**";

  private static final int MAX_NAMED = 8;
  private static final Set<Kind> LINES =
      Set.of(Kind.USER, Kind.ANSWER, Kind.DECISION, Kind.ERROR, Kind.PROGRESS);

  private SummaryText() {}

  /**
   * @param requestBelow whether the divided turn's request is shown again behind the summary
   */
  static String of(SummaryContent content, boolean requestBelow) {
    List<String> sections = new ArrayList<>(main(content));
    if (sections.isEmpty()) {
      sections.add(NO_HISTORY);
    }
    if (content.split() != null) {
      sections.add("---");
      sections.add(SPLIT_LABEL);
      request(content, content.split(), requestBelow, sections);
      content.of(Kind.PREFIX).forEach(entry -> sections.add(entry.text()));
      List<String> lines = lines(content, true);
      if (!lines.isEmpty()) {
        sections.add("## In Progress\n" + String.join("\n", lines));
      }
    }
    content
        .of(Kind.REFERENCE)
        .forEach(entry -> sections.add("## References\n" + nonBlankLines(entry.text())));
    if (content.listsPaths() && !content.of(Kind.FILE).isEmpty()) {
      sections.add(
          content.of(Kind.FILE).reversed().stream()
              .map(SummaryText::fileLine)
              .collect(Collectors.joining("\n", "## Recoverable paths\n", "")));
    }
    return String.join("\n\n", sections);
  }

  private static List<String> main(SummaryContent content) {
    List<String> sections = new ArrayList<>();
    content.of(Kind.EARLIER).forEach(entry -> sections.add(entry.text()));
    List<String> lines = lines(content, false);
    if (!lines.isEmpty()) {
      sections.add("## What the user said\n" + String.join("\n", lines));
    }
    content.of(Kind.PROSE).forEach(entry -> sections.add(entry.text()));
    return sections;
  }

  /**
   * What was said and noted, in the order of the conversation; what lies between two runs of one
   * message is left out.
   *
   * @param divided of the divided turn, without its request; else of all others
   */
  private static List<String> lines(SummaryContent content, boolean divided) {
    Map<String, String> lines = new LinkedHashMap<>();
    for (SummaryEntry entry : content.entries()) {
      TurnId split = content.split();
      boolean own = entry.turn().equals(split);
      if (LINES.contains(entry.kind()) && own == divided && !isRequest(entry, split)) {
        String key =
            entry.kind() == Kind.USER
                ? entry.path().map(BlockPath::text).orElse(entry.turn().value())
                : "line " + lines.size();
        lines.merge(key, line(entry, content.listsPaths()), (a, b) -> a + " … " + entry.text());
      }
    }
    List<String> shown = new ArrayList<>(lines.values());
    List<LeftOut> less =
        content.leftOut().stream().filter(left -> left.kind() == Kind.USER).toList();
    long count = less.size() + content.leftOutBefore();
    if (!divided && count > 0) {
      shown.add(leftOut(count, less, content.listsPaths()));
    }
    return shown;
  }

  private static String leftOut(long messages, List<LeftOut> less, boolean listsPaths) {
    String count =
        "("
            + messages
            + (messages == 1 ? " message of the user is" : " messages of the user are")
            + " not here in full";
    String paths =
        less.reversed().stream()
            .map(LeftOut::path)
            .filter(path -> !path.isEmpty())
            .limit(MAX_NAMED)
            .collect(Collectors.joining(", "));
    return listsPaths && !paths.isEmpty() ? count + ": " + paths + ")" : count + ")";
  }

  private static void request(
      SummaryContent content, TurnId split, boolean below, List<String> sections) {
    String path = "Original request (" + BlockPath.userPrompt(split) + "): ";
    if (below) {
      sections.add(path + "see below");
      return;
    }
    String said =
        content.of(Kind.USER).stream()
            .filter(entry -> isRequest(entry, split))
            .map(SummaryEntry::text)
            .collect(Collectors.joining(" … "));
    if (!said.isEmpty()) {
      sections.add(path + said);
    }
  }

  private static boolean isRequest(SummaryEntry entry, @Nullable TurnId split) {
    return split != null && entry.path().map(BlockPath.userPrompt(split)::equals).orElse(false);
  }

  static String line(SummaryEntry entry, boolean listsPaths) {
    boolean cut = entry.kind() != Kind.USER && entry.text().endsWith("…");
    String path = listsPaths && cut ? entry.path().map(p -> " (" + p + ")").orElse("") : "";
    return "- " + label(entry.kind()) + entry.text() + path;
  }

  private static String label(Kind kind) {
    return switch (kind) {
      case ANSWER -> "Agent: ";
      case DECISION -> "Decided: ";
      case ERROR -> "Failed: ";
      default -> "";
    };
  }

  static String fileLine(SummaryEntry entry) {
    return "- " + entry.path().map(BlockPath::text).orElse("") + " (" + entry.text() + ")";
  }

  private static String nonBlankLines(String text) {
    return text.lines().filter(line -> !line.isBlank()).collect(Collectors.joining("\n"));
  }
}
