package dev.contexture.compaction;

import dev.contexture.block.Block;
import dev.contexture.compaction.summary.Summarizer;
import dev.contexture.compaction.summary.SummaryCall;
import dev.contexture.compaction.summary.SummaryDraft;
import dev.contexture.compaction.summary.SummaryRequest;
import dev.contexture.compaction.summary.SummaryRequest.Mode;
import dev.contexture.timeline.Summary;
import dev.contexture.timeline.TimelineEntry;
import dev.contexture.token.TokenMeter;
import dev.contexture.view.StreamItem;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Asks a summariser for the summary of archived turns: chunk by chunk, oldest first, each call
 * going on from the text of the one before. What is above the allowance is cut at a line end.
 */
final class RecursiveWriter {
  private final CompactionPlan.Recursion plan;
  private final Summarizer summarizer;
  private final SummaryRequest template;
  private final SummaryInput input;
  private final List<String> remaining = new ArrayList<>();

  /**
   * @param template model, prompt, target, window and meter of all requests
   */
  RecursiveWriter(
      CompactionPlan.Recursion plan,
      Summarizer summarizer,
      SummaryRequest template,
      int previewChars) {
    this.plan = plan;
    this.summarizer = summarizer;
    this.template = template;
    CompactionPlan.Cut cut = plan.cut();
    this.input =
        new SummaryInput(cut.timeline(), cut.view().window(), template.meter(), previewChars);
    List<StreamItem> items = cut.view().items();
    for (StreamItem item : items.subList(cut.cut(), items.size())) {
      remaining.add(item.block().flatMap(Block::text).orElse(""));
    }
  }

  SummaryDraft write() {
    try {
      String text = plan.cut().view().window().summary().map(Summary::text).orElse(null);
      for (List<TimelineEntry> chunk : plan.chunks()) {
        for (List<SummaryRequest.Item> piece : pieces(chunk, text)) {
          String answer = SummaryCall.ask(summarizer, request(piece, text));
          text = bounded(answer, template.targetTokens(), template.meter());
        }
      }
      return new SummaryDraft.Written(Objects.requireNonNull(text), "");
    } catch (SummaryCall.Unusable unusable) {
      return unusable.draft();
    }
  }

  /** The chunk, divided where it is larger than what the summariser can read. */
  private List<List<SummaryRequest.Item>> pieces(
      List<TimelineEntry> chunk, @Nullable String before) {
    if (summarizer.isExtractive()) {
      return List.of(input.items(chunk));
    }
    TokenMeter meter = template.meter();
    long room =
        template.window()
            - template.targetTokens()
            - meter.texts(List.of(Objects.requireNonNull(template.promptText())));
    long previous = before == null ? 0 : meter.texts(List.of(before));
    List<List<SummaryRequest.Item>> pieces =
        input.chunks(chunk, room - previous, room - template.targetTokens());
    if (pieces.isEmpty()) {
      throw new SummaryCall.Unusable("input_too_large");
    }
    return pieces;
  }

  private SummaryRequest request(List<SummaryRequest.Item> items, @Nullable String before) {
    return new SummaryRequest(
        before == null ? Mode.CREATE : Mode.UPDATE,
        template.modelName(),
        template.promptText(),
        items,
        before,
        template.targetTokens(),
        template.window(),
        template.meter(),
        remaining);
  }

  /** The text, or as many of its first lines as the tokens allow; at least a part of the first. */
  static String bounded(String text, long tokens, TokenMeter meter) {
    if (text.length() <= Summarizer.MAX_CHARS && meter.texts(List.of(text)) <= tokens) {
      return text;
    }
    int fits = 0;
    int low = 0;
    int high = Math.min(text.length(), Summarizer.MAX_CHARS);
    while (low <= high) { // what a longer beginning costs is not less, as good as always
      int middle = (low + high) >>> 1;
      if (meter.texts(List.of(text.substring(0, middle))) <= tokens) {
        fits = middle;
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    boolean atLineEnd = fits < text.length() && text.charAt(fits) == '\n';
    int line = atLineEnd ? fits : text.lastIndexOf('\n', Math.max(0, fits - 1));
    int end = line > 0 ? line : fits;
    if (end > 0 && end < text.length() && Character.isHighSurrogate(text.charAt(end - 1))) {
      end--;
    }
    String cut = text.substring(0, end).stripTrailing();
    if (cut.isEmpty()) {
      throw new SummaryCall.Unusable("blank_summary");
    }
    return cut;
  }
}
