package dev.contexture.testkit;

import static dev.contexture.testkit.MemoryFixture.SHOP;
import static dev.contexture.testkit.MemoryFixture.adding;
import static dev.contexture.testkit.MemoryFixture.appending;
import static dev.contexture.testkit.MemoryFixture.archival;
import static dev.contexture.testkit.MemoryFixture.consent;
import static dev.contexture.testkit.MemoryFixture.event;
import static dev.contexture.testkit.MemoryFixture.stored;
import static dev.contexture.testkit.MemoryFixture.writing;
import static dev.contexture.testkit.StoreFixture.CHAT;
import static dev.contexture.testkit.StoreFixture.NOW;
import static dev.contexture.testkit.StoreFixture.applied;
import static dev.contexture.testkit.StoreFixture.binary;
import static dev.contexture.testkit.StoreFixture.block;
import static dev.contexture.testkit.StoreFixture.image;
import static dev.contexture.testkit.StoreFixture.opening;
import static dev.contexture.testkit.StoreFixture.set;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.block.Scope;
import dev.contexture.json.JsonObject;
import dev.contexture.store.Commit;
import dev.contexture.store.EpochRow;
import dev.contexture.store.EraseReport;
import dev.contexture.store.MemoryRow;
import dev.contexture.store.NewBlock;
import dev.contexture.store.OutboxRow;
import dev.contexture.store.Precondition;
import dev.contexture.store.Reason;
import dev.contexture.store.Row;
import dev.contexture.store.memory.BlockRow;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Erasing a user, an agent or a project takes all of it and nothing of others. */
abstract class StoreBulkEraseContract extends StoreTests {
  private static final Scope.OfUser USER = CHAT.owner();

  @Test
  void erasingAUserTakesItsConversationsAndNoOthers() {
    Scope.OfConversation second = USER.conversation("c2");
    Scope.OfConversation other = USER.scope().user("u7").conversation("c1");
    store.putBinary(USER.scope(), binary("only u42"));
    store.putBinary(USER.scope(), binary("both"));
    applied(store, opening(CHAT, T1, image(T1, binary("only u42")), block(T1, "a")));
    applied(store, opening(second, T1, image(T1, binary("both"))));
    applied(store, opening(other, T1, image(T1, binary("both"))));
    EraseReport erased = store.eraseUser(USER, NOW);
    assertThat(erased.count("conversations")).isEqualTo(2);
    assertThat(erased.count("turns")).isEqualTo(2);
    assertThat(erased.count("blocks")).isEqualTo(3);
    assertThat(store.head(CHAT)).isEmpty();
    assertThat(store.head(second)).isEmpty();
    assertThat(store.conversations(USER, null, 9)).isEmpty();
    assertThat(store.binary(other, binary("both").sha256())).isPresent();
    assertThat(store.outbox(USER.scope(), 0, 9))
        .extracting(OutboxRow::entry)
        .contains(new OutboxRow.ConversationErased(CHAT), new OutboxRow.ConversationErased(second));
    assertThat(store.eraseUser(USER, NOW).counts()).isEmpty();
  }

  @Test
  void erasingAnAgentTakesItsMemorySharesActivityAndEpochs() {
    stored(
        store,
        writing(
            new MemoryRow.EnsureAgent("atlas"),
            new MemoryRow.EnsureAgent("zoe"),
            adding("mem_1", "atlas", "notes"),
            appending("mem_1", 1, "a"),
            adding("mem_2", "atlas", "old"),
            new MemoryRow.DeleteBlock("mem_2"),
            adding("mem_3", "zoe", "theirs"),
            new MemoryRow.PutShare("mem_3", "atlas", "Append", true),
            new MemoryRow.PutShare("mem_3", "carl", "Append", true),
            new MemoryRow.AddArchival(archival("arc_1", "atlas", "x")),
            new MemoryRow.AddArchival(archival("arc_2", "zoe", "y")),
            new MemoryRow.AddConsent(consent("con_1", "mem_1", "?")),
            event("mem_1", "x"),
            event("mem_3", "done by atlas")));
    EpochRow mine = new EpochRow("atlas", 1, NOW, NOW, JsonObject.EMPTY, Set.of("mem_3"));
    EpochRow theirs = new EpochRow("zoe", 1, NOW, NOW, JsonObject.EMPTY, Set.of("mem_3"));
    applied(store, set().add(new Row.PutEpoch(mine)).add(new Row.PutEpoch(theirs)).build());
    EraseReport erased = store.eraseAgent(SHOP.agent("atlas"), NOW);
    assertThat(erased.count("memory_blocks")).isEqualTo(2);
    assertThat(erased.count("archival")).isEqualTo(1);
    assertThat(erased.count("agents")).isEqualTo(1);
    assertThat(memory().agent(SHOP.agent("atlas"))).isEmpty();
    assertThat(memory().block(SHOP, "mem_1")).isEmpty();
    assertThat(memory().block(SHOP, "mem_2")).isEmpty();
    assertThat(memory().archivalEntry(SHOP, "arc_1")).isEmpty();
    assertThat(memory().archivalEntry(SHOP, "arc_2")).isPresent();
    assertThat(memory().sharedWith(SHOP.agent("atlas"), false, null, 9)).isEmpty();
    assertThat(memory().shares(SHOP, "mem_3")).hasSize(1);
    assertThat(memory().events(SHOP, 0, 9)).isEmpty();
    assertThat(memory().consents(SHOP, 9)).isEmpty();
    assertThat(store.epochs(CHAT)).containsExactly(theirs);
    assertThat(store.eraseAgent(SHOP.agent("atlas"), NOW).counts()).isEmpty();
  }

  @Test
  void erasingAProjectTakesAllOfItAndNoOther() {
    Scope other = Scope.of("acme", "shop2");
    for (Scope scope : List.of(SHOP, other)) {
      applied(store, opening(scope.user("u42").conversation("c1"), T1, block(T1, "a")));
      stored(
          store,
          writing(
              scope,
              new MemoryRow.EnsureAgent("atlas"),
              adding("mem_1", "atlas", "notes"),
              new MemoryRow.AddArchival(archival("arc_1", "atlas", "x")),
              new MemoryRow.AddConsent(consent("con_1", "mem_1", "?")),
              event("mem_1", "x")));
    }
    EraseReport erased = store.eraseProject(SHOP, NOW);
    assertThat(erased.count("conversations")).isEqualTo(1);
    assertThat(erased.count("memory_blocks")).isEqualTo(1);
    assertThat(store.head(CHAT)).isEmpty();
    assertThat(memory().agents(SHOP, null, 9)).isEmpty();
    assertThat(memory().block(SHOP, "mem_1")).isEmpty();
    assertThat(memory().archivalEntry(SHOP, "arc_1")).isEmpty();
    assertThat(memory().events(SHOP, 0, 9)).isEmpty();
    assertThat(store.outbox(SHOP, 0, 9))
        .extracting(OutboxRow::entry)
        .containsExactly(new OutboxRow.ScopeErased(SHOP));
    assertThat(store.head(other.user("u42").conversation("c1"))).isPresent();
    assertThat(memory().block(other, "mem_1")).isPresent();
    assertThat(store.eraseProject(SHOP, NOW).counts()).isEmpty();
  }

  /** M-58: what a conversation repeats of a memory block goes with the block. */
  @Test
  void erasingAMemoryBlockTakesTheBlocksThatRepeatIt() {
    stored(store, writing(adding("mem_1", "atlas", "a"), adding("mem_2", "atlas", "b")));
    applied(store, opening(CHAT, T1, block(T1, "said")));
    NewBlock repeats = new NewBlock(block(T1, "one"), null, Set.of("mem_1", "mem_2"));
    NewBlock other = new NewBlock(block(T1, "two"), null, Set.of("mem_2"));
    applied(store, set().append(List.of(repeats, other)).build());
    long version = store.head(CHAT).orElseThrow().version();
    store.eraseMemoryBlock(SHOP, "mem_1", NOW);
    assertThat(texts(store.load(CHAT).orElseThrow().blocks())).containsExactly("said", "two");
    assertThat(store.head(CHAT).orElseThrow().version()).isEqualTo(version + 1);
    assertThat(store.head(CHAT).orElseThrow().blocks()).isEqualTo(2);
    assertThat(
            store.commit(
                set().expect(Precondition.nothingErasedSince(version)).append(List.of()).build()))
        .as("what was made from the state before is refused")
        .isInstanceOf(Commit.Conflict.class);
    assertThat(store.commit(set().append(List.of(repeats)).build()))
        .isInstanceOfSatisfying(
            Commit.Conflict.class,
            conflict ->
                assertThat(conflict.reason()).isEqualTo(new Reason.MemoryErased(Set.of("mem_1"))));
  }

  @Test
  void deletedBlocksAreListedByPages() {
    stored(
        store,
        writing(
            adding("mem_1", "atlas", "a"),
            adding("mem_2", "atlas", "b"),
            adding("mem_3", "atlas", "c"),
            adding("mem_4", "zoe", "d"),
            new MemoryRow.DeleteBlock("mem_1"),
            new MemoryRow.DeleteBlock("mem_3"),
            new MemoryRow.DeleteBlock("mem_4")));
    assertThat(memory().deletedBlocks(SHOP.agent("atlas"), null, 9))
        .extracting(BlockRow::id)
        .containsExactly("mem_1", "mem_3");
    assertThat(memory().deletedBlocks(SHOP.agent("atlas"), "mem_1", 9))
        .extracting(BlockRow::id)
        .containsExactly("mem_3");
  }

  /** Once no index needs them, the names of what was erased go as well. */
  @Test
  void namesOfWhatWasErasedAreForgotten() {
    Scope.OfConversation other = USER.conversation("c2");
    applied(store, opening(CHAT, T1, block(T1, "a")));
    applied(store, set(CHAT).add(new Row.IndexTurn(T1)).build());
    applied(store, opening(other, T1, block(T1, "b")));
    applied(store, set(other).add(new Row.IndexTurn(T1)).build());
    store.eraseConversation(CHAT, NOW);
    long upTo = store.outboxTail(USER.scope(), 0).newest();
    store.forgetErased(USER.scope(), upTo - 1);
    assertThat(store.outbox(USER.scope(), 0, 9)).hasSize(2);
    store.forgetErased(USER.scope(), upTo);
    assertThat(store.outbox(USER.scope(), 0, 9))
        .extracting(OutboxRow::entry)
        .containsExactly(new OutboxRow.TurnChanged(other, T1));
  }
}
