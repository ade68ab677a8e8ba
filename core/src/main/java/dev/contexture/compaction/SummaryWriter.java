package dev.contexture.compaction;

import dev.contexture.block.Block;
import dev.contexture.compaction.summary.Inventory;
import dev.contexture.compaction.summary.RecoverablePaths;
import dev.contexture.compaction.summary.Summarizer;
import dev.contexture.compaction.summary.SummaryCall;
import dev.contexture.compaction.summary.SummaryDraft;
import dev.contexture.compaction.summary.SummaryRequest;
import dev.contexture.compaction.summary.SummaryRequest.Mode;
import dev.contexture.timeline.Summary;
import dev.contexture.timeline.TimelineEntry;
import dev.contexture.view.StreamItem;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Asks a summariser for the texts of a plan: one about the history, one about the beginning of the
 * divided turn, each in as many chunks as the summariser's window demands.
 */
final class SummaryWriter {
  private static final int WINDOW_TENTHS = 8;

  private final CompactionPlan.Cut plan;
  private final Summarizer summarizer;
  private final SummaryRequest template;
  private final boolean inventory;
  private final SummaryInput input;
  private final @Nullable Summary previous;
  private final List<String> remaining;

  /**
   * @param template model, prompt, target, window and meter of all requests
   * @param inventory whether the engine lists the references of what is replaced: behind the text
   *     of a model within its target; of the built-in, which lists them by itself, also the part
   *     about a divided turn may have all of the target
   */
  SummaryWriter(
      CompactionPlan.Cut plan,
      Summarizer summarizer,
      SummaryRequest template,
      int previewChars,
      boolean inventory) {
    this.plan = plan;
    this.summarizer = summarizer;
    this.template = template;
    this.inventory = inventory;
    this.input =
        new SummaryInput(plan.timeline(), plan.view().window(), template.meter(), previewChars);
    this.previous = plan.view().window().summary().orElse(null);
    this.remaining = remaining(plan);
  }

  /** What the context still says behind the cut, and what is shown again of the divided turn. */
  private static List<String> remaining(CompactionPlan.Cut plan) {
    List<StreamItem> items = plan.view().items();
    List<String> texts = new ArrayList<>();
    for (StreamItem item : items.subList(plan.cut(), items.size())) {
      texts.add(item.block().flatMap(Block::text).orElse(""));
    }
    if (plan.carriesPrompt()) {
      plan.prompt().forEach(entry -> texts.add(entry.block().text().orElse("")));
    }
    return texts;
  }

  SummaryDraft write() {
    try {
      String main = plan.history().isEmpty() ? reused() : history();
      remaining.add(main);
      String prefix = plan.prefix().isEmpty() ? "" : prefix();
      return new SummaryDraft.Written(main, prefix);
    } catch (SummaryCall.Unusable unusable) {
      return unusable.draft();
    }
  }

  /** Nothing new to say about earlier turns: what was said stays. */
  private String reused() {
    if (previous == null) {
      return SummaryText.NO_HISTORY;
    }
    return previous.mainText().isBlank() ? previous.text() : previous.mainText();
  }

  private String history() {
    String before = previous == null ? null : splitsSameTurn() ? reused() : previous.text();
    Mode mode = before == null ? Mode.CREATE : Mode.UPDATE;
    return text(mode, plan.history(), before, template.targetTokens());
  }

  private String prefix() {
    String before = previous != null && splitsSameTurn() ? previous.splitText() : null;
    return text(Mode.TURN_PREFIX, plan.prefix(), before, template.targetTokens() / 2);
  }

  private boolean splitsSameTurn() {
    Optional<String> split = plan.splitTurn().map(Object::toString);
    return previous != null
        && split.isPresent()
        && previous.meta().string(SummaryRow.SPLIT_TURN).equals(split);
  }

  private String text(
      Mode mode, List<TimelineEntry> entries, @Nullable String before, long target) {
    long asked = inventory && !summarizer.isExtractive() ? Math.max(1, target / 2) : target;
    List<List<SummaryRequest.Item>> chunks = chunks(entries, before, asked);
    String text = before;
    Mode next = mode;
    for (List<SummaryRequest.Item> chunk : chunks) {
      text = ask(request(next, chunk, text, asked));
      next = mode == Mode.TURN_PREFIX ? mode : Mode.UPDATE;
    }
    String written = Objects.requireNonNull(text);
    if (!inventory) {
      return written;
    }
    String shown = withoutInventory(written);
    long room =
        summarizer.isExtractive() ? allowance(mode, target) - tokens(shown) : target - asked;
    return withInventory(shown, entries, before, room);
  }

  /** The part about a divided turn may have all of the target while the estimate still fits. */
  private long allowance(Mode mode, long target) {
    if (mode != Mode.TURN_PREFIX) {
      return target;
    }
    CompactionPlan.Sizes sizes = plan.sizes();
    long slack = sizes.limit() == 0 ? template.targetTokens() : sizes.limit() - sizes.estimate();
    List<String> paths = RecoverablePaths.of(plan.view(), plan.history(), plan.prefix());
    long others = tokens(remaining.getLast()) + template.meter().texts(paths);
    long free = template.targetTokens() + slack - others;
    return Math.max(target, Math.min(template.targetTokens(), free));
  }

  private long tokens(String text) {
    return template.meter().texts(List.of(text + "\n\n"));
  }

  private static String withoutInventory(String text) {
    int at = text.lastIndexOf(Inventory.HEADING + "\n");
    return at < 0 ? text : text.substring(0, at).stripTrailing();
  }

  private List<List<SummaryRequest.Item>> chunks(
      List<TimelineEntry> entries, @Nullable String before, long target) {
    if (summarizer.isExtractive()) {
      return List.of(input.items(entries));
    }
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

  private String withInventory(
      String text, List<TimelineEntry> entries, @Nullable String before, long tokens) {
    PreviousSummary known = PreviousSummary.read(before == null ? "" : before);
    String references =
        Inventory.of(input.items(entries), known.references(), remaining)
            .text(tokens, template.meter());
    return references.isEmpty() || text.isEmpty() ? text + references : text + "\n\n" + references;
  }
}
