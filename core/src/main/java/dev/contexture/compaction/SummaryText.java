package dev.contexture.compaction;

import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.TurnId;
import dev.contexture.compaction.summary.RecoverablePaths;
import dev.contexture.compaction.summary.SummaryDraft;
import dev.contexture.compaction.summary.TextCutter;
import dev.contexture.timeline.TimelineEntry;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The text of a summary from its pieces. */
final class SummaryText {
  static final String NO_HISTORY = "No prior history.";
  static final String SPLIT_LABEL = "**Turn Context (split turn):**";
  static final String REQUEST = "Original request ";
  static final String SEE_BELOW = ": see below";

  private static final int REQUEST_CHARS = 1_000;

  private SummaryText() {}

  /**
   * @param request the line about the divided turn's request, if it had one
   * @param recoverable lines of the list of paths; empty: no list
   */
  static String of(
      CompactionPlan.Cut plan,
      SummaryDraft.Written draft,
      @Nullable String request,
      List<String> recoverable) {
    StringBuilder text = new StringBuilder(draft.main());
    if (plan.splitTurn().isPresent()) {
      text.append("\n\n---\n\n").append(SPLIT_LABEL);
      if (request != null) {
        text.append("\n\n").append(request);
      }
      text.append("\n\n").append(draft.prefix());
    }
    if (!recoverable.isEmpty()) {
      text.append("\n\n").append(RecoverablePaths.HEADING);
      recoverable.forEach(line -> text.append('\n').append(line));
    }
    return text.toString();
  }

  /** The request verbatim. */
  static @Nullable String requestInFull(TurnId turn, List<TimelineEntry> prompt) {
    return prompt.isEmpty() ? null : line(turn, ": " + joined(prompt));
  }

  /** The first characters of the request. */
  static @Nullable String requestCut(TurnId turn, List<TimelineEntry> prompt) {
    return prompt.isEmpty()
        ? null
        : line(turn, ": " + TextCutter.first(joined(prompt), REQUEST_CHARS));
  }

  /** The request is shown again behind the summary. */
  static @Nullable String requestBelow(TurnId turn, List<TimelineEntry> prompt) {
    return prompt.isEmpty() ? null : line(turn, SEE_BELOW);
  }

  private static String line(TurnId turn, String rest) {
    return REQUEST + "(" + BlockPath.userPrompt(turn) + ")" + rest;
  }

  private static String joined(List<TimelineEntry> prompt) {
    return prompt.stream()
        .map(TimelineEntry::block)
        .map(Block::text)
        .map(text -> text.orElse("").stripTrailing())
        .collect(Collectors.joining("\n\n"));
  }
}
