package dev.contexture.compaction;

import dev.contexture.block.Author;
import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.block.TurnId;
import dev.contexture.compaction.summary.LeftOut;
import dev.contexture.compaction.summary.RecoverablePaths;
import dev.contexture.compaction.summary.References;
import dev.contexture.compaction.summary.SummaryContent;
import dev.contexture.compaction.summary.SummaryDraft;
import dev.contexture.compaction.summary.SummaryEntry;
import dev.contexture.compaction.summary.SummaryEntry.Kind;
import dev.contexture.compaction.summary.SummaryRequest;
import dev.contexture.compaction.summary.TurnHead;
import dev.contexture.compaction.summary.UserWords;
import dev.contexture.timeline.Summary;
import dev.contexture.timeline.Timeline;
import dev.contexture.timeline.TimelineEntry;
import dev.contexture.timeline.Visibility;
import dev.contexture.token.TokenMeter;
import dev.contexture.view.StreamItem;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Everything that a summary could say, from the blocks that it stands for and from the entries of
 * the summary before.
 *
 * @param turn the turn of the cut block
 * @param split the turn that is divided
 * @param requestBelow whether its request is shown again behind the summary
 * @param listsPaths whether whoever reads the summary can read paths
 * @param writer who wrote the prose
 * @param words what the user said
 * @param prose texts of a model, and a summary without entries
 * @param lines answers, decisions, errors and what is under way; the most wanted first
 * @param files what can be read again, newest first
 * @param items the blocks, for their references
 * @param referencesBefore identifiers of the summary before
 * @param leftOutBefore how many messages of the user are wholly left out since before
 * @param remaining texts that stay in the context beside the summary
 */
record SummaryMaterial(
    TurnId turn,
    @Nullable TurnId split,
    boolean requestBelow,
    boolean listsPaths,
    SummaryContent.Writer writer,
    UserWords words,
    List<SummaryEntry> prose,
    List<SummaryEntry> lines,
    List<SummaryEntry> files,
    List<SummaryRequest.Item> items,
    References.Known referencesBefore,
    long leftOutBefore,
    List<String> remaining) {
  private static final List<Kind> MOST_WANTED =
      List.of(Kind.PROGRESS, Kind.DECISION, Kind.ANSWER, Kind.ERROR);

  /** What a cut and the texts of a summariser give. */
  static SummaryMaterial of(
      CompactionPlan.Cut plan,
      SummaryInput input,
      SummaryDraft.Written draft,
      boolean listsPaths,
      TokenMeter meter) {
    Summary previous = plan.view().window().summary().orElse(null);
    List<SummaryEntry> before = previous == null ? List.of() : SummaryContent.entriesOf(previous);
    List<LeftOut> leftOut = previous == null ? List.of() : SummaryContent.leftOutOf(previous);
    List<SummaryRequest.Item> items = new ArrayList<>(input.items(plan.history()));
    List<SummaryRequest.Item> prefix = input.items(plan.prefix());
    items.addAll(prefix);
    boolean model = draft.writer() == SummaryContent.Writer.MODEL;
    UserWords words = words(plan, before, leftOut, meter);
    long gone =
        (previous == null ? 0 : SummaryContent.leftOutBefore(previous))
            + leftOut.stream()
                .filter(left -> left.kind() == Kind.USER && !words.holds(left.path()))
                .count();
    return new SummaryMaterial(
        plan.turn(),
        plan.splitTurn().orElse(null),
        plan.carriesPrompt(),
        listsPaths,
        draft.writer(),
        words,
        prose(plan, draft, before),
        lines(plan, model, items.subList(0, items.size() - prefix.size()), prefix, before),
        files(plan, before),
        items,
        References.knownBy(before),
        gone,
        remaining(plan));
  }

  private static UserWords words(
      CompactionPlan.Cut plan, List<SummaryEntry> before, List<LeftOut> leftOut, TokenMeter meter) {
    UserWords words = new UserWords(meter);
    Timeline timeline = plan.timeline();
    before.stream()
        .filter(entry -> entry.kind() == Kind.USER)
        .forEach(entry -> words.add(entry.turn(), entry.seq(), entry.blockPath(), entry.text()));
    leftOut.forEach(words::markShortened);
    plan.view().window().carried().stream()
        .filter(SummaryMaterial::isSaid)
        .forEach(entry -> add(words, timeline, entry));
    plan.history().stream().filter(SummaryMaterial::isSaid).forEach(e -> add(words, timeline, e));
    plan.prefix().stream().filter(SummaryMaterial::isSaid).forEach(e -> add(words, timeline, e));
    if (!plan.prompt().isEmpty()) {
      BlockPath path = BlockPath.userPrompt(plan.turn());
      words.replace(plan.turn(), path); // the divided turn's request is known as a whole
      if (!plan.carriesPrompt()) {
        plan.prompt().forEach(entry -> add(words, timeline, entry));
        words.divide(plan.turn(), path);
      }
    }
    return words;
  }

  private static boolean isSaid(TimelineEntry entry) {
    BlockType type = entry.block().type();
    return entry.block().author().equals(Author.USER)
        && (type.equals(BlockType.USER_PROMPT) || !TurnHead.isOpening(type));
  }

  private static void add(UserWords words, Timeline timeline, TimelineEntry entry) {
    Block block = entry.block();
    String text =
        timeline
            .visibility(entry)
            .map(Visibility::replacement)
            .orElseGet(() -> block.text().orElse(""));
    words.add(entry.turn(), entry.seq().orElse(0), block.path().orElse(null), text);
  }

  private static List<SummaryEntry> prose(
      CompactionPlan.Cut plan, SummaryDraft.Written draft, List<SummaryEntry> before) {
    List<SummaryEntry> prose = new ArrayList<>();
    if (draft.writer() != SummaryContent.Writer.MODEL) {
      before.stream()
          .filter(entry -> isProse(entry.kind()))
          .forEach(entry -> prose.add(entry.kind() == Kind.PREFIX ? asProse(entry) : entry));
      return prose;
    }
    if (!draft.main().isEmpty()) {
      prose.add(new SummaryEntry(Kind.PROSE, plan.turn(), 0, null, draft.main(), 0));
    }
    if (!draft.prefix().isEmpty()) {
      prose.add(new SummaryEntry(Kind.PREFIX, plan.turn(), 0, null, draft.prefix(), 0));
    }
    return prose;
  }

  private static SummaryEntry asProse(SummaryEntry entry) {
    return new SummaryEntry(Kind.PROSE, entry.turn(), 0, null, entry.text(), 0);
  }

  private static boolean isProse(Kind kind) {
    return Set.of(Kind.EARLIER, Kind.PROSE, Kind.PREFIX).contains(kind);
  }

  private static List<SummaryEntry> lines(
      CompactionPlan.Cut plan,
      boolean model,
      List<SummaryRequest.Item> history,
      List<SummaryRequest.Item> prefix,
      List<SummaryEntry> before) {
    if (model && !history.isEmpty()) {
      return List.of(); // it read the entries so far, and its text says them
    }
    boolean open = plan.splitTurn().map(plan.timeline()::isActive).orElse(false);
    List<SummaryEntry> lines = new ArrayList<>();
    if (!model) {
      lines.addAll(BlockEntries.ofPrefix(prefix, open));
      lines.addAll(BlockEntries.ofHistory(history, saidBehind(plan)));
    }
    boolean sameTurn = open && before.stream().anyMatch(e -> e.turn().equals(plan.turn()));
    for (SummaryEntry entry : before.reversed()) {
      boolean stays = MOST_WANTED.contains(entry.kind());
      boolean over = entry.kind() == Kind.PROGRESS && !(sameTurn && prefix.isEmpty());
      boolean known = lines.stream().anyMatch(line -> line.text().equals(entry.text()));
      if (stays && !over && !known) {
        lines.add(entry);
      }
    }
    lines.sort(Comparator.comparingInt(entry -> MOST_WANTED.indexOf(entry.kind())));
    return lines;
  }

  /** What the user says behind the cut. */
  private static List<String> saidBehind(CompactionPlan.Cut plan) {
    List<StreamItem> items = plan.view().items();
    return items.subList(plan.cut(), items.size()).stream()
        .filter(item -> item.type().equals(BlockType.USER_PROMPT))
        .map(item -> item.block().flatMap(Block::text).orElse(""))
        .toList();
  }

  private static List<SummaryEntry> files(CompactionPlan.Cut plan, List<SummaryEntry> before) {
    return RecoverablePaths.of(
        plan.view(),
        plan.history(),
        plan.prefix(),
        before.reversed().stream().filter(entry -> entry.kind() == Kind.FILE).toList());
  }

  /** What the context still says behind the cut, and what is shown again of the divided turn. */
  static List<String> remaining(CompactionPlan.Cut plan) {
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
}
