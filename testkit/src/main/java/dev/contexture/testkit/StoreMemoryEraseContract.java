package dev.contexture.testkit;

import static dev.contexture.testkit.MemoryFixture.SHOP;
import static dev.contexture.testkit.MemoryFixture.adding;
import static dev.contexture.testkit.MemoryFixture.appending;
import static dev.contexture.testkit.MemoryFixture.archival;
import static dev.contexture.testkit.MemoryFixture.consent;
import static dev.contexture.testkit.MemoryFixture.event;
import static dev.contexture.testkit.MemoryFixture.folding;
import static dev.contexture.testkit.MemoryFixture.stored;
import static dev.contexture.testkit.MemoryFixture.writing;
import static dev.contexture.testkit.StoreFixture.NOW;
import static dev.contexture.testkit.StoreFixture.binary;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.block.Scope;
import dev.contexture.json.JsonObject;
import dev.contexture.store.Commit;
import dev.contexture.store.EpochRow;
import dev.contexture.store.MemoryRow;
import dev.contexture.store.OutboxRow;
import dev.contexture.store.Reason;
import dev.contexture.store.RequestRow;
import dev.contexture.store.Row;
import dev.contexture.store.memory.ConsentRow;
import dev.contexture.store.memory.MemoryEvent;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is left where memory was erased, in every store: nothing of it, and everything else. */
abstract class StoreMemoryEraseContract extends StoreTests {
  @Test
  void erasingABlockLeavesNothingOfItAndEverythingElse() {
    for (String id : List.of(B, "mem_2")) {
      stored(
          store,
          writing(
              adding(id, "atlas", id),
              appending(id, 1, "a"),
              folding(id, 1, "a"),
              new MemoryRow.PutPreview(id, "p", 1),
              new MemoryRow.PutShare(id, "bert", "Append", true),
              new MemoryRow.AddConsent(consent("con_" + id, id, "?")),
              new MemoryRow.IndexBlock(id),
              event(id, "x")));
    }
    assertThat(store.eraseMemoryBlock(SHOP, B, NOW)).isTrue();
    assertThat(store.eraseMemoryBlock(SHOP, B, NOW)).isFalse();
    assertThat(memory().block(SHOP, B)).isEmpty();
    assertThat(memory().document(SHOP, B, 0)).isEmpty();
    assertThat(memory().history(SHOP, B, 0, 9)).isEmpty();
    assertThat(memory().preview(SHOP, B)).isEmpty();
    assertThat(memory().share(SHOP, B, "bert")).isEmpty();
    assertThat(memory().sharedWith(SHOP.agent("bert"), false, null, 9)).hasSize(1);
    assertThat(memory().consents(SHOP, 9)).extracting(ConsentRow::block).containsExactly("mem_2");
    assertThat(memory().events(SHOP, 0, 9)).extracting(MemoryEvent::block).containsExactly("mem_2");
    assertThat(memory().document(SHOP, "mem_2", 0).orElseThrow().checkpoint()).isNotNull();
    assertThat(store.outbox(SHOP, 0, 9))
        .extracting(OutboxRow::entry)
        .containsExactly(
            new OutboxRow.MemoryBlockChanged(SHOP, "mem_2"),
            new OutboxRow.MemoryBlockErased(SHOP, B));
  }

  /** M-58: what a prompt repeats of an erased block goes with it, in its own project only. */
  @Test
  void erasingABlockEmptiesTheEpochsThatShowIt() {
    JsonObject state = JsonObject.builder().put("core", "secret").build();
    EpochRow shows = new EpochRow("atlas", 3, NOW, NOW, state, Set.of(B));
    EpochRow other = new EpochRow("zeus", 1, NOW, NOW, state, Set.of("mem_other"));
    Scope.OfConversation elsewhere = Scope.of("acme2", "shop").user("u42").conversation("c1");
    for (Scope.OfConversation chat : List.of(StoreFixture.CHAT, elsewhere)) {
      Scope scope = chat.owner().scope();
      stored(store, writing(scope, adding(B, "atlas", "notes"), adding("mem_other", "zeus", "x")));
      StoreFixture.applied(
          store,
          StoreFixture.set(chat).add(new Row.PutEpoch(shows)).add(new Row.PutEpoch(other)).build());
    }
    assertThat(store.eraseMemoryBlock(SHOP, B, NOW)).isTrue();
    assertThat(store.epochs(StoreFixture.CHAT)).containsExactly(shows.erased(), other);
    assertThat(store.epochs(elsewhere)).containsExactly(shows, other);
  }

  /** DESIGN, rule 1: what was sent of an erased block goes with it, in its own project only. */
  @Test
  void erasingABlockTakesWhatWasSentOfIt() {
    Scope.OfConversation elsewhere = Scope.of("acme", "shop2").user("u42").conversation("c1");
    RequestRow holds = requestWith("r1", "secret", B, "mem_other");
    RequestRow other = requestWith("r2", "plain", "mem_other");
    for (Scope.OfConversation chat : List.of(StoreFixture.CHAT, elsewhere)) {
      Scope scope = chat.owner().scope();
      stored(store, writing(scope, adding(B, "atlas", "notes"), adding("mem_other", "zeus", "x")));
      putRequest(chat, holds, "secret");
      putRequest(chat, other, "plain");
    }
    assertThat(store.eraseMemoryBlock(SHOP, B, NOW)).isTrue();
    assertThat(store.requests(StoreFixture.CHAT, null, 9)).containsExactly(other, holds.erased());
    assertThat(holds.erased().record().without("erased")).isEqualTo(holds.record());
    assertThat(holds.erased().record().object("erased").orElseThrow().string("reason"))
        .contains("memory_erased");
    assertThat(holds.erased().sent().isEmpty()).isTrue();
    assertThat(store.binary(StoreFixture.CHAT, binary("secret").sha256())).isEmpty();
    assertThat(store.binary(StoreFixture.CHAT, binary("plain").sha256())).isPresent();
    assertThat(store.requests(elsewhere, null, 9)).containsExactly(other, holds);
    assertThat(store.binary(elsewhere, binary("secret").sha256())).isPresent();
  }

  /** A record or an epoch made from what was read before cannot bring an erased block back. */
  @Test
  void whatHoldsAnErasedBlockIsRefused() {
    stored(store, writing(adding(B, "atlas", "notes"), new MemoryRow.EnsureAgent("atlas")));
    stored(store, writing(new MemoryRow.DeleteBlock(B)));
    RequestRow holds = requestWith("r1", "secret", B);
    putRequest(StoreFixture.CHAT, holds, "secret"); // a deleted block is still there
    store.eraseMemoryBlock(SHOP, B, NOW);
    Reason erased = new Reason.MemoryErased(Set.of(B));
    Row again = new Row.PutRequest(holds, List.of(binary("secret")));
    Row epoch = new Row.PutEpoch(new EpochRow("atlas", 1, NOW, NOW, holds.sent(), Set.of(B)));
    for (Row row : List.of(again, epoch)) {
      assertThat(store.commit(StoreFixture.set(StoreFixture.CHAT).add(row).build()))
          .isInstanceOfSatisfying(
              Commit.Conflict.class, conflict -> assertThat(conflict.reason()).isEqualTo(erased));
    }
    assertThat(store.epochs(StoreFixture.CHAT)).isEmpty();
    Row refers = new Row.PutRequest(new RequestRow("r2", null, NOW, holds.record(), SECRET));
    assertThat(store.commit(StoreFixture.set(StoreFixture.CHAT).add(refers).build()))
        .as("content of a refused record is not kept")
        .isInstanceOfSatisfying(
            Commit.Conflict.class,
            conflict ->
                assertThat(conflict.reason()).isEqualTo(new Reason.BinariesMissing(SECRET)));
  }

  private static final Set<String> SECRET = Set.of(binary("secret").sha256());

  private static RequestRow requestWith(String id, String content, String... memory) {
    return new RequestRow(
        id,
        null,
        NOW,
        JsonObject.builder().put("model", "m").build(),
        Set.of(binary(content).sha256()),
        JsonObject.builder().put("was", content).build(),
        Set.of(memory));
  }

  private void putRequest(Scope.OfConversation chat, RequestRow request, String content) {
    Row put = new Row.PutRequest(request, List.of(binary(content)));
    StoreFixture.applied(store, StoreFixture.set(chat).add(put).build());
  }

  @Test
  void erasingAnArchivalEntryIsFinal() {
    stored(
        store,
        writing(
            new MemoryRow.AddArchival(archival("arc_1", "atlas", "x")),
            new MemoryRow.AddArchival(archival("arc_2", "atlas", "y")),
            new MemoryRow.IndexArchival("arc_1")));
    assertThat(store.eraseArchival(SHOP, "arc_1", NOW)).isTrue();
    assertThat(store.eraseArchival(SHOP, "arc_1", NOW)).isFalse();
    assertThat(memory().archival(ATLAS, true, null, 9))
        .containsExactly(archival("arc_2", "atlas", "y"));
    assertThat(store.outbox(SHOP, 0, 9))
        .extracting(OutboxRow::entry)
        .containsExactly(new OutboxRow.ArchivalErased(SHOP, "arc_1"));
  }

  @Test
  void erasingATenantTakesItsMemory() {
    Scope other = Scope.of("other", "shop");
    for (Scope scope : List.of(SHOP, other)) {
      stored(
          store,
          writing(
              scope,
              new MemoryRow.EnsureAgent("atlas"),
              adding(B, "atlas", "notes"),
              appending(B, 1, "a"),
              new MemoryRow.AddArchival(archival("arc_1", "atlas", "x")),
              new MemoryRow.AddConsent(consent("con_1", B, "?")),
              event(B, "x")));
    }
    store.eraseTenant("acme", NOW);
    assertThat(memory().agents(SHOP, null, 9)).isEmpty();
    assertThat(memory().block(SHOP, B)).isEmpty();
    assertThat(memory().archivalEntry(SHOP, "arc_1")).isEmpty();
    assertThat(memory().consents(SHOP, 9)).isEmpty();
    assertThat(memory().events(SHOP, 0, 9)).isEmpty();
    assertThat(memory().document(other, B, 0).orElseThrow().updates()).hasSize(1);
    assertThat(store.outbox(SHOP, 0, 9))
        .extracting(OutboxRow::entry)
        .containsExactly(new OutboxRow.ScopeErased(SHOP));
  }
}
