package dev.contexture.bench.support;

import dev.contexture.block.Author;
import dev.contexture.block.Block;
import dev.contexture.block.BlockType;
import dev.contexture.block.TurnId;
import dev.contexture.simulator.replay.RecordedBlocks;
import dev.contexture.simulator.replay.RecordedSession;
import dev.contexture.timeline.Timeline;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A timeline that grows by what was recorded, without an engine. Confined to one thread. */
public final class RecordedTimeline {
  /** When it begins. */
  public static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private Timeline timeline = Timeline.empty();
  private @Nullable TurnId turn;

  public Timeline timeline() {
    return timeline;
  }

  public void replace(Timeline compacted) {
    timeline = compacted;
  }

  public void add(RecordedSession.Event.Said said) {
    TurnId own = TurnId.of("t" + said.turn());
    if (!own.equals(turn)) {
      turn = own;
      timeline = timeline.withActiveTurn(own);
      append(Block.builder(BlockType.TURN_HEADER).author(Author.SYSTEM), own);
    }
    append(RecordedBlocks.WITHOUT_TOOLS.block(said, own), own);
  }

  private void append(Block.Builder block, TurnId own) {
    timeline = timeline.append(block.build(own, START.plusSeconds(timeline.nextSeq())));
  }
}
