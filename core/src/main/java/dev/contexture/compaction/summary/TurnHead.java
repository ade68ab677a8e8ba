package dev.contexture.compaction.summary;

import dev.contexture.block.BlockType;
import dev.contexture.block.TurnId;
import dev.contexture.timeline.Timeline;
import dev.contexture.timeline.TimelineEntry;
import dev.contexture.view.Dialect;
import dev.contexture.view.Emitter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/**
 * The part of a turn that is shown again behind a summary that divides it: its header, and of the
 * active turn its prompt and attachment lines. Looks at all known blocks of the turn, also at those
 * before the window.
 */
public final class TurnHead {
  private static final Set<BlockType> OPENING =
      Set.of(
          BlockType.TURN_HEADER,
          BlockType.USER_PROMPT,
          BlockType.USER_ATTACHMENT_META,
          BlockType.USER_ATTACHMENT,
          BlockType.USER_ATTACHMENT_TEXT);

  private final Timeline timeline;
  private final Emitter emitter;
  private final TurnId turn;
  private final List<TimelineEntry> entries;

  private TurnHead(Timeline timeline, Emitter emitter, TurnId turn, List<TimelineEntry> entries) {
    this.timeline = timeline;
    this.emitter = emitter;
    this.turn = turn;
    this.entries = entries;
  }

  /** The head of a turn, found from the end backwards: turns are contiguous. */
  public static TurnHead of(Timeline timeline, Emitter emitter, TurnId turn) {
    List<TimelineEntry> found = new ArrayList<>();
    List<TimelineEntry> log = timeline.entries();
    boolean inside = false;
    for (int i = log.size() - 1; i >= 0; i--) {
      boolean same = log.get(i).turn().equals(turn);
      if (inside && !same) {
        break;
      }
      inside |= same;
      if (same && isCarried(log.get(i).block().type())) {
        found.add(log.get(i));
      }
    }
    Collections.reverse(found);
    return new TurnHead(timeline, emitter, turn, found);
  }

  /** Whether blocks of this type open a turn: header, prompt and attachments. */
  public static boolean isOpening(BlockType type) {
    return OPENING.contains(type);
  }

  /** Whether blocks of this type can be shown again. */
  public static boolean isCarried(BlockType type) {
    return type.equals(BlockType.TURN_HEADER)
        || type.equals(BlockType.USER_PROMPT)
        || type.equals(BlockType.USER_ATTACHMENT_META);
  }

  /** The turn's prompts before a block. */
  public List<TimelineEntry> prompts(TimelineEntry cut) {
    return before(cut).stream()
        .filter(entry -> entry.block().type().equals(BlockType.USER_PROMPT))
        .toList();
  }

  /** Whether the prompt is shown again for a cut before the block. */
  public boolean carriesPrompt(TimelineEntry cut, long quota) {
    return timeline.isActive(turn) && promptCost(cut) <= quota;
  }

  public long promptCost(TimelineEntry cut) {
    return prompts(cut).stream().mapToLong(this::cost).sum();
  }

  /** What all prompts of the turn cost. */
  public long promptCost() {
    return entries.stream()
        .filter(entry -> entry.block().type().equals(BlockType.USER_PROMPT))
        .mapToLong(this::cost)
        .sum();
  }

  /** What is shown again costs so much. */
  public long carry(TimelineEntry cut, long quota) {
    boolean all = carriesPrompt(cut, quota);
    long header = -1;
    long rest = 0;
    for (TimelineEntry entry : before(cut)) {
      if (!entry.block().type().equals(BlockType.TURN_HEADER)) {
        rest += all ? cost(entry) : 0;
      } else if (header < 0) {
        header = cost(entry);
      }
    }
    return rest + (header < 0 ? impliedHeaderCost() : header);
  }

  private List<TimelineEntry> before(TimelineEntry cut) {
    long cutSeq = cut.seq().orElse(Long.MAX_VALUE);
    return entries.stream().filter(entry -> entry.seq().orElse(0) < cutSeq).toList();
  }

  private long cost(TimelineEntry entry) {
    return timeline
        .visibility(entry)
        .map(record -> emitter.replaced(entry, record, null))
        .orElseGet(() -> emitter.own(entry, null))
        .cost();
  }

  private long impliedHeaderCost() {
    String time = entries.isEmpty() ? Instant.EPOCH.toString() : firstTime();
    String end = emitter.dialect() == Dialect.TRANSCRIPT ? "\n\n" : "";
    return emitter.meter().texts(List.of("[TURN " + turn + "] ts=" + time + end));
  }

  private String firstTime() {
    return entries.getFirst().block().ts().map(Instant::toString).orElse("");
  }
}
