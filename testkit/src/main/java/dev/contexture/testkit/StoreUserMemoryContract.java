package dev.contexture.testkit;

import static dev.contexture.testkit.MemoryFixture.SHOP;
import static dev.contexture.testkit.MemoryFixture.adding;
import static dev.contexture.testkit.MemoryFixture.appending;
import static dev.contexture.testkit.MemoryFixture.archival;
import static dev.contexture.testkit.MemoryFixture.refused;
import static dev.contexture.testkit.MemoryFixture.stored;
import static dev.contexture.testkit.MemoryFixture.writing;
import static dev.contexture.testkit.StoreFixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.block.Scope;
import dev.contexture.json.JsonObject;
import dev.contexture.store.MemoryRow;
import dev.contexture.store.Precondition;
import dev.contexture.store.Reason;
import dev.contexture.store.memory.ArchivalRow;
import dev.contexture.store.memory.BlockRow;
import dev.contexture.store.memory.MemoryEvent;
import dev.contexture.store.memory.SharedBlock;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Memory that belongs to a user of an agent, in every store: seen for that user only. */
abstract class StoreUserMemoryContract extends StoreTests {
  private static final Scope.OfAgent OF_ALICE = ATLAS.forUser("alice");
  private static final Scope.OfAgent OF_BOB = ATLAS.forUser("bob");

  @BeforeEach
  void someMemory() {
    stored(
        store,
        writing(
            new MemoryRow.EnsureAgent("atlas"),
            new MemoryRow.EnsureAgent("bert"),
            adding("mem_1", "atlas", "notes"),
            adding("mem_2", "atlas", "alice", "notes"),
            adding("mem_3", "atlas", "bob", "notes"),
            adding("mem_4", "atlas", "bob", "diary"),
            appending("mem_3", 1, "of bob"),
            new MemoryRow.AddArchival(archival("arc_1", "atlas", "all")),
            new MemoryRow.AddArchival(archival("arc_2", "atlas", "alice", "hers")),
            new MemoryRow.AddArchival(archival("arc_3", "atlas", "bob", "his")),
            event(null),
            event("alice"),
            event("bob")));
  }

  private static MemoryRow event(@Nullable String user) {
    return new MemoryRow.AddEvent(
        new MemoryEvent(0, NOW, "atlas", user, null, "changed", "low", JsonObject.EMPTY));
  }

  @Test
  void aLabelIsUniquePerAgentAndUser() {
    assertThat(refused(store, writing(adding("mem_9", "atlas", "bob", "notes"))))
        .isEqualTo(new Reason.LabelTaken("atlas", "notes", "mem_3"));
    assertThat(memory().blockLabelled(ATLAS, "notes")).map(BlockRow::id).contains("mem_1");
    assertThat(memory().blockLabelled(OF_ALICE, "notes")).map(BlockRow::id).contains("mem_2");
    assertThat(memory().blockLabelled(OF_BOB, "notes")).map(BlockRow::user).contains("bob");
    assertThat(memory().blockLabelled(OF_ALICE, "diary")).isEmpty();
    assertThat(memory().blocks(ATLAS, null, 9)).extracting(BlockRow::id).containsExactly("mem_1");
    assertThat(memory().blocks(OF_BOB, null, 9))
        .extracting(BlockRow::id)
        .containsExactly("mem_4", "mem_3");
    assertThat(memory().users(ATLAS, null, 9)).containsExactly("alice", "bob");
    assertThat(memory().users(ATLAS, "alice", 9)).containsExactly("bob");
  }

  @Test
  void eachUserMayHaveAsManyBlocksAsTheAgent() {
    Precondition full = new Precondition.BlocksBelow("atlas", "bob", 2);
    assertThat(refused(store, writing(adding("mem_9", "atlas", "bob", "x")).expect(full)))
        .isEqualTo(new Reason.TooManyBlocks("atlas", 2, 2));
    Precondition free = new Precondition.BlocksBelow("atlas", "alice", 2);
    stored(store, writing(adding("mem_9", "atlas", "alice", "x")).expect(free));
  }

  @Test
  void pagesOfAllBlocksTellUsersApart() {
    List<BlockRow> all = memory().blocksWithPrefix(SHOP, "notes", null, 9);
    assertThat(all).extracting(BlockRow::id).containsExactly("mem_1", "mem_2", "mem_3");
    assertThat(memory().blocksWithPrefix(SHOP, "notes", all.get(1).cursor(), 9))
        .extracting(BlockRow::id)
        .containsExactly("mem_3");
  }

  @Test
  void archivalEntriesAreThoseOfTheAgentAndTheUser() {
    assertThat(entries(ATLAS, false)).containsExactly("arc_1");
    assertThat(entries(OF_ALICE, false)).containsExactly("arc_1", "arc_2");
    assertThat(entries(OF_BOB, false)).containsExactly("arc_1", "arc_3");
    assertThat(entries(ATLAS, true)).containsExactly("arc_1", "arc_2", "arc_3");
    assertThat(memory().archivalEntry(SHOP, "arc_3")).map(ArchivalRow::user).contains("bob");
  }

  private List<String> entries(Scope.OfAgent agent, boolean everybody) {
    return memory().archival(agent, everybody, null, 9).stream().map(ArchivalRow::id).toList();
  }

  @Test
  void aShareCarriesTheUser() {
    stored(
        store,
        writing(
            new MemoryRow.PutShare("mem_1", "bert", "Append", true),
            new MemoryRow.PutShare("mem_3", "bert", "Append", true)));
    Scope.OfAgent bert = SHOP.agent("bert");
    assertThat(shared(bert)).containsExactly("mem_1");
    assertThat(shared(bert.forUser("bob"))).containsExactly("mem_1", "mem_3");
    assertThat(shared(bert.forUser("alice"))).containsExactly("mem_1");
    List<String> both = List.of("mem_1", "mem_3");
    assertThat(memory().sharedAmong(bert, false, both)).containsExactly("mem_1");
    assertThat(memory().sharedAmong(bert.forUser("bob"), false, both)).containsAll(both);
    assertThat(memory().sharedAmong(bert, true, both)).containsAll(both);
    assertThat(memory().sharedWith(bert, true, null, 9))
        .extracting(shared -> shared.block().id())
        .containsExactly("mem_1", "mem_3");
  }

  private List<String> shared(Scope.OfAgent agent) {
    return memory().sharedWith(agent, false, null, 9).stream()
        .map(SharedBlock::block)
        .map(BlockRow::id)
        .toList();
  }

  @Test
  void activityIsThatOfNobodyAndOfTheUser() {
    assertThat(activity(null, false)).containsExactly("nobody");
    assertThat(activity("bob", false)).containsExactly("bob", "nobody");
    assertThat(activity(null, true)).containsExactly("bob", "alice", "nobody");
  }

  private List<String> activity(@Nullable String user, boolean everybody) {
    return memory().activity(SHOP, user, everybody, NOW, Long.MAX_VALUE, 9).stream()
        .map(event -> Objects.requireNonNullElse(event.user(), "nobody"))
        .toList();
  }

  @Test
  void aMovedBlockKeepsItsContentAndTakesItsEventsAlong() {
    assertThat(refused(store, writing(new MemoryRow.MoveBlock("mem_1", "bob"))))
        .isEqualTo(new Reason.LabelTaken("atlas", "notes", "mem_3"));
    stored(
        store, writing(MemoryFixture.event("mem_4", "x"), new MemoryRow.MoveBlock("mem_4", null)));
    assertThat(memory().blockLabelled(ATLAS, "diary")).map(BlockRow::id).contains("mem_4");
    assertThat(memory().blockLabelled(OF_BOB, "diary")).isEmpty();
    assertThat(memory().block(SHOP, "mem_4").orElseThrow().settingsVersion()).isEqualTo(2);
    stored(store, writing(new MemoryRow.MoveBlock("mem_4", "alice")));
    assertThat(activity("alice", false)).hasSize(3);
    assertThat(activity("bob", false)).hasSize(2);
    assertThat(refused(store, writing(new MemoryRow.MoveBlock("mem_8", "bob"))))
        .isEqualTo(new Reason.BlockGone("mem_8"));
  }

  @Test
  void aMovedEntryIsTheOtherUsers() {
    stored(store, writing(new MemoryRow.MoveArchival("arc_1", "bob")));
    assertThat(entries(OF_BOB, false)).containsExactly("arc_1", "arc_3");
    assertThat(entries(OF_ALICE, false)).containsExactly("arc_2");
    assertThat(memory().archivalEntry(SHOP, "arc_1").orElseThrow().content()).isEqualTo("all");
  }

  @Test
  void erasingAUserErasesItsMemoryAtAllAgentsAndNothingElse() {
    stored(store, writing(adding("mem_5", "bert", "bob", "notes")));
    store.eraseUser(SHOP.user("bob"), NOW);
    for (String gone : List.of("mem_3", "mem_4", "mem_5")) {
      assertThat(memory().block(SHOP, gone)).isEmpty();
    }
    assertThat(entries(ATLAS, true)).containsExactly("arc_1", "arc_2");
    assertThat(activity(null, true)).containsExactly("alice", "nobody");
    assertThat(memory().blocksWithPrefix(SHOP, "", null, 9))
        .extracting(BlockRow::id)
        .containsExactly("mem_1", "mem_2");
    assertThat(memory().users(ATLAS, null, 9)).containsExactly("alice");
  }

  @Test
  void erasingAnAgentErasesWhatItHasForItsUsers() {
    store.eraseAgent(ATLAS, NOW);
    assertThat(memory().blocksWithPrefix(SHOP, "", null, 9)).isEmpty();
    assertThat(entries(ATLAS, true)).isEmpty();
  }
}
