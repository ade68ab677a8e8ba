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
import static dev.contexture.testkit.StoreFixture.refused;
import static dev.contexture.testkit.StoreFixture.set;
import static dev.contexture.testkit.StoreFixture.summary;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.block.Block;
import dev.contexture.json.JsonObject;
import dev.contexture.store.CacheTouch;
import dev.contexture.store.Commit;
import dev.contexture.store.EpochRow;
import dev.contexture.store.Head;
import dev.contexture.store.Outcome;
import dev.contexture.store.Precondition;
import dev.contexture.store.Reason;
import dev.contexture.store.RequestRow;
import dev.contexture.store.Row;
import dev.contexture.store.SourceRow;
import dev.contexture.store.TurnRow;
import dev.contexture.timeline.ArchivedRange;
import dev.contexture.timeline.TurnStatus;
import dev.contexture.timeline.Visibility;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Commits, their preconditions and their conflicts. */
abstract class StoreWriteContract extends StoreTests {

  @Test
  void keepsTheFirstSecretOfAName() {
    byte[] first = {1, 2, 3};
    assertThat(store.secret("a", first)).containsExactly(1, 2, 3);
    first[0] = 9;
    assertThat(store.secret("a", new byte[] {4})).containsExactly(1, 2, 3);
    assertThat(store.secret("b", new byte[] {4})).containsExactly(4);
  }

  private Commit.Conflict refusedUnder(Precondition precondition) {
    Head before = store.head(CHAT).orElse(null);
    Commit.Conflict conflict =
        refused(store, set().expect(precondition).add(new Row.SetTitle("never")).build());
    assertThat(store.head(CHAT).orElse(null)).isEqualTo(before);
    return conflict;
  }

  private void appliedUnder(Precondition precondition) {
    long before = store.head(CHAT).map(Head::version).orElse(0L);
    Commit.Committed done =
        applied(store, set().expect(precondition).add(new Row.IndexTurn(T1)).build());
    assertThat(done.version()).isEqualTo(before + 1);
  }

  @Test
  void numbersBlocksWithoutGapAndRaisesTheVersionByOne() {
    assertThat(applied(store, opening(CHAT, T1, block(T1, "a"), block(T1, "b"))))
        .isEqualTo(new Commit.Committed(1, 1, 2));
    Commit.Committed next =
        applied(store, appending(CHAT, block(T1, "c"), block(T1, "d"), block(T1, "e")));
    assertThat(next).isEqualTo(new Commit.Committed(2, 3, 3));
    assertThat(next.seqs()).containsExactly(3L, 4L, 5L);
    assertThat(texts(store.readRange(CHAT, 1, 99, 99))).containsExactly("a", "b", "c", "d", "e");
    Head head = store.head(CHAT).orElseThrow();
    assertThat(head.version()).isEqualTo(2);
    assertThat(head.nextSeq()).isEqualTo(6);
    assertThat(head.blocks()).isEqualTo(5);
    assertThat(head.openTurn()).isEqualTo(T1);
  }

  @Test
  void refusesAnotherVersion() {
    applied(store, opening(CHAT, T1));
    assertThat(refusedUnder(new Precondition.VersionIs(0)))
        .isEqualTo(new Commit.Conflict(1, new Reason.VersionDiffers(0, 1)));
    appliedUnder(new Precondition.VersionIs(1));
  }

  @Test
  void anUnknownConversationHasVersionZero() {
    assertThat(refusedUnder(new Precondition.VersionIs(1)).version()).isZero();
    assertThat(store.head(CHAT)).isEmpty();
    appliedUnder(new Precondition.VersionIs(0));
  }

  @Test
  void refusesATurnOfAnotherStatus() {
    assertThat(refusedUnder(Precondition.open(T1)).reason())
        .isEqualTo(new Reason.TurnDiffers(T1, TurnStatus.OPEN, null));
    applied(store, opening(CHAT, T1));
    appliedUnder(Precondition.open(T1));
    applied(store, closing(CHAT, T1, TurnStatus.COMPLETE));
    assertThat(refusedUnder(Precondition.open(T1)).reason())
        .isEqualTo(new Reason.TurnDiffers(T1, TurnStatus.OPEN, TurnStatus.COMPLETE));
    appliedUnder(new Precondition.TurnIs(T1, TurnStatus.COMPLETE));
  }

  @Test
  void refusesASecondOpenTurnAndAUsedTurn() {
    appliedUnder(new Precondition.TurnUnused(T1));
    appliedUnder(new Precondition.NoOpenTurn(null));
    applied(store, opening(CHAT, T1));
    assertThat(refusedUnder(new Precondition.TurnUnused(T1)).reason())
        .isEqualTo(new Reason.TurnUsed(T1));
    assertThat(refusedUnder(new Precondition.NoOpenTurn(null)).reason())
        .isEqualTo(new Reason.TurnOpen(T1));
    assertThat(refusedUnder(new Precondition.NoOpenTurn(T2)).reason())
        .isEqualTo(new Reason.TurnOpen(T1));
    appliedUnder(new Precondition.NoOpenTurn(T1));
    applied(store, closing(CHAT, T1, TurnStatus.INTERRUPTED));
    appliedUnder(new Precondition.NoOpenTurn(null));
  }

  @Test
  void judgesPreconditionsBeforeTheRows() {
    applied(store, opening(CHAT, T1));
    applied(
        store,
        set()
            .expect(Precondition.open(T1))
            .expect(new Precondition.NoOpenTurn(T1))
            .expect(new Precondition.TurnUnused(T2))
            .add(new Row.PutTurn(TurnRow.open(T1, NOW).closed(TurnStatus.ABORTED, NOW)))
            .add(new Row.PutTurn(TurnRow.open(T2, NOW)))
            .append(StoreFixture.news(block(T2, "x")))
            .build());
    assertThat(store.head(CHAT).orElseThrow().openTurn()).isEqualTo(T2);
    assertThat(store.head(CHAT).orElseThrow().turns()).isEqualTo(2);
  }

  @Test
  void refusesBlocksWithUsedIdsAndSaysWhere() {
    applied(store, opening(CHAT, T1, block(T1, "k1", "a"), block(T1, "b"), block(T1, "k3", "c")));
    Commit.Conflict conflict =
        refused(
            store,
            appending(CHAT, block(T1, "k3", "c"), block(T1, "k4", "d"), block(T1, "k1", "z")));
    assertThat(conflict.reason()).isEqualTo(new Reason.BlockIdsUsed(Map.of("k1", 1L, "k3", 3L)));
    assertThat(store.head(CHAT).orElseThrow().nextSeq()).isEqualTo(4);
    assertThat(store.blocksWithIds(CHAT, List.of("k1", "k4", "k3")).keySet())
        .containsExactlyInAnyOrder("k1", "k3");
  }

  @Test
  void transientBlocksHoldTheirIdsUntilTheyAreCleared() {
    applied(store, opening(CHAT, T1));
    Block kept = block(T1, "k1", "a");
    applied(store, set().add(new Row.AddTransient(T1, List.of(kept))).build());
    assertThat(refused(store, appending(CHAT, kept)).reason())
        .isEqualTo(new Reason.BlockIdsUsed(Map.of("k1", 0L)));
    assertThat(refused(store, set().add(new Row.AddTransient(T1, List.of(kept))).build()).reason())
        .isInstanceOf(Reason.BlockIdsUsed.class);
    assertThat(store.blocksWithIds(CHAT, List.of("k1"))).isEmpty();
    applied(store, set().add(new Row.ClearTurnScoped(T1)).build());
    applied(store, appending(CHAT, kept));
  }

  @Test
  void refusesBlocksOfUnknownTurns() {
    assertThat(refused(store, appending(CHAT, block(T1, "a"))).reason())
        .isEqualTo(new Reason.TurnUnknown(T1));
    assertThat(refused(store, set().add(new Row.SetAnnounce(T2, List.of())).build()).reason())
        .isEqualTo(new Reason.TurnUnknown(T2));
    assertThat(store.head(CHAT)).isEmpty();
  }

  @Test
  void refusesBinariesThatWereNotPut() {
    Block image = image(T1, binary("png"));
    assertThat(refused(store, opening(CHAT, T1, image)).reason())
        .isEqualTo(new Reason.BinariesMissing(Set.of(binary("png").sha256())));
    store.putBinary(CHAT.owner().scope(), binary("png"));
    store.putBinary(CHAT.owner().scope(), binary("png"));
    applied(store, opening(CHAT, T1, image));
    assertThat(store.readRange(CHAT, 1, 1, 1).getFirst().block()).isEqualTo(image);
    assertThat(store.binary(CHAT, binary("png").sha256())).contains(binary("png"));
  }

  @Test
  void refusesAnotherNewestSummary() {
    applied(store, opening(CHAT, T1, block(T1, "a"), block(T1, "b")));
    appliedUnder(new Precondition.NewestSummaryIs(null));
    applied(store, set().add(new Row.PutSummary(summary("s1", 2, T1, T1))).build());
    assertThat(refusedUnder(new Precondition.NewestSummaryIs(null)).reason())
        .isEqualTo(new Reason.SummaryDiffers(null, "s1"));
    appliedUnder(new Precondition.NewestSummaryIs("s1"));
    assertThat(refused(store, set().add(new Row.PutSummary(summary("s1", 3, T1))).build()).reason())
        .isEqualTo(new Reason.SummaryUsed("s1"));
    applied(store, set().add(new Row.WithdrawSummary("s1")).build());
    appliedUnder(new Precondition.NewestSummaryIs(null));
    assertThat(refused(store, set().add(new Row.WithdrawSummary("s1")).build()).reason())
        .isEqualTo(new Reason.SummaryGone("s1"));
  }

  @Test
  void aSummaryOfAnExcludedTurnIsNotUsable() {
    applied(store, opening(CHAT, T1, block(T1, "a")));
    applied(store, closing(CHAT, T1, TurnStatus.COMPLETE));
    applied(store, opening(CHAT, T2, block(T2, "b"), block(T2, "c")));
    applied(store, set().add(new Row.PutSummary(summary("s1", 2, T2, T1))).build());
    applied(store, set().add(new Row.PutSummary(summary("s2", 3, T2, T1, T2))).build());
    appliedUnder(new Precondition.NewestSummaryIs("s2"));
    applied(store, closing(CHAT, T2, TurnStatus.ABORTED));
    appliedUnder(new Precondition.NewestSummaryIs("s1"));
  }

  @Test
  void noticesWhatHappenedToARange() {
    applied(store, opening(CHAT, T1, block(T1, "a"), block(T1, "b")));
    applied(store, closing(CHAT, T1, TurnStatus.COMPLETE));
    applied(store, opening(CHAT, T2, block(T2, "c"), block(T2, "d")));
    var early = new Precondition.UnchangedSince(3, 1, 3);
    applied(store, appending(CHAT, block(T2, "e")));
    applied(store, visibility(4));
    appliedUnder(early);
    applied(store, visibility(2));
    assertThat(refusedUnder(early).reason()).isEqualTo(new Reason.RangeChanged(3, 1, 3));
    long version = version();
    appliedUnder(new Precondition.UnchangedSince(version, 1, 3));
    applied(store, set().add(new Row.DropVisibility(Set.of(2L))).build());
    refusedUnder(new Precondition.UnchangedSince(version, 1, 3));
    version = version();
    var range = new ArchivedRange("r1", 1, 2, List.of(T1), "truncate", null, NOW);
    applied(store, set().add(new Row.PutArchivedRange(range)).build());
    refusedUnder(new Precondition.UnchangedSince(version, 2, 5));
    appliedUnder(new Precondition.UnchangedSince(version, 3, 5));
    assertThat(refused(store, set().add(new Row.PutArchivedRange(range)).build()).reason())
        .isEqualTo(new Reason.RangeUsed("r1"));
    version = version();
    applied(store, closing(CHAT, T2, TurnStatus.COMPLETE));
    refusedUnder(new Precondition.UnchangedSince(version, 3, 5));
    appliedUnder(new Precondition.UnchangedSince(version, 1, 3));
  }

  private dev.contexture.store.WriteSet visibility(long seq) {
    var record = new Visibility(seq, "hidden", Visibility.Reason.API, NOW);
    return set().add(new Row.PutVisibility(List.of(record))).build();
  }

  private long version() {
    return store.head(CHAT).orElseThrow().version();
  }

  @Test
  void countsSourceIds() {
    appliedUnder(new Precondition.NextSidIs(1));
    var source = new SourceRow(1, "https://a.example", true, JsonObject.EMPTY);
    var later = new SourceRow(7, "https://b.example", false, JsonObject.EMPTY);
    applied(store, set().add(new Row.PutSources(List.of(source, later))).build());
    assertThat(refusedUnder(new Precondition.NextSidIs(2)).reason())
        .isEqualTo(new Reason.NextSidDiffers(2, 8));
    assertThat(store.sources(CHAT)).containsExactly(source, later);
    var longer = new SourceRow(1, source.key(), false, JsonObject.builder().put("a", 1).build());
    applied(store, set().add(new Row.PutSources(List.of(longer))).build());
    assertThat(store.sources(CHAT)).containsExactly(longer, later);
    appliedUnder(new Precondition.NextSidIs(8));
  }

  @Test
  void keepsTheFirstTitleIfAskedTo() {
    appliedUnder(new Precondition.NoTitle());
    applied(store, set().add(new Row.SetTitle("one")).build());
    assertThat(refusedUnder(new Precondition.NoTitle()).reason())
        .isEqualTo(new Reason.Titled("one"));
    applied(store, set().add(new Row.SetTitle("two")).build());
    assertThat(store.head(CHAT).orElseThrow().title()).isEqualTo("two");
  }

  @Test
  void answersAnOperationThatWasDone() {
    var outcome = new Outcome("record:r1", T1, JsonObject.builder().put("stop", "end").build());
    var done = set().add(new Row.PutOutcome(outcome)).build();
    applied(store, done);
    assertThat(refused(store, done).reason()).isEqualTo(new Reason.AlreadyDone(outcome));
    assertThat(store.outcome(CHAT, "record:r1")).contains(outcome);
    assertThat(store.outcome(CHAT, "record:r2")).isEmpty();
  }

  @Test
  void touchStateAndRequestRecordsRaiseNoVersion() {
    var touch = new CacheTouch(NOW, 300);
    var request = new RequestRow("r1", T1, NOW, JsonObject.EMPTY, Set.of());
    Commit.Committed done =
        applied(store, set().add(new Row.Touch(touch)).add(new Row.PutRequest(request)).build());
    assertThat(done).isEqualTo(new Commit.Committed(0, 0, 0));
    assertThat(store.head(CHAT).orElseThrow().touch()).isEqualTo(touch);
    assertThat(store.head(CHAT).orElseThrow().version()).isZero();
    applied(store, opening(CHAT, T1));
    applied(store, set().add(new Row.DropRequests(Set.of("r1", "r9"))).build());
    assertThat(store.head(CHAT).orElseThrow().version()).isEqualTo(1);
    assertThat(store.requests(CHAT, null, 9)).isEmpty();
  }

  /** M-130: an epoch is one row per agent; its use is no change of the conversation. */
  @Test
  void anEpochIsReplacedAndTouched() {
    JsonObject state = JsonObject.builder().put("core", "<block>").build();
    var first = new EpochRow("atlas", 1, NOW, NOW, state, Set.of("mem_1", "mem_2"));
    var other = new EpochRow("zeus", 4, NOW, NOW, JsonObject.EMPTY, Set.of());
    MemoryFixture.stored(
        store,
        MemoryFixture.writing(
            MemoryFixture.adding("mem_1", "atlas", "a"),
            MemoryFixture.adding("mem_2", "atlas", "b")));
    applied(store, set().add(new Row.PutEpoch(other)).add(new Row.PutEpoch(first)).build());
    assertThat(store.head(CHAT).orElseThrow().version()).isEqualTo(1);
    assertThat(store.epochs(CHAT)).containsExactly(first, other);
    Instant later = NOW.plusSeconds(7);
    applied(
        store,
        set()
            .add(new Row.TouchEpoch("atlas", later))
            .add(new Row.TouchEpoch("nobody", later))
            .build());
    assertThat(store.head(CHAT).orElseThrow().version()).isEqualTo(1);
    assertThat(store.epoch(CHAT, "atlas")).contains(first.builtAt(later));
    var second = new EpochRow("atlas", 2, later, later, JsonObject.EMPTY, Set.of("mem_2"));
    applied(store, set().add(new Row.PutEpoch(second)).build());
    assertThat(store.epoch(CHAT, "atlas")).contains(second);
    assertThat(store.epoch(CHAT, "nobody")).isEmpty();
  }

  @Test
  void refusesASetAsAWhole() {
    applied(store, opening(CHAT, T1, block(T1, "k1", "a")));
    Head before = store.head(CHAT).orElseThrow();
    refused(
        store,
        set()
            .add(new Row.SetTitle("no"))
            .append(StoreFixture.news(block(T1, "b")))
            .add(new Row.IndexTurn(T1))
            .append(StoreFixture.news(block(T1, "k1", "again")))
            .build());
    assertThat(store.head(CHAT)).contains(before);
    assertThat(store.readRange(CHAT, 1, 9, 9)).hasSize(1);
    assertThat(store.outbox(CHAT.owner().scope(), 0, 9)).isEmpty();
  }
}
