package dev.contexture.testkit;

import static dev.contexture.testkit.MemoryFixture.SHOP;
import static dev.contexture.testkit.MemoryFixture.adding;
import static dev.contexture.testkit.MemoryFixture.appending;
import static dev.contexture.testkit.MemoryFixture.archival;
import static dev.contexture.testkit.MemoryFixture.consent;
import static dev.contexture.testkit.MemoryFixture.event;
import static dev.contexture.testkit.MemoryFixture.folding;
import static dev.contexture.testkit.MemoryFixture.refused;
import static dev.contexture.testkit.MemoryFixture.settings;
import static dev.contexture.testkit.MemoryFixture.stored;
import static dev.contexture.testkit.MemoryFixture.update;
import static dev.contexture.testkit.MemoryFixture.writing;
import static dev.contexture.testkit.StoreFixture.CHAT;
import static dev.contexture.testkit.StoreFixture.NOW;
import static dev.contexture.testkit.StoreFixture.applied;
import static dev.contexture.testkit.StoreFixture.binary;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.block.TurnId;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.store.Commit;
import dev.contexture.store.MemoryRow;
import dev.contexture.store.OutboxRow;
import dev.contexture.store.Precondition;
import dev.contexture.store.Reason;
import dev.contexture.store.Row;
import dev.contexture.store.TurnRow;
import dev.contexture.store.WriteSet;
import dev.contexture.store.memory.AgentRow;
import dev.contexture.store.memory.BlockRow;
import dev.contexture.store.memory.BlockSettings;
import dev.contexture.store.memory.CheckpointRow;
import dev.contexture.store.memory.ConsentRow;
import dev.contexture.store.memory.DocumentRows;
import dev.contexture.store.memory.MemoryEvent;
import dev.contexture.store.memory.ShareRow;
import dev.contexture.store.memory.UpdateRow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Memory blocks, their updates, shares, questions and events (M-59 to M-62, M-64). */
abstract class StoreMemoryContract extends StoreTests {
  private static final JsonObject TEMPLATE = JsonObject.of("label", JsonValue.of("profile"));
  private static final JsonObject YES = JsonObject.of("decision", JsonValue.of("grant"));

  private BlockRow block() {
    return memory().block(SHOP, B).orElseThrow();
  }

  @Test
  void aNewBlockIsEmptyAndLive() {
    stored(store, writing(adding(B, "atlas", "notes")));
    BlockRow expected =
        new BlockRow(
            B, "atlas", null, "notes", settings("about notes"), 1, 0, 0, 0, NOW, NOW, false);
    assertThat(block()).isEqualTo(expected);
    assertThat(memory().blockLabelled(ATLAS, "notes")).contains(expected);
    assertThat(memory().document(SHOP, B, 0)).contains(new DocumentRows(expected, null, List.of()));
    assertThat(memory().preview(SHOP, B)).isEmpty();
  }

  @Test
  void settingsComeBackAsTheyWerePut() {
    String odd = "line\nfeed \u0000 \ud83d\ude00 \ud800";
    BlockSettings settings = new BlockSettings(odd, "Core", null, 1_000_000, "Admin", true);
    stored(store, writing(new MemoryRow.AddBlock(B, "atlas", null, "notes", settings)));
    assertThat(block().settings()).isEqualTo(settings);
    stored(store, writing(new MemoryRow.PutSettings(B, settings("new"))));
    assertThat(block().settings()).isEqualTo(settings("new"));
    assertThat(block().settingsVersion()).isEqualTo(2);
    stored(store, writing(new MemoryRow.PutPreview(B, odd, 7)));
    assertThat(memory().preview(SHOP, B)).contains(odd);
    assertThat(block().size()).isEqualTo(7);
    assertThat(block().settingsVersion()).isEqualTo(2);
    stored(store, writing(new MemoryRow.PutPreview(B, null, 70_000)));
    assertThat(memory().preview(SHOP, B)).isEmpty();
    assertThat(block().size()).isEqualTo(70_000);
  }

  @Test
  void updatesAreNumberedWithoutAGap() {
    stored(store, writing(adding(B, "atlas", "notes"), appending(B, 1, "a")));
    stored(store, writing(appending(B, 2, "b"), appending(B, 3, "c")));
    assertThat(block().seq()).isEqualTo(3);
    assertThat(memory().document(SHOP, B, 0).orElseThrow().updates())
        .containsExactly(update(1, "a"), update(2, "b"), update(3, "c"));
    assertThat(memory().document(SHOP, B, 2).orElseThrow().updates())
        .containsExactly(update(3, "c"));
    assertThat(memory().document(SHOP, B, 3).orElseThrow().updates()).isEmpty();
    assertThat(refused(store, writing(appending(B, 3, "again"))))
        .isEqualTo(new Reason.SeqDiffers(B, 2, 3));
    assertThat(refused(store, writing(appending(B, 5, "gap"))))
        .isEqualTo(new Reason.SeqDiffers(B, 4, 3));
    assertThat(refused(store, writing(appending("mem_2", 1, "x"))))
        .isEqualTo(new Reason.BlockGone("mem_2"));
  }

  @Test
  void aLabelIsUniqueAmongTheLiveBlocksOfItsOwner() {
    stored(store, writing(adding(B, "atlas", "notes"), adding("mem_2", "bert", "notes")));
    assertThat(refused(store, writing(adding("mem_3", "atlas", "notes"))))
        .isEqualTo(new Reason.LabelTaken("atlas", "notes", B));
    assertThat(refused(store, writing(adding(B, "atlas", "other"))))
        .isEqualTo(new Reason.IdUsed(B));
    stored(store, writing(new MemoryRow.DeleteBlock(B)));
    assertThat(block().deleted()).isTrue();
    assertThat(block().settingsVersion()).isEqualTo(2);
    assertThat(memory().blockLabelled(ATLAS, "notes")).isEmpty();
    assertThat(memory().blocks(ATLAS, null, 9)).isEmpty();
    stored(store, writing(adding("mem_3", "atlas", "notes")));
    assertThat(refused(store, writing(new MemoryRow.RestoreBlock(B))))
        .isEqualTo(new Reason.LabelTaken("atlas", "notes", "mem_3"));
    stored(store, writing(new MemoryRow.DeleteBlock("mem_3"), new MemoryRow.RestoreBlock(B)));
    assertThat(block().deleted()).isFalse();
    assertThat(block().settingsVersion()).isEqualTo(3);
    assertThat(refused(store, writing(new MemoryRow.RestoreBlock(B))))
        .isEqualTo(new Reason.BlockGone(B));
  }

  @Test
  void aDeletedBlockTakesNothing() {
    stored(store, writing(adding(B, "atlas", "notes"), appending(B, 1, "a")));
    stored(store, writing(new MemoryRow.DeleteBlock(B)));
    for (MemoryRow row :
        List.of(
            appending(B, 2, "b"),
            new MemoryRow.PutSettings(B, settings("x")),
            new MemoryRow.PutShare(B, "bert", "Append", true),
            new MemoryRow.DeleteBlock(B))) {
      assertThat(refused(store, writing(row))).isEqualTo(new Reason.BlockGone(B));
    }
    assertThat(memory().document(SHOP, B, 0).orElseThrow().updates()).hasSize(1);
  }

  /** Each precondition by itself, stale, beside rows of every kind: no row is written (M-59). */
  @TestFactory
  Stream<DynamicTest> oneStalePreconditionStoresNothing() {
    stored(
        store,
        writing(
            adding(B, "atlas", "notes"),
            appending(B, 1, "a"),
            folding(B, 1, "a"),
            new MemoryRow.PutShare(B, "bert", "Append", true),
            new MemoryRow.AddConsent(consent("con_1", B, "?"))));
    List<Object> before = everything();
    return Stream.of(
            new Precondition.SeqIs(B, 0),
            new Precondition.SeqIs(B, 2),
            new Precondition.SeqIs("mem_9", 0),
            new Precondition.SettingsAre(B, 2),
            new Precondition.SettingsAre("mem_9", 1),
            new Precondition.ShareIs(B, "bert", 2),
            new Precondition.ShareIs(B, "carl", 1),
            new Precondition.ShareIs(B, "bert", 0),
            new Precondition.CheckpointIs(B, 0),
            new Precondition.BlocksBelow("atlas", null, 1),
            new Precondition.ConsentsBelow(1))
        .map(
            condition ->
                DynamicTest.dynamicTest(
                    condition.toString(),
                    () -> {
                      refused(store, everyRow().expect(condition));
                      assertThat(everything()).isEqualTo(before);
                    }));
  }

  private static WriteSet.Builder everyRow() {
    return writing(
        new MemoryRow.PutAgent(new AgentRow("atlas", "Atlas", "", NOW)),
        new MemoryRow.EnsureAgent("carl"),
        adding("mem_2", "atlas", "more"),
        new MemoryRow.PutSettings(B, settings("x")),
        appending(B, 2, "b"),
        new MemoryRow.PutPreview(B, "preview", 3),
        folding(B, 2, "ab"),
        new MemoryRow.PutShare(B, "carl", "Admin", false),
        new MemoryRow.RemoveShare(B, "bert"),
        new MemoryRow.AddArchival(archival("arc_1", "atlas", "x")),
        new MemoryRow.AddConsent(consent("con_2", B, "?")),
        new MemoryRow.AnswerConsent("con_1", YES),
        new MemoryRow.DropConsent("con_1"),
        event(B, "x"),
        new MemoryRow.IndexBlock(B),
        new MemoryRow.IndexArchival("arc_1"),
        new MemoryRow.DeleteBlock("mem_2"));
  }

  private List<Object> everything() {
    List<Object> all = new ArrayList<>();
    all.add(memory().agents(SHOP, null, 99));
    all.add(memory().blocksWithPrefix(SHOP, "", null, 99));
    all.add(memory().document(SHOP, B, 0));
    all.add(memory().history(SHOP, B, 0, 99));
    all.add(memory().preview(SHOP, B));
    all.add(memory().shares(SHOP, B));
    all.add(memory().archival(ATLAS, true, null, 99));
    all.add(memory().consents(SHOP, 99));
    all.add(memory().consent(SHOP, "con_1"));
    all.add(memory().events(SHOP, 0, 99));
    all.add(store.outbox(SHOP, 0, 99));
    return all;
  }

  @Test
  void allRowsAreWrittenTogether() {
    stored(
        store,
        writing(
            adding(B, "atlas", "notes"),
            appending(B, 1, "a"),
            new MemoryRow.PutShare(B, "bert", "Append", true),
            new MemoryRow.AddConsent(consent("con_1", B, "?"))));
    Commit.Committed done =
        stored(
            store,
            everyRow()
                .expect(new Precondition.SeqIs(B, 1))
                .expect(new Precondition.SettingsAre(B, 1))
                .expect(new Precondition.ShareIs(B, "bert", 1))
                .expect(new Precondition.ShareIs(B, "carl", 0))
                .expect(new Precondition.CheckpointIs(B, 0))
                .expect(new Precondition.BlocksBelow("atlas", null, 2))
                .expect(new Precondition.ConsentsBelow(2)));
    assertThat(done.lastEvent()).isEqualTo(memory().lastEvent(SHOP)).isPositive();
    assertThat(memory().agents(SHOP, null, 9))
        .extracting(AgentRow::agent)
        .containsExactly("atlas", "carl");
    assertThat(memory().shares(SHOP, B))
        .containsExactly(new ShareRow(B, "carl", "Admin", false, 1, NOW));
    assertThat(memory().share(SHOP, B, "bert"))
        .contains(new ShareRow(B, "bert", null, true, 2, NOW));
    assertThat(memory().archivalEntry(SHOP, "arc_1")).contains(archival("arc_1", "atlas", "x"));
    assertThat(memory().consents(SHOP, 9)).containsExactly(consent("con_2", B, "?"));
    assertThat(memory().consent(SHOP, "con_1")).isEmpty();
    assertThat(memory().block(SHOP, "mem_2").orElseThrow().deleted()).isTrue();
    assertThat(store.outbox(SHOP, 0, 9))
        .extracting(OutboxRow::entry)
        .containsExactly(
            new OutboxRow.MemoryBlockChanged(SHOP, B), new OutboxRow.ArchivalAdded(SHOP, "arc_1"));
  }

  @Test
  void anAgentKeepsWhenItWasFirstUsed() {
    stored(store, writing(new MemoryRow.EnsureAgent("atlas")));
    assertThat(memory().agent(ATLAS)).contains(new AgentRow("atlas", "", "", NOW));
    stored(
        store,
        writing(
            new MemoryRow.PutAgent(
                new AgentRow("atlas", "A", "d", NOW.plusSeconds(9), "human:pat", TEMPLATE)),
            new MemoryRow.EnsureAgent("atlas")));
    assertThat(memory().agent(ATLAS))
        .contains(new AgentRow("atlas", "A", "d", NOW, "human:pat", TEMPLATE));
    assertThat(memory().agent(SHOP.agent("bert"))).isEmpty();
  }

  @Test
  void consolidationGoesByNumberAndLosesNothing() {
    stored(store, writing(adding(B, "atlas", "notes")));
    for (int i = 1; i <= 10; i++) {
      stored(store, writing(appending(B, i, "u" + i)));
    }
    stored(store, writing(folding(B, 6, "up to 6")).expect(new Precondition.CheckpointIs(B, 0)));
    assertThat(block().checkpointSeq()).isEqualTo(6);
    assertThat(block().seq()).isEqualTo(10);
    DocumentRows all = memory().document(SHOP, B, 0).orElseThrow();
    assertThat(all.checkpoint()).isEqualTo(new CheckpointRow(6, binary("up to 6")));
    assertThat(all.updates()).extracting(UpdateRow::seq).containsExactly(7L, 8L, 9L, 10L);
    assertThat(memory().document(SHOP, B, 5).orElseThrow()).isEqualTo(all);
    DocumentRows newer = memory().document(SHOP, B, 6).orElseThrow();
    assertThat(newer.checkpoint()).isNull();
    assertThat(newer.updates()).hasSize(4);
    assertThat(memory().history(SHOP, B, 0, 99))
        .containsExactlyElementsOf(
            LongStream.rangeClosed(1, 10)
                .mapToObj(seq -> update(seq, "u" + seq).withoutDelta())
                .toList());
    assertThat(refused(store, writing(folding(B, 6, "again"))))
        .isEqualTo(new Reason.CheckpointDiffers(B, 6, 6));
    assertThat(refused(store, writing(folding(B, 11, "beyond"))))
        .isEqualTo(new Reason.SeqDiffers(B, 11, 10));
  }

  @Test
  void versionsOfAShareNeverComeBack() {
    stored(store, writing(adding(B, "atlas", "notes")));
    MemoryRow put = new MemoryRow.PutShare(B, "bert", "Append", true);
    stored(store, writing(put));
    stored(store, writing(new MemoryRow.RemoveShare(B, "bert")));
    stored(store, writing(new MemoryRow.RemoveShare(B, "bert"))); // nothing to remove
    stored(store, writing(put));
    assertThat(memory().share(SHOP, B, "bert").orElseThrow().version()).isEqualTo(3);
  }

  @Test
  void sharedBlocksAreListedByLabelThenOwner() {
    stored(
        store,
        writing(
            new MemoryRow.PutAgent(new AgentRow("zoe", "Zoe", "", NOW)),
            adding("mem_1", "zoe", "a"),
            adding("mem_2", "carl", "a"),
            adding("mem_3", "carl", "b"),
            adding("mem_4", "carl", "c"),
            adding("mem_5", "carl", "d")));
    for (String id : List.of("mem_1", "mem_2", "mem_3", "mem_4")) {
      stored(store, writing(new MemoryRow.PutShare(id, "atlas", "ReadOnly", true)));
    }
    stored(store, writing(new MemoryRow.DeleteBlock("mem_3")));
    var shared = memory().sharedWith(ATLAS, false, null, 9);
    assertThat(shared).extracting(s -> s.block().id()).containsExactly("mem_2", "mem_1", "mem_4");
    assertThat(shared).extracting(s -> s.ownerName()).containsExactly("", "Zoe", "");
    assertThat(memory().sharedWith(ATLAS, false, shared.getFirst().block().cursor(), 1))
        .containsExactly(shared.get(1));
    stored(store, writing(new MemoryRow.RemoveShare("mem_1", "atlas")));
    assertThat(memory().sharedWith(ATLAS, false, null, 9)).hasSize(2);
  }

  @Test
  void blocksAreFoundByLiteralPrefixInPages() {
    stored(
        store,
        writing(
            adding("mem_1", "atlas", "b_1"),
            adding("mem_2", "atlas", "bx1"),
            adding("mem_3", "bert", "b_1"),
            adding("mem_4", "bert", "b_2"),
            adding("mem_5", "bert", "B_2")));
    assertThat(memory().blocksWithPrefix(SHOP, "b_", null, 9))
        .extracting(BlockRow::id)
        .containsExactly("mem_1", "mem_3", "mem_4");
    assertThat(memory().blocksWithPrefix(SHOP, "b_", new BlockRow.Cursor("b_1", "atlas", ""), 1))
        .extracting(BlockRow::id)
        .containsExactly("mem_3");
    assertThat(memory().blocksWithPrefix(SHOP, "%", null, 9)).isEmpty();
    assertThat(memory().blocks(ATLAS, "b_1", 9)).extracting(BlockRow::id).containsExactly("mem_2");
  }

  @Test
  void aQuestionIsAnsweredOnceAndInTime() {
    stored(store, writing(new MemoryRow.AddConsent(consent("con_1", B, "?"))));
    assertThat(refused(store, writing(new MemoryRow.AddConsent(consent("con_1", B, "?")))))
        .isEqualTo(new Reason.IdUsed("con_1"));
    stored(store, writing(new MemoryRow.AnswerConsent("con_1", YES)));
    assertThat(memory().consent(SHOP, "con_1").map(ConsentRow::answer)).contains(YES);
    assertThat(memory().consents(SHOP, 9)).isEmpty();
    assertThat(refused(store, writing(new MemoryRow.AnswerConsent("con_1", YES))))
        .isEqualTo(new Reason.ConsentClosed("con_1"));
    assertThat(refused(store, writing(new MemoryRow.AnswerConsent("con_9", YES))))
        .isEqualTo(new Reason.ConsentClosed("con_9"));
    stored(store, writing(new MemoryRow.AddConsent(consent("con_2", B, "?"))));
    WriteSet late =
        WriteSet.of(SHOP, NOW.plus(Duration.ofMinutes(1)))
            .add(new MemoryRow.AnswerConsent("con_2", YES))
            .build();
    assertThat(store.commit(late))
        .isEqualTo(new Commit.Conflict(0, new Reason.ConsentClosed("con_2")));
    WriteSet another =
        WriteSet.of(SHOP, NOW.plus(Duration.ofMinutes(1)))
            .expect(new Precondition.ConsentsBelow(1)) // the other one is expired
            .add(new MemoryRow.AddConsent(consent("con_3", B, "?")))
            .build();
    assertThat(store.commit(another)).isInstanceOf(Commit.Committed.class);
  }

  @Test
  void erasesEventsThatAreOldOrTooMany() {
    stored(store, writing(event(B, "a"), event(B, "b"), event(B, "c"), event(B, "d")));
    MemoryEvent later =
        new MemoryEvent(0, NOW.plusSeconds(5), null, null, null, "x", null, JsonObject.EMPTY);
    stored(store, writing(new MemoryRow.AddEvent(later)));
    long last = memory().lastEvent(SHOP);
    Instant ever = Instant.EPOCH;
    assertThat(memory().outlivedEvents(SHOP, ever, Long.MAX_VALUE)).isZero();
    assertThat(memory().outlivedEvents(SHOP, ever, 3)).isEqualTo(2);
    assertThat(memory().outlivedEvents(SHOP, NOW.plusSeconds(1), Long.MAX_VALUE)).isEqualTo(4);
    assertThat(store.eraseEvents(SHOP, ever, 3, 1, NOW)).as("one at a time").isEqualTo(1);
    assertThat(store.eraseEvents(SHOP, ever, 3, 9, NOW)).isEqualTo(1);
    assertThat(memory().events(SHOP, 0, 9)).hasSize(3);
    assertThat(store.eraseEvents(SHOP, NOW.plusSeconds(1), Long.MAX_VALUE, 9, NOW)).isEqualTo(2);
    assertThat(memory().events(SHOP, 0, 9)).extracting(MemoryEvent::number).containsExactly(last);
    assertThat(memory().lastEvent(SHOP)).isEqualTo(last);
  }

  @Test
  void eventsHaveRisingNumbers() {
    stored(store, writing(event(B, "a"), event(B, "b")));
    MemoryEvent machine =
        new MemoryEvent(0, NOW.plusSeconds(5), null, null, null, "x", null, JsonObject.EMPTY);
    stored(store, writing(new MemoryRow.AddEvent(machine)));
    List<MemoryEvent> all = memory().events(SHOP, 0, 9);
    assertThat(all).hasSize(3).extracting(MemoryEvent::number).isSorted().doesNotHaveDuplicates();
    assertThat(memory().events(SHOP, all.getFirst().number(), 1)).containsExactly(all.get(1));
    assertThat(memory().activity(SHOP, null, false, NOW, Long.MAX_VALUE, 9))
        .containsExactly(all.get(1), all.getFirst());
    assertThat(memory().activity(SHOP, null, false, NOW.plusSeconds(1), Long.MAX_VALUE, 9))
        .isEmpty();
    assertThat(memory().activity(SHOP, null, false, NOW, all.get(1).number(), 9))
        .containsExactly(all.getFirst());
    assertThat(all.getLast().numbered(0)).isEqualTo(machine);
  }

  @Test
  void aSetMayWriteAConversationAndMemoryAsAWhole() {
    TurnId turn = TurnId.of("t1");
    WriteSet both =
        WriteSet.of(CHAT, NOW)
            .add(new Row.PutTurn(TurnRow.open(turn, NOW)))
            .append(StoreFixture.news(StoreFixture.block(turn, "a")))
            .add(adding(B, "atlas", "notes"))
            .add(event(B, "made"))
            .build();
    Commit.Committed done = applied(store, both);
    assertThat(done).isEqualTo(new Commit.Committed(1, 1, 1, memory().lastEvent(SHOP)));
    assertThat(done.lastEvent()).isPositive();
    assertThat(block().owner()).isEqualTo("atlas");

    WriteSet late = // the label is taken: nothing of it stays
        WriteSet.of(CHAT, NOW)
            .append(StoreFixture.news(StoreFixture.block(turn, "b")))
            .add(event(B, "never"))
            .add(adding("mem_2", "atlas", "notes"))
            .build();
    assertThat(store.commit(late))
        .isEqualTo(new Commit.Conflict(1, new Reason.LabelTaken("atlas", "notes", B)));
    assertThat(store.head(CHAT).orElseThrow().blocks()).isEqualTo(1);
    assertThat(memory().lastEvent(SHOP)).isEqualTo(done.lastEvent());
    applied(store, StoreFixture.appending(CHAT, StoreFixture.block(turn, "c")));
    assertThat(texts(store.readRange(CHAT, 1, 9, 9))).containsExactly("a", "c");
  }

  @Test
  void aPreconditionOfMemoryHoldsAConversationBack() {
    stored(store, writing(adding(B, "atlas", "notes")));
    WriteSet stale =
        WriteSet.of(CHAT, NOW)
            .expect(new Precondition.SettingsAre(B, 2))
            .add(new Row.SetTitle("never"))
            .build();
    assertThat(store.commit(stale))
        .isEqualTo(new Commit.Conflict(0, new Reason.SettingsDiffer(B, 2, 1)));
    assertThat(store.head(CHAT)).isEmpty();
  }

  @Test
  void memoryRowsAloneMakeNoConversation() {
    applied(store, WriteSet.of(CHAT, NOW).add(adding(B, "atlas", "notes")).build());
    assertThat(block().label()).isEqualTo("notes");
    assertThat(store.head(CHAT)).isEmpty();
  }
}
