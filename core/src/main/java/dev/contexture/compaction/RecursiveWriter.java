package dev.contexture.compaction;

import dev.contexture.block.Block;
import dev.contexture.compaction.summary.Summarizer;
import dev.contexture.compaction.summary.SummaryCall;
import dev.contexture.compaction.summary.SummaryContent;
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
      SummaryInput input) {
    this.plan = plan;
    this.summarizer = summarizer;
    this.template = template;
    CompactionPlan.Cut cut = plan.cut();
    this.input = input;
    List<StreamItem> items = cut.view().items();
    for (StreamItem item : items.subList(cut.cut(), items.size())) {
      remaining.add(item.block().flatMap(Block::text).orElse(""));
    }
  }

  SummaryDraft write() {
    if (summarizer.isExtractive()) {
      return SummaryDraft.Written.BUILT_IN;
    }
    try {
      String text = plan.cut().view().window().summary().map(Summary::text).orElse(null);
      for (List<TimelineEntry> chunk : plan.chunks()) {
        for (List<SummaryRequest.Item> piece : pieces(chunk, text)) {
          String answer = SummaryCall.ask(summarizer, request(piece, text));
          text = TextBounds.text(answer, template.targetTokens(), template.meter());
          if (text.isEmpty()) {
            throw new SummaryCall.Unusable("blank_summary");
          }
        }
      }
      return new SummaryDraft.Written(
          Objects.requireNonNull(text), "", SummaryContent.Writer.MODEL, "");
    } catch (SummaryCall.Unusable unusable) {
      return new SummaryDraft.Written("", "", SummaryContent.Writer.FALLBACK, unusable.reason());
    }
  }

  /** The chunk, divided where it is larger than what the summariser can read. */
  private List<List<SummaryRequest.Item>> pieces(
      List<TimelineEntry> chunk, @Nullable String before) {
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
}
