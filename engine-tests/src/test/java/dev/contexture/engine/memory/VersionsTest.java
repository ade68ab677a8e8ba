package dev.contexture.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.engine.memory.stored.MemoryRegistry;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.StructuredDocument;
import dev.contexture.memory.permission.Actor;
import dev.contexture.memory.permission.MemoryPermission;
import dev.contexture.memory.schema.BlockSchema;
import dev.contexture.store.MemoryRow;
import dev.contexture.store.WriteSet;
import dev.contexture.store.memory.BlockRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Versions, undo, other processes, cache, conflicts (checklist 44, 47, 49 to 52, 84). */
class VersionsTest extends MemoryTestBase {
  private void depths(int undo, int redo, long seq, String content) {
    for (MemoryStore each : List.of(memory(), process())) { // the second one loads from the store
      assertThat(each.getRenderedContent(ATLAS, NOTES)).contains(content);
      assertThat(each.undoDepth(ATLAS, NOTES)).isEqualTo(undo);
      assertThat(each.redoDepth(ATLAS, NOTES)).isEqualTo(redo);
      assertThat(each.getBlockMetadata(ATLAS, NOTES).orElseThrow().version()).isEqualTo(seq);
    }
  }

  @Test
  void theExampleOfUndo() { // checklist 51
    create(NOTES, MemoryPermission.READ_WRITE, "initial");
    memory().appendToBlock(ATLAS, NOTES, " first");
    memory().appendToBlock(ATLAS, NOTES, " second");
    depths(3, 0, 3, "initial first second");
    assertThat(memory().undoBlock(ATLAS, NOTES)).isEqualTo(new MemoryStore.Undone(true, 2, 1, 4));
    depths(2, 1, 4, "initial first");
    String id = memory().getBlockMetadata(ATLAS, NOTES).orElseThrow().id();
    assertThat(store.memory().preview(SHOP, id)).contains("initial first");
    assertThat(memory().redoBlock(ATLAS, NOTES)).isEqualTo(new MemoryStore.Undone(true, 3, 0, 5));
    depths(3, 0, 5, "initial first second");
    memory().undoBlock(ATLAS, NOTES);
    memory().undoBlock(ATLAS, NOTES);
    depths(1, 2, 7, "initial");
    memory().appendToBlock(ATLAS, NOTES, "!");
    depths(2, 0, 8, "initial!");
    assertThat(memory().redoBlock(ATLAS, NOTES).done()).isFalse();
    memory().undoBlock(ATLAS, NOTES);
    memory().undoBlock(ATLAS, NOTES);
    assertThat(memory().undoBlock(ATLAS, NOTES)).isEqualTo(new MemoryStore.Undone(false, 0, 2, 10));
    depths(0, 2, 10, "");
  }

  @Test
  void undoPassesTheGateEvenIfThereIsNothingToDo() { // M-11, M-65
    create(NOTES, MemoryPermission.APPEND, "");
    refused(ErrorCode.PERMISSION_DENIED, () -> memory().undoBlock(ATLAS, NOTES));
    refused(ErrorCode.PERMISSION_DENIED, () -> memory().redoBlock(ATLAS, NOTES));
    assertThat(memory().actingAs(Actor.system()).undoBlock(ATLAS, NOTES).done()).isFalse();
  }

  @Test
  void onlyTheSystemUndoesALogEntry() { // M-29, M-13
    BlockSchema log =
        BlockSchema.fromJson(
            JsonValue.parse(
                "{\"kind\":\"log\",\"display_limit\":5,\"entry_schema\":{\"timestamp\":false,"
                    + "\"agent_id\":false,\"fields\":[]}}"));
    memory().createBlock(ATLAS, text(NOTES).schema(log));
    memory().appendToBlock(ATLAS, NOTES, "one");
    refused(ErrorCode.READ_ONLY, () -> memory().undoBlock(ATLAS, NOTES));
    assertThat(memory().undoDepth(ATLAS, NOTES)).isEqualTo(1);
    assertThat(memory().actingAs(Actor.system()).undoBlock(ATLAS, NOTES).done()).isTrue();
    assertThat(shown(memory())).isEmpty();
  }

  @Test
  void hundredAndOneUpdatesLeaveACheckpointAndFifty() throws Exception { // checklist 52, 44
    limits = limits.withUndo(50, 1 << 20);
    create(NOTES, MemoryPermission.READ_WRITE, "1");
    StructuredDocument old = memory().getBlock(ATLAS, NOTES).orElseThrow();
    old.append("late");
    StringBuilder text = new StringBuilder("1");
    for (int i = 2; i <= 101; i++) {
      memory().appendToBlock(ATLAS, NOTES, "," + i);
      text.append(',').append(i);
    }
    String id = memory().getBlockMetadata(ATLAS, NOTES).orElseThrow().id();
    eventually(() -> row(id).checkpointSeq() == 51);
    assertThat(row(id).seq()).isEqualTo(101);
    assertThat(store.memory().document(SHOP, id, 0).orElseThrow().updates())
        .hasSize(50)
        .first()
        .satisfies(update -> assertThat(update.seq()).isEqualTo(52));
    eventually(() -> memory().undoDepth(ATLAS, NOTES) == 50);
    depths(50, 0, 101, text.toString());
    assertThat(memory().getBlockAt(ATLAS, NOTES, 51).orElseThrow().render()).endsWith(",51");
    refused(ErrorCode.HISTORY_TRIMMED, () -> memory().getBlockAt(ATLAS, NOTES, 50));
    refused(ErrorCode.HISTORY_TRIMMED, () -> process().getBlockAt(ATLAS, NOTES, 50));
    refused(ErrorCode.INVALID_ARGUMENT, () -> memory().getBlockAt(ATLAS, NOTES, 102));
    refused(ErrorCode.HISTORY_TRIMMED, () -> memory().updateBlockText(ATLAS, NOTES, "x", 50));
    refused(ErrorCode.INVALID_ARGUMENT, () -> memory().updateBlockText(ATLAS, NOTES, "x", 102));
    assertThat(memory().history(ATLAS, NOTES, 0, 999)).hasSize(101); // who and what stays
    refused(ErrorCode.HISTORY_TRIMMED, old::commit);
    old.refresh();
    assertThat(old.render()).isEqualTo(text.toString());
    old.append("!");
    assertThat(old.commit()).isEqualTo(102);
    for (int i = 0; i < 49; i++) { // one more, and the oldest are folded while this goes on
      assertThat(memory().undoBlock(ATLAS, NOTES).done()).isTrue();
    }
    assertThat(shown(memory())).endsWith(",53");
  }

  @Test
  void commitsDuringConsolidationSurvive() throws Exception { // checklist 52, M-62
    create(NOTES, MemoryPermission.READ_WRITE, "");
    MemoryStore other = process();
    List<Callable<?>> calls = new ArrayList<>();
    for (MemoryStore each : List.of(memory(), other)) {
      for (int t = 0; t < 4; t++) {
        calls.add(
            () -> {
              for (int i = 0; i < 60; i++) {
                retrying(() -> each.appendToBlock(ATLAS, NOTES, "x"));
              }
              return true;
            });
      }
    }
    together(calls);
    assertThat(shown(process())).isEqualTo("x".repeat(480));
    assertThat(shown(memory())).isEqualTo("x".repeat(480));
    assertThat(shown(other)).isEqualTo("x".repeat(480));
    String id = memory().getBlockMetadata(ATLAS, NOTES).orElseThrow().id();
    assertThat(row(id).seq()).isEqualTo(480);
    assertThat(row(id).checkpointSeq()).isPositive();
  }

  private static void retrying(Runnable call) {
    while (true) {
      try {
        call.run();
        return;
      } catch (ContextureException busy) {
        assertThat(busy.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
        assertThat(busy.retryable()).isTrue();
      }
    }
  }

  private BlockRow row(String id) {
    return store.memory().block(SHOP, id).orElseThrow();
  }

  @Test
  void anotherProcessIsSeenAtTheNextAccess() { // checklist 49
    create(NOTES, MemoryPermission.READ_WRITE, "a");
    MemoryStore other = process();
    assertThat(shown(other)).isEqualTo("a");
    memory().appendToBlock(ATLAS, NOTES, "b");
    assertThat(shown(other)).isEqualTo("ab");
    MemoryStore system = memory().actingAs(Actor.system());
    system.setBlockPinned(ATLAS, NOTES, true);
    system.configureBlock(ATLAS, NOTES, BlockChanges.NONE.permission(MemoryPermission.READ_ONLY));
    assertThat(other.getBlockMetadata(ATLAS, NOTES).orElseThrow().pinned()).isTrue();
    refused(ErrorCode.PERMISSION_DENIED, () -> other.appendToBlock(ATLAS, NOTES, "c"));
    system.deleteBlock(ATLAS, NOTES);
    assertThat(other.getBlock(ATLAS, NOTES)).isEmpty();
    refused(ErrorCode.BLOCK_NOT_FOUND, () -> other.appendToBlock(ATLAS, NOTES, "c"));
  }

  @Test
  void twoEnginesEditOneBlockAndLoseNothing() throws Exception { // M-59, M-64
    create(NOTES, MemoryPermission.READ_WRITE, "start");
    MemoryStore other = process();
    List<Callable<?>> calls = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      int n = i;
      MemoryStore mine = i % 2 == 0 ? memory() : other;
      calls.add(
          () -> {
            retrying(() -> mine.appendToBlock(ATLAS, NOTES, "<" + n + ">"));
            return true;
          });
      calls.add(
          () -> {
            StructuredDocument handle = mine.getBlock(ATLAS, NOTES).orElseThrow();
            handle.splice(0, 0, "(" + n + ")");
            retrying(handle::commit);
            return true;
          });
    }
    together(calls);
    String merged = shown(memory());
    for (int i = 0; i < 12; i++) {
      assertThat(merged).contains("<" + i + ">").contains("(" + i + ")");
    }
    assertThat(shown(other)).isEqualTo(merged);
    assertThat(shown(process())).isEqualTo(merged);
    assertThat(memory().getBlockMetadata(ATLAS, NOTES).orElseThrow().version()).isEqualTo(25);
  }

  @Test
  void theSixthConflictIsUnavailable() { // checklist 47
    create(NOTES, MemoryPermission.READ_WRITE, "a");
    String id = memory().getBlockMetadata(ATLAS, NOTES).orElseThrow().id();
    for (int conflicts = 1; conflicts <= 6; conflicts++) {
      MemoryRegistry racing =
          new MemoryRegistry(
              RacingStore.of(store, conflicts, () -> touch(id)),
              clock,
              new SplittableRandom(conflicts),
              limits,
              null,
              broker);
      Runnable write = () -> racing.of(SHOP).appendToBlock(ATLAS, NOTES, "x");
      List<Object> before = List.of(shown(memory()), memory().history(ATLAS, NOTES, 0, 99));
      if (conflicts <= 5) {
        write.run();
        assertThat(shown(memory())).isEqualTo("a" + "x".repeat(conflicts));
      } else {
        assertThat(refused(ErrorCode.STORE_UNAVAILABLE, write::run).retryable()).isTrue();
        assertThat(List.of(shown(memory()), memory().history(ATLAS, NOTES, 0, 99)))
            .isEqualTo(before);
      }
    }
  }

  /** Raises the version of the settings, as another process does that changes them. */
  private void touch(String id) {
    store.commit(
        WriteSet.of(SHOP, clock.instant())
            .add(new MemoryRow.PutSettings(id, row(id).settings()))
            .build());
  }

  @Test
  void theCacheStaysWithinItsBounds() { // checklist 50
    limits = withLimits(Duration.ofSeconds(1), 16, 5, 40_000);
    MemoryRegistry memories = memories();
    MemoryStore small = memories.of(SHOP);
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      small.createBlock(ATLAS, text("b" + i).charLimit(100_000));
      expected.add("");
    }
    SplittableRandom random = new SplittableRandom(7);
    for (int n = 0; n < 600; n++) {
      int i = random.nextInt(20);
      if (random.nextInt(3) > 0) {
        String more = "x".repeat(random.nextInt(400));
        small.appendToBlock(ATLAS, "b" + i, more);
        expected.set(i, expected.get(i) + more);
      }
      assertThat(small.getRenderedContent(ATLAS, "b" + i)).contains(expected.get(i));
      assertThat(memories.cachedDocuments()).isLessThanOrEqualTo(5);
      assertThat(memories.cachedBytes()).isBetween(0L, 40_000L);
    }
    small.updateBlockText(ATLAS, "b0", "y".repeat(60_000)); // larger than all may be together
    assertThat(small.getRenderedContent(ATLAS, "b0")).contains("y".repeat(60_000));
    assertThat(memories.cachedBytes()).isLessThanOrEqualTo(40_000L);
  }

  @Test
  void basesProtectWhatTheEditorDidNotSee() { // checklist 84, M-128
    create(NOTES, MemoryPermission.READ_WRITE, "buy milk\ncall Ann");
    memory().appendToBlock(ATLAS, NOTES, "\npay rent");
    memory().updateBlockText(ATLAS, NOTES, "buy oat milk\ncall Ann", 1);
    assertThat(shown(memory())).isEqualTo("buy oat milk\ncall Ann\npay rent");
    memory().updateBlockText(ATLAS, NOTES, "buy oat milk\ncall Ann");
    assertThat(shown(memory())).isEqualTo("buy oat milk\ncall Ann");
    BlockSchema list = BlockSchema.fromJson(JsonValue.parse("{\"kind\":\"list\"}"));
    memory().createBlock(ATLAS, text("l").schema(list));
    for (String item : List.of("a", "b", "c")) {
      memory().appendToBlock(ATLAS, "l", item);
    }
    edit(d -> d.deleteItem(0));
    edit(d -> d.deleteItem(1, 3));
    assertThat(memory().getRenderedContent(ATLAS, "l")).contains("1. c");
    process(); // a fresh process knows the bases, too
    MemoryStore fresh = process();
    fresh.edit(
        ATLAS,
        "l",
        "",
        d -> {
          d.setItem(2, JsonValue.of("C"), 3);
          return true;
        });
    assertThat(fresh.getRenderedContent(ATLAS, "l")).contains("1. C");
    refused(ErrorCode.INVALID_ARGUMENT, () -> edit(d -> d.deleteItem(0, 99)));
  }

  private void edit(java.util.function.Consumer<StructuredDocument> edit) {
    memory()
        .edit(
            ATLAS,
            "l",
            "",
            document -> {
              edit.accept(document);
              return true;
            });
  }

  @Test
  void aBaseEditKeepsTheLimitsOnTheMergedResult() { // M-31, M-128, checklist 84
    memory().createBlock(ATLAS, text(NOTES).charLimit(10).content("12345"));
    memory().appendToBlock(ATLAS, NOTES, "678");
    refused(ErrorCode.LIMIT_EXCEEDED, () -> memory().updateBlockText(ATLAS, NOTES, "12345abc", 1));
    assertThat(shown(memory())).isEqualTo("12345678");
  }
}
