package dev.contexture.testkit;

import static dev.contexture.testkit.StoreFixture.CHAT;
import static dev.contexture.testkit.StoreFixture.NOW;
import static dev.contexture.testkit.StoreFixture.appending;
import static dev.contexture.testkit.StoreFixture.applied;
import static dev.contexture.testkit.StoreFixture.binary;
import static dev.contexture.testkit.StoreFixture.block;
import static dev.contexture.testkit.StoreFixture.closing;
import static dev.contexture.testkit.StoreFixture.image;
import static dev.contexture.testkit.StoreFixture.opening;
import static dev.contexture.testkit.StoreFixture.set;
import static dev.contexture.testkit.StoreFixture.summary;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.block.BlockPath;
import dev.contexture.block.Scope;
import dev.contexture.json.JsonObject;
import dev.contexture.store.Commit;
import dev.contexture.store.Feedback;
import dev.contexture.store.OutboxRow;
import dev.contexture.store.Outcome;
import dev.contexture.store.PinRow;
import dev.contexture.store.Precondition;
import dev.contexture.store.Reason;
import dev.contexture.store.RequestRow;
import dev.contexture.store.Row;
import dev.contexture.store.StoredTurn;
import dev.contexture.timeline.ArchivedRange;
import dev.contexture.timeline.Summary;
import dev.contexture.timeline.TurnStatus;
import dev.contexture.timeline.Visibility;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Erasing removes everything that it names and nothing else. */
abstract class StoreEraseContract extends StoreTests {
  private static final JsonObject NOTE = JsonObject.builder().put("type", "erased").build();

  private void threeTurns() {
    Scope scope = CHAT.owner().scope();
    store.putBinary(scope, binary("only t2"));
    store.putBinary(scope, binary("t1 and t2"));
    applied(store, opening(CHAT, T1, block(T1, "a"), image(T1, binary("t1 and t2"))));
    applied(store, closing(CHAT, T1, TurnStatus.COMPLETE));
    put(request("before"));
    applied(store, opening(CHAT, T2, block(T2, "k2", "b"), image(T2, binary("only t2"))));
    put(request("within"));
    applied(store, appending(CHAT, image(T2, binary("t1 and t2"))));
    put(new Row.PutVisibility(List.of(new Visibility(3, "b?", Visibility.Reason.API, NOW))));
    put(new Row.PutFeedback(T2, new Feedback("user", NOTE)));
    put(new Row.PutOutcome(new Outcome("o2", T2, NOTE)));
    put(new Row.IndexTurn(T2));
    applied(store, closing(CHAT, T2, TurnStatus.COMPLETE));
    applied(store, opening(CHAT, T3, block(T3, "c")));
    put(new Row.PutSummary(summary("s1", 3, T2, T1)));
    put(new Row.PutSummary(summary("s2", 6, T3, T1, T2)));
    put(new Row.PutArchivedRange(new ArchivedRange("r1", 1, 2, List.of(T1), "x", null, NOW)));
    put(new Row.PutArchivedRange(new ArchivedRange("r2", 3, 5, List.of(T2), "x", null, NOW)));
  }

  private void put(Row row) {
    applied(store, set().add(row).build());
  }

  private static Row request(String id) {
    return new Row.PutRequest(new RequestRow(id, null, NOW, NOTE, Set.of()));
  }

  @Test
  void erasingRequestsTakesThemAndWhatOnlyTheyReferTo() {
    threeTurns();
    long version = store.head(CHAT).orElseThrow().version();
    put(
        new Row.PutRequest(
            new RequestRow("sent", null, NOW, NOTE, Set.of(binary("only sent").sha256())),
            List.of(binary("only sent"))));
    assertThat(store.eraseRequests(CHAT, Set.of("sent", "before", "nope"), NOW)).isEqualTo(2);
    assertThat(store.requests(CHAT, null, 9)).extracting(RequestRow::id).containsExactly("within");
    assertThat(store.binary(CHAT, binary("only sent").sha256())).isEmpty();
    assertThat(store.head(CHAT).orElseThrow().version()).isEqualTo(version);
    assertThat(store.eraseRequests(CHAT, Set.of("sent"), NOW)).isZero();
  }

  @Test
  void erasingATurnTakesWhatCoversIt() {
    threeTurns();
    long version = store.head(CHAT).orElseThrow().version();
    assertThat(store.eraseTurn(CHAT, T2, NOW, NOTE))
        .isEqualTo(new Commit.Committed(version + 1, 0, 0));
    assertThat(seqs(store.readRange(CHAT, 1, 99, 99))).containsExactly(1L, 2L, 6L);
    assertThat(store.turns(CHAT, null, 9)).extracting(StoredTurn::turn).containsExactly(T1, T3);
    assertThat(store.turnBlocks(CHAT, T2)).isEmpty();
    assertThat(store.blocksWithIds(CHAT, List.of("k2"))).isEmpty();
    assertThat(store.summaries(CHAT, null, 9))
        .isEmpty(); // s1's cut block was of the turn, s2 covered it
    assertThat(store.load(CHAT).orElseThrow().archived())
        .extracting(ArchivedRange::id)
        .containsExactly("r1");
    assertThat(store.requests(CHAT, null, 9)).extracting(RequestRow::id).containsExactly("before");
    assertThat(store.outcome(CHAT, "o2")).isEmpty();
    assertThat(store.binary(CHAT, binary("only t2").sha256())).isEmpty();
    assertThat(store.binary(CHAT, binary("t1 and t2").sha256())).isPresent();
    assertThat(store.changes(CHAT, version, 9)).hasSize(1);
    assertThat(store.outbox(CHAT.owner().scope(), 0, 9))
        .extracting(OutboxRow::entry)
        .containsExactly(new OutboxRow.TurnErased(CHAT, T2));
    var head = store.head(CHAT).orElseThrow();
    assertThat(head.blocks()).isEqualTo(3);
    assertThat(head.turns()).isEqualTo(2);
    assertThat(head.keptTurns()).isEqualTo(1);
    assertThat(applied(store, appending(CHAT, block(T3, "d"))).firstSeq()).isEqualTo(7);
    Commit stale =
        store.commit(
            set()
                .expect(new Precondition.UnchangedSince(version, 1, 7))
                .add(new Row.SetTitle("no"))
                .build());
    assertThat(stale).isInstanceOf(Commit.Conflict.class);
  }

  @Test
  void erasingATurnTakesItsPins() {
    threeTurns();
    var kept = new PinRow(BlockPath.userPrompt(T1), NOW, 3);
    put(new Row.PutPin(new PinRow(BlockPath.userPrompt(T2), NOW, 3)));
    put(new Row.PutPin(kept));
    assertThat(store.eraseTurn(CHAT, T2, NOW, NOTE)).isInstanceOf(Commit.Committed.class);
    assertThat(store.load(CHAT).orElseThrow().pins()).containsExactly(kept);
  }

  @Test
  void summariesOfOtherTurnsStay() {
    threeTurns();
    applied(store, closing(CHAT, T3, TurnStatus.COMPLETE));
    store.eraseTurn(CHAT, T3, NOW, NOTE);
    assertThat(store.summaries(CHAT, null, 9)).extracting(Summary::id).containsExactly("s1");
  }

  @Test
  void openAndUnknownTurnsAreNotErased() {
    assertThat(store.eraseTurn(CHAT, T1, NOW, NOTE))
        .isEqualTo(new Commit.Conflict(0, new Reason.TurnUnknown(T1)));
    applied(store, opening(CHAT, T1, block(T1, "a")));
    assertThat(store.eraseTurn(CHAT, T1, NOW, NOTE))
        .isEqualTo(new Commit.Conflict(1, new Reason.TurnOpen(T1)));
    assertThat(store.readRange(CHAT, 1, 9, 9)).hasSize(1);
  }

  @Test
  void erasingAConversationLeavesOthersAlone() {
    threeTurns();
    Scope.OfConversation other = CHAT.owner().conversation("c1-not");
    applied(store, opening(other, T1, image(T1, binary("t1 and t2"))));
    applied(store, set(other).add(new Row.IndexTurn(T1)).build());
    assertThat(store.eraseConversation(CHAT, NOW)).isTrue();
    assertThat(store.eraseConversation(CHAT, NOW)).isFalse();
    assertThat(store.head(CHAT)).isEmpty();
    assertThat(store.load(CHAT)).isEmpty();
    assertThat(store.load(other).orElseThrow().blocks()).hasSize(1);
    assertThat(store.outbox(CHAT.owner().scope(), 0, 9))
        .extracting(OutboxRow::entry)
        .containsExactly(
            new OutboxRow.TurnChanged(other, T1), new OutboxRow.ConversationErased(CHAT));
    assertThat(applied(store, opening(CHAT, T1, block(T1, "new"))))
        .isEqualTo(new Commit.Committed(1, 1, 1));
    assertThat(texts(store.load(CHAT).orElseThrow().blocks())).containsExactly("new");
  }

  @Test
  void erasingATenantLeavesOtherTenantsAlone() {
    threeTurns();
    Scope.OfConversation other = Scope.of("other", "shop").user("u42").conversation("c1");
    store.putBinary(other.owner().scope(), binary("only t2"));
    applied(store, opening(other, T1, image(T1, binary("only t2"))));
    assertThat(store.eraseTenant("acme", NOW)).isEqualTo(1);
    assertThat(store.eraseTenant("acme", NOW)).isZero();
    assertThat(store.head(CHAT)).isEmpty();
    assertThat(store.load(other).orElseThrow().blocks()).hasSize(1);
    assertThat(store.outbox(CHAT.owner().scope(), 0, 9))
        .extracting(OutboxRow::entry)
        .containsExactly(new OutboxRow.ScopeErased(CHAT.owner().scope()));
  }
}
