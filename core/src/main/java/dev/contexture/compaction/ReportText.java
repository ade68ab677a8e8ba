package dev.contexture.compaction;

import dev.contexture.block.TurnId;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.timeline.Summary;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A report in words. */
final class ReportText {
  private static final int MAX_NAMES = 8;
  private static final Map<String, String> DIGEST_WORDS =
      Map.of(
          "written_files", "files written",
          "patched_files", "files patched",
          "exec_outputs", "outputs",
          "memsearches", "searches",
          "hidden_blocks", "hidden blocks");

  private ReportText() {}

  static String of(CompactionReport report) {
    List<String> lines = new ArrayList<>();
    lines.add("Compaction " + report.status().wireName() + ": " + why(report.reason()));
    lines.add(tokens(report));
    report.summary().ifPresent(summary -> addSummary(lines, report, summary));
    report.archiving().ifPresent(archiving -> addArchiving(lines, archiving));
    return String.join("\n", lines) + "\n";
  }

  private static String why(String reason) {
    return switch (reason) {
      case "over_limit" -> "the context was above its limit";
      case "over_cap" -> "there were more messages than allowed";
      case "forced" -> "it was asked for";
      case "below_limit" -> "the context is within its limit";
      case "preview" -> "previews of large blocks were enough";
      case "no_cut" -> "no block can be cut at";
      case "no_reduction" -> "the summary would not have been shorter than what it replaces";
      case "no_meaningful_history" -> "nothing before the cut is worth a summary";
      case "conflict" -> "others changed the conversation each time";
      case "blank_summary" -> "the summariser answered nothing";
      case "summary_too_long" -> "the summary was longer than allowed";
      case "input_too_large" -> "the summariser cannot read that much";
      case "active_turn_over_budget" -> "the active turn alone is above the budget";
      default -> reason;
    };
  }

  private static String tokens(CompactionReport report) {
    long before = report.tokensBefore();
    long after = report.tokensAfter();
    if (before == after) {
      return "  tokens: " + before;
    }
    long percent = before == 0 ? 0 : Math.round(100.0 * (after - before) / before);
    return "  tokens: " + before + " -> " + after + " (" + percent + " %)";
  }

  private static void addSummary(List<String> lines, CompactionReport report, Summary summary) {
    lines.add(
        "  summary "
            + summary.id()
            + " stands before block "
            + summary.cutSeq()
            + " for "
            + report.compactedBlocks()
            + " more blocks; it covers "
            + turns(report.coveredTurns()));
    summary
        .meta()
        .string(SummaryRow.SPLIT_TURN)
        .ifPresent(
            turn ->
                lines.add(
                    "  turn "
                        + turn
                        + " is divided; its prompt is "
                        + (summary.carriesPrompt()
                            ? "shown again behind the summary"
                            : "quoted in the summary")));
    String held = held(report.digest());
    if (!held.isEmpty()) {
      lines.add("  it stands for " + held);
    }
  }

  private static String held(JsonObject digest) {
    List<String> found = new ArrayList<>();
    for (String key : digest.keys()) {
      JsonValue value = digest.find(key).orElseThrow();
      String words = DIGEST_WORDS.get(key);
      if (words != null && value instanceof JsonArray list && !list.items().isEmpty()) {
        found.add(list.items().size() + " " + words);
      }
    }
    return String.join(", ", found);
  }

  private static void addArchiving(List<String> lines, CompactionReport.Archiving archiving) {
    lines.add(
        "  strategy "
            + archiving.strategy()
            + ": "
            + archiving.messagesBefore()
            + " -> "
            + archiving.messagesAfter()
            + " messages");
    if (!archiving.archived().isEmpty()) {
      lines.add("  archived " + turns(archiving.archived()));
    }
    if (!archiving.leftOut().isEmpty()) {
      lines.add("  left out this time " + turns(archiving.leftOut()));
    }
    if (!archiving.warnings().isEmpty()) {
      lines.add("  warnings: " + String.join(", ", archiving.warnings()));
    }
  }

  private static String turns(List<TurnId> turns) {
    String names =
        turns.stream().limit(MAX_NAMES).map(TurnId::value).collect(Collectors.joining(", "));
    String more = turns.size() > MAX_NAMES ? ", ..." : "";
    return turns.size() + (turns.size() == 1 ? " turn: " : " turns: ") + names + more;
  }
}
