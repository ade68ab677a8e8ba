package dev.contexture.engine.memory.row;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.block.Binary;
import dev.contexture.memory.permission.Actor;
import dev.contexture.memory.schema.MemoryLimits;
import dev.contexture.store.memory.UpdateRow;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class BlockStepsTest {
  private static final Actor ATLAS = Actor.agent("atlas");
  private static final Instant NOW = Instant.parse("2026-02-09T02:14:32Z");

  private final BlockSteps steps = new BlockSteps(MemoryLimits.DEFAULT); // 100 can be undone
  private long newest;

  private void add(BlockSteps to, UpdateRow.Step kind) {
    MemoryRecords.Told told = new MemoryRecords.Told(ATLAS, "append", "");
    Binary delta = Binary.of(new byte[] {1});
    to.add(UpdateRow.of(++newest, kind, delta, NOW, MemoryRecords.note(told, null, null)));
  }

  private void add(BlockSteps to, UpdateRow.Step kind, int times) {
    for (int i = 0; i < times; i++) {
      add(to, kind);
    }
  }

  /** How many steps can be undone is the same whether history was folded in between or not. */
  @Test
  void whatCanBeUndoneDependsOnNoFolding() {
    BlockSteps folded = new BlockSteps(MemoryLimits.DEFAULT);
    for (BlockSteps each : List.of(steps, folded)) {
      newest = 0;
      add(each, UpdateRow.Step.EDIT, 200);
      add(each, UpdateRow.Step.UNDO, 60);
      if (each.equals(folded)) {
        each.trim(each.foldable());
      }
      assertThat(each.undoDepth(ATLAS)).isEqualTo(40);
      assertThat(each.redoDepth(ATLAS)).isEqualTo(60);
      add(each, UpdateRow.Step.EDIT, 1);
      assertThat(each.redoDepth(ATLAS)).isZero();
      assertThat(each.newest(UpdateRow.Step.UNDO, ATLAS))
          .extracting(BlockSteps.Step::update)
          .hasSize(41)
          .startsWith(261L, 140L)
          .endsWith(101L);
    }
  }
}
