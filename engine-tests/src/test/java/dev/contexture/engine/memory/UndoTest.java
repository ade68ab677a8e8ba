package dev.contexture.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.engine.memory.row.BlockSteps;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.permission.Actor;
import dev.contexture.memory.permission.MemoryPermission;
import dev.contexture.memory.schema.BlockSchema;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Undo and redo: how far they reach, and whose steps they take back. */
class UndoTest extends MemoryTestBase {
  private static final int STEPS = 100;
  private static final Actor PAT = Actor.human("pat");

  @Test
  void aHundredStepsAreUndoneAndRedoneAcrossConsolidationAndRestart() throws Exception {
    create(NOTES, MemoryPermission.READ_WRITE, "");
    for (int i = 0; i < 2 * STEPS; i++) { // the older half may be folded away
      memory().appendToBlock(ATLAS, NOTES, i < STEPS ? "." : Character.toString('a' + i % 26));
    }
    String full = shown(memory());
    assertThat(memory().undoDepth(ATLAS, NOTES)).isEqualTo(STEPS);
    for (int cycle = 0; cycle < 2; cycle++) {
      MemoryStore mine = cycle == 1 ? process() : memory(); // another process loads from the store
      for (int i = 1; i <= STEPS; i++) {
        MemoryStore.Undone undone = mine.undoBlock(ATLAS, NOTES);
        assertThat(undone.done()).as("undo %d", i).isTrue();
        assertThat(undone.undoDepth()).isEqualTo(STEPS - i);
        assertThat(undone.redoDepth()).isEqualTo(i);
      }
      assertThat(shown(mine)).isEqualTo(".".repeat(STEPS));
      assertThat(mine.undoBlock(ATLAS, NOTES).done()).isFalse();
      MemoryStore again = process();
      for (int i = 1; i <= STEPS; i++) {
        MemoryStore.Undone redone = again.redoBlock(ATLAS, NOTES);
        assertThat(redone.done()).as("redo %d", i).isTrue();
        assertThat(redone.redoDepth()).isEqualTo(STEPS - i);
      }
      assertThat(shown(mine)).isEqualTo(full);
      assertThat(mine.redoBlock(ATLAS, NOTES).done()).isFalse();
    }
  }

  @Test
  void aHundredStepsOfAnAuthorAreUndoneAmongThoseOfAnother() {
    create(NOTES, MemoryPermission.READ_WRITE, "");
    MemoryStore pat = memory().actingAs(PAT);
    StringBuilder both = new StringBuilder();
    for (int i = 0; i < STEPS; i++) {
      memory().appendToBlock(ATLAS, NOTES, "a");
      pat.appendToBlock(ATLAS, NOTES, "P");
      both.append("aP");
    }
    for (int i = 1; i <= STEPS; i++) {
      assertThat(memory().undoBlock(ATLAS, NOTES).undoDepth()).isEqualTo(STEPS - i);
      if (i % 10 == 0) { // while the other one goes on
        pat.appendToBlock(ATLAS, NOTES, ".");
      }
    }
    assertThat(shown(process())).isEqualTo("P".repeat(STEPS) + ".".repeat(10));
    assertThat(process().undoBlock(ATLAS, NOTES).done()).isFalse();
    MemoryStore again = process();
    for (int i = 1; i <= STEPS; i++) {
      assertThat(again.redoBlock(ATLAS, NOTES).redoDepth()).isEqualTo(STEPS - i);
    }
    assertThat(shown(memory())).isEqualTo(both + ".".repeat(10));
  }

  @Test
  void anAgentDoesNotTakeBackWhatAPersonWrote() {
    create(NOTES, MemoryPermission.READ_WRITE, "agent\n");
    memory().actingAs(PAT).appendToBlock(ATLAS, NOTES, "person\n");
    assertThat(memory().undoDepth(ATLAS, NOTES)).isEqualTo(1);
    assertThat(memory().undoBlock(ATLAS, NOTES)).isEqualTo(new MemoryStore.Undone(true, 0, 1, 3));
    assertThat(shown(memory())).isEqualTo("person\n");
    assertThat(memory().undoBlock(ATLAS, NOTES).done()).isFalse();
    assertThat(memory().redoBlock(ATLAS, NOTES).done()).isTrue();
    assertThat(shown(memory())).isEqualTo("agent\nperson\n");
  }

  @Test
  void peopleTakeBackTheNewestStepOfAnybodyOrOfOneAuthor() {
    create(NOTES, MemoryPermission.READ_WRITE, "one\n");
    MemoryStore pat = memory().actingAs(PAT);
    pat.appendToBlock(ATLAS, NOTES, "two\n");
    memory().appendToBlock(ATLAS, NOTES, "three\n");
    pat.undoBlock(ATLAS, NOTES);
    assertThat(shown(memory())).isEqualTo("one\ntwo\n");
    pat.redoBlock(ATLAS, NOTES);
    assertThat(pat.undoBlock(ATLAS, NOTES, PAT).done()).isTrue();
    assertThat(shown(memory())).isEqualTo("one\nthree\n");
    assertThat(pat.undoBlock(ATLAS, NOTES, PAT).done()).isFalse();
    assertThat(pat.undoBlock(ATLAS, NOTES, Actor.agent(ATLAS)).undoDepth()).isEqualTo(1);
    assertThat(shown(memory())).isEqualTo("one\n");
    pat.redoBlock(ATLAS, NOTES, PAT);
    assertThat(shown(memory())).isEqualTo("one\ntwo\n");
  }

  @Test
  void whatAnAuthorDeletedAndBroughtBackIsStillTheAuthors() {
    create(NOTES, MemoryPermission.READ_WRITE, "hello world\n");
    memory().replaceInBlock(ATLAS, NOTES, "world", "");
    memory().actingAs(PAT).appendToBlock(ATLAS, NOTES, "person\n");
    memory().undoBlock(ATLAS, NOTES);
    assertThat(shown(memory())).isEqualTo("hello world\nperson\n");
    memory().undoBlock(ATLAS, NOTES);
    assertThat(shown(memory())).isEqualTo("person\n");
  }

  @Test
  void aStepThatOthersReplacedIsSkipped() {
    create(NOTES, MemoryPermission.READ_WRITE, "old ");
    memory().appendToBlock(ATLAS, NOTES, "x");
    memory().actingAs(PAT).updateBlockText(ATLAS, NOTES, "old ");
    assertThat(memory().undoBlock(ATLAS, NOTES)).isEqualTo(new MemoryStore.Undone(true, 0, 1, 4));
    assertThat(shown(memory())).isEmpty();
    memory().actingAs(PAT).updateBlockText(ATLAS, NOTES, "all new");
    assertThat(process().undoBlock(ATLAS, NOTES)).isEqualTo(new MemoryStore.Undone(false, 0, 1, 5));
  }

  @Test
  void partialUndoAndRedoPushNoOlderStepsOut() {
    create(NOTES, MemoryPermission.READ_WRITE, "");
    for (int i = 0; i < STEPS; i++) {
      memory().appendToBlock(ATLAS, NOTES, "x");
    }
    for (int round = 0; round < 40; round++) {
      for (int i = 0; i < 3; i++) {
        assertThat(memory().undoBlock(ATLAS, NOTES).done()).isTrue();
      }
      for (int i = 0; i < 3; i++) {
        assertThat(memory().redoBlock(ATLAS, NOTES).done()).isTrue();
      }
    }
    assertThat(process().undoDepth(ATLAS, NOTES)).isEqualTo(STEPS);
    for (int i = 0; i < STEPS; i++) {
      assertThat(memory().undoBlock(ATLAS, NOTES).done()).isTrue();
    }
    assertThat(shown(memory())).isEmpty();
  }

  @Test
  void theNumberOfStepsIsASetting() throws Exception {
    limits = limits.withUndo(3, 1 << 20);
    create(NOTES, MemoryPermission.READ_WRITE, "");
    for (int i = 0; i < 150; i++) {
      memory().appendToBlock(ATLAS, NOTES, i < 147 ? "." : "x");
    }
    for (int i = 3; i > 0; i--) {
      assertThat(process().undoBlock(ATLAS, NOTES).undoDepth()).isEqualTo(i - 1);
    }
    assertThat(memory().undoBlock(ATLAS, NOTES).done()).isFalse();
    assertThat(shown(memory())).isEqualTo(".".repeat(147));
    String id = memory().getBlockMetadata(ATLAS, NOTES).orElseThrow().id();
    eventually(
        () -> store.memory().block(SHOP, id).orElseThrow().checkpointSeq() > 50); // all folded
  }

  @Test
  void largeStepsAreKeptWithinABoundAndTheDepthSaysSo() throws Exception {
    limits = limits.withUndo(STEPS, 60_000);
    memory().createBlock(ATLAS, text(NOTES));
    Random random = new Random(11);
    for (int i = 0; i < 160; i++) { // each is about 1 kB of letters that cannot be packed
      String letters =
          random
              .ints(500, 'a', 0x2000)
              .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
              .toString();
      memory().updateBlockText(ATLAS, NOTES, letters);
    }
    String id = memory().getBlockMetadata(ATLAS, NOTES).orElseThrow().id();
    eventually(() -> store.memory().block(SHOP, id).orElseThrow().checkpointSeq() > 0);
    int depth = process().undoDepth(ATLAS, NOTES);
    assertThat(depth).isBetween(BlockSteps.KEPT_UPDATES, STEPS - 1);
    for (int i = 0; i < depth; i++) {
      assertThat(memory().undoBlock(ATLAS, NOTES).done()).isTrue();
    }
    assertThat(memory().undoBlock(ATLAS, NOTES).done()).isFalse();
  }

  @Test
  void undoOfMapsAndListsKeepsWhatOthersChanged() {
    String schema =
        "{\"kind\":\"map\",\"fields\":[{\"name\":\"t\",\"type\":\"text\"},"
            + "{\"name\":\"u\",\"type\":\"text\"},{\"name\":\"n\",\"type\":\"counter\"},"
            + "{\"name\":\"l\",\"type\":\"list\"}]}";
    memory().createBlock(ATLAS, text(NOTES).schema(BlockSchema.fromJson(JsonValue.parse(schema))));
    memory()
        .edit(
            ATLAS,
            NOTES,
            "",
            map -> {
              map.setTextField("t", "mine");
              map.setTextField("u", "mine");
              map.appendToListField("l", JsonValue.of("a"));
              return map.incrementCounter("n", 5);
            });
    memory()
        .actingAs(PAT)
        .edit(
            ATLAS,
            NOTES,
            "",
            map -> {
              map.setTextField("u", "theirs");
              map.appendToListField("l", JsonValue.of("b"));
              return map.incrementCounter("n", 2);
            });
    memory().undoBlock(ATLAS, NOTES);
    assertThat(shown(memory())).isEqualTo("u: theirs\nn: 2\nl:\n- b");
    memory().redoBlock(ATLAS, NOTES);
    assertThat(shown(memory())).isEqualTo("t: mine\nu: theirs\nn: 7\nl:\n- a\n- b");
  }
}
