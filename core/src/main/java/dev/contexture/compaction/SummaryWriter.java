package dev.contexture.compaction;

import dev.contexture.compaction.summary.Summarizer;
import dev.contexture.compaction.summary.SummaryCall;
import dev.contexture.compaction.summary.SummaryContent;
import dev.contexture.compaction.summary.SummaryDraft;
import dev.contexture.compaction.summary.SummaryRequest;
import dev.contexture.compaction.summary.SummaryRequest.Mode;
import dev.contexture.timeline.Summary;
import dev.contexture.timeline.TimelineEntry;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Asks a summariser for the texts of a plan: one about the history, one about the beginning of the
 * divided turn, each in as many chunks as the summariser's window demands. It is asked for what the
 * words of the user leave of the target. Where it fails, the entries alone make the summary.
 */
final class SummaryWriter {
  private static final int WINDOW_TENTHS = 8;

  private final CompactionPlan.Cut plan;
  private final Summarizer summarizer;
  private final SummaryRequest template;
  private final SummaryInput input;
  private final @Nullable Summary previous;
  private final List<String> remaining;
  private final boolean listsPaths;

  /**
   * @param template model, prompt, target, window and meter of all requests
   * @param listsPaths whether whoever reads the summary can read paths
   */
  SummaryWriter(
      CompactionPlan.Cut plan,
      Summarizer summarizer,
      SummaryRequest template,
      SummaryInput input,
      boolean listsPaths) {
    this.plan = plan;
    this.summarizer = summarizer;
    this.template = template;
    this.input = input;
    this.listsPaths = listsPaths;
    this.previous = plan.view().window().summary().orElse(null);
    this.remaining = SummaryMaterial.remaining(plan);
  }

  SummaryDraft write() {
    if (summarizer.isExtractive()) {
      return SummaryDraft.Written.BUILT_IN;
    }
    long target = leftForModel();
    boolean both = !plan.history().isEmpty() && !plan.prefix().isEmpty();
    try {
      String main = plan.history().isEmpty() ? before() : history(both ? target * 2 / 3 : target);
      String prefix = plan.prefix().isEmpty() ? "" : prefix(both ? target / 3 : target);
      return new SummaryDraft.Written(main, prefix, SummaryContent.Writer.MODEL, "");
    } catch (SummaryCall.Unusable unusable) {
      return new SummaryDraft.Written("", "", SummaryContent.Writer.FALLBACK, unusable.reason());
    }
  }

  private long leftForModel() {
    SummaryMaterial material =
        SummaryMaterial.of(
            plan, input, SummaryDraft.Written.BUILT_IN, listsPaths, template.meter());
    return new SummaryComposer(material, template.meter()).leftForOthers(template.targetTokens());
  }

  /** What a model wrote before about whole turns; nothing if the entries say it. */
  private String before() {
    return previous == null ? "" : previous.mainText();
  }

  private String history(long target) {
    String before =
        previous == null
            ? null
            : splitsSameTurn() && !previous.mainText().isEmpty()
                ? previous.mainText()
                : previous.text();
    Mode mode = before == null ? Mode.CREATE : Mode.UPDATE;
    return text(mode, plan.history(), before, Math.max(1, target));
  }

  private String prefix(long target) {
    String before =
        previous != null && splitsSameTurn() && !previous.splitText().isEmpty()
            ? previous.splitText()
            : null;
    return text(Mode.TURN_PREFIX, plan.prefix(), before, Math.max(1, target));
  }

  private boolean splitsSameTurn() {
    Optional<String> split = plan.splitTurn().map(Object::toString);
    return previous != null
        && split.isPresent()
        && previous.meta().string(SummaryRow.SPLIT_TURN).equals(split);
  }

  private String text(
      Mode mode, List<TimelineEntry> entries, @Nullable String before, long target) {
    String text = before;
    Mode next = mode;
    for (List<SummaryRequest.Item> chunk : chunks(entries, before, target)) {
      text = ask(request(next, chunk, text, target));
      next = mode == Mode.TURN_PREFIX ? mode : Mode.UPDATE;
    }
    return Objects.requireNonNull(text);
  }

  private List<List<SummaryRequest.Item>> chunks(
      List<TimelineEntry> entries, @Nullable String before, long target) {
    long room = template.window() * WINDOW_TENTHS / 10 - target;
    long first = room - (before == null ? 0 : template.meter().texts(List.of(before)));
    List<List<SummaryRequest.Item>> chunks = input.chunks(entries, first, room - target);
    if (chunks.isEmpty()) {
      throw new SummaryCall.Unusable("input_too_large");
    }
    return chunks;
  }

  private SummaryRequest request(
      Mode mode, List<SummaryRequest.Item> items, @Nullable String before, long target) {
    return new SummaryRequest(
        mode,
        template.modelName(),
        template.promptText(),
        items,
        before,
        target,
        template.window(),
        template.meter(),
        remaining);
  }

  private String ask(SummaryRequest request) {
    String text = SummaryCall.ask(summarizer, request);
    if (text.codePointCount(0, text.length()) > Summarizer.MAX_CHARS) {
      throw new SummaryCall.Unusable("summary_too_long");
    }
    return text;
  }
}
