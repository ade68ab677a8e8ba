package dev.contexture.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.event.Changes;
import dev.contexture.memory.DocumentChange;
import dev.contexture.memory.StructuredDocument;
import dev.contexture.memory.permission.Actor;
import dev.contexture.memory.permission.MemoryPermission;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Subscriptions (M-125 to M-127, checklist 83). */
class SubscriptionsTest extends MemoryTestBase {
  private final List<MemoryNotice> heard = new CopyOnWriteArrayList<>();

  private List<String> kinds() {
    List<String> kinds = new ArrayList<>();
    for (MemoryNotice notice : heard) {
      switch (notice) {
        case MemoryNotice.Changed changed -> kinds.add(changed.kind() + " " + changed.seq());
        case MemoryNotice.Missed missed -> kinds.add("MISSED");
      }
    }
    return kinds;
  }

  @Test
  void aStoreTellsOncePerCommitInOrder() throws Exception {
    Changes.Subscription all = memory().subscribe(null, "*", heard::add);
    memory()
        .subscribe(
            null,
            "*",
            notice -> {
              throw new IllegalStateException("harmless");
            });
    List<MemoryNotice> others = new CopyOnWriteArrayList<>();
    memory().subscribe(BERT, "*", others::add);
    memory().subscribe(ATLAS, "other*", others::add);
    create(NOTES, MemoryPermission.READ_WRITE, "a");
    memory().edit(ATLAS, NOTES, "why", d -> d.replaceText("a", "b"));
    memory().appendToBlock(ATLAS, NOTES, ""); // no commit
    memory().undoBlock(ATLAS, NOTES);
    memory().redoBlock(ATLAS, NOTES);
    memory().setBlockPinned(ATLAS, NOTES, true);
    memory().shareBlock(ATLAS, NOTES, BERT, MemoryPermission.APPEND);
    MemoryStore remote = process();
    remote.appendToBlock(BERT, ATLAS + "/" + NOTES, "c"); // heard when it is first seen
    memory().unshareBlock(ATLAS, NOTES, BERT);
    memory().actingAs(Actor.system()).deleteBlock(ATLAS, NOTES);
    eventually(() -> heard.size() >= 9);
    assertThat(kinds())
        .containsExactly(
            "CREATED 1",
            "CHANGED 2",
            "UNDONE 3",
            "REDONE 4",
            "CONFIGURED 4",
            "SHARED 4",
            "CHANGED 5",
            "UNSHARED 5",
            "DELETED 5");
    assertThat(((MemoryNotice.Changed) heard.get(1)).message()).isEqualTo("why");
    assertThat(((MemoryNotice.Changed) heard.get(6)).actor()).isEqualTo(Actor.agent(BERT));
    assertThat(others).isEmpty();
    assertThat(memory().notices(0, 99)).hasSize(9);
    all.close();
    create(NOTES, MemoryPermission.READ_WRITE, "");
    memory().poll();
    Thread.sleep(20);
    assertThat(heard).hasSize(9);
  }

  @Test
  void aSlowListenerMissesTheOldest() throws Exception { // M-126
    limits = withLimits(Duration.ofSeconds(1), 4, 100, 1 << 20);
    CountDownLatch go = new CountDownLatch(1);
    CountDownLatch reached = new CountDownLatch(1);
    memory()
        .subscribe(
            null,
            NOTES,
            notice -> {
              heard.add(notice);
              reached.countDown();
              try {
                go.await();
              } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
              }
            });
    create(NOTES, MemoryPermission.READ_WRITE, "a");
    reached.await();
    for (int i = 0; i < 10; i++) {
      memory().appendToBlock(ATLAS, NOTES, "x");
    }
    go.countDown();
    eventually(() -> heard.size() >= 6);
    List<MemoryNotice.Changed> all = memory().notices(0, 99);
    assertThat(heard.get(1))
        .isEqualTo(new MemoryNotice.Missed(all.get(1).number(), all.get(6).number()));
    assertThat(kinds())
        .containsExactly(
            "CREATED 1", "MISSED", "CHANGED 8", "CHANGED 9", "CHANGED 10", "CHANGED 11");
  }

  @Test
  void aListenerMayWrite() throws Exception { // M-127
    create(NOTES, MemoryPermission.READ_WRITE, "");
    memory()
        .subscribe(
            null,
            NOTES,
            notice -> {
              heard.add(notice);
              if (heard.size() < 3) {
                memory().appendToBlock(ATLAS, NOTES, "+");
              }
            });
    memory().appendToBlock(ATLAS, NOTES, "a");
    eventually(() -> heard.size() >= 3);
    assertThat(shown(memory())).isEqualTo("a++");
  }

  @Test
  void aDocumentTellsOncePerCommitThatChangedIt() throws Exception { // M-125
    create(NOTES, MemoryPermission.READ_WRITE, "a");
    List<DocumentChange> changes = new ArrayList<>();
    StructuredDocument handle = memory().getBlock(ATLAS, NOTES).orElseThrow();
    Changes.Subscription subscription = handle.subscribeRoot(changes::add);
    handle.subscribeRoot(
        change -> {
          throw new IllegalStateException("harmless");
        });
    handle.append("b");
    assertThat(changes).isEmpty();
    handle.commit();
    memory().undoBlock(ATLAS, NOTES);
    process().appendToBlock(ATLAS, NOTES, "c");
    assertThat(changes).hasSize(2);
    shown(memory()); // sees the other process
    assertThat(changes)
        .extracting(DocumentChange::version, DocumentChange::origin)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(2L, DocumentChange.Origin.LOCAL),
            org.assertj.core.groups.Tuple.tuple(3L, DocumentChange.Origin.LOCAL),
            org.assertj.core.groups.Tuple.tuple(4L, DocumentChange.Origin.REMOTE));
    subscription.close();
    memory().appendToBlock(ATLAS, NOTES, "d");
    assertThat(changes).hasSize(3);
  }
}
