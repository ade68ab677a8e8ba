package dev.contexture.testkit;

import static dev.contexture.testkit.StoreFixture.CHAT;
import static dev.contexture.testkit.StoreFixture.NOW;
import static dev.contexture.testkit.StoreFixture.applied;
import static dev.contexture.testkit.StoreFixture.block;
import static dev.contexture.testkit.StoreFixture.closing;
import static dev.contexture.testkit.StoreFixture.header;
import static dev.contexture.testkit.StoreFixture.opening;
import static dev.contexture.testkit.StoreFixture.prompt;
import static dev.contexture.testkit.StoreFixture.set;
import static dev.contexture.testkit.StoreFixture.summary;
import static dev.contexture.testkit.StoreFixture.turn;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.block.TurnId;
import dev.contexture.json.JsonObject;
import dev.contexture.store.PinRow;
import dev.contexture.store.Row;
import dev.contexture.store.SourceRow;
import dev.contexture.store.StoredTurn;
import dev.contexture.store.StoredWindow;
import dev.contexture.store.WriteSet;
import dev.contexture.timeline.ArchivedRange;
import dev.contexture.timeline.Summary;
import dev.contexture.timeline.TurnStatus;
import dev.contexture.timeline.Visibility;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a window shows: from its summary on, with pins and sources, without what is hidden. */
abstract class StoreWindowContract extends StoreTests {
  @Test
  void theWindowStartsAtTheNewestUsableSummaryAndCarriesTheDividedTurn() {
    Block meta = Block.builder(BlockType.USER_ATTACHMENT_META).turn(T2).text("m").build();
    applied(store, opening(CHAT, T1, header(T1), prompt(T1, "one"), block(T1, "x")));
    applied(store, closing(CHAT, T1, TurnStatus.COMPLETE));
    applied(
        store,
        opening(CHAT, T2, header(T2), prompt(T2, "two"), meta, block(T2, "y"), block(T2, "z")));
    applied(store, set().add(new Row.PutSummary(summary("s1", 4, T2, T1))).build());
    applied(store, set().add(new Row.PutSummary(summary("s2", 8, T2, T1, T2))).build());
    applied(store, visibility(2, 5, 7, 8));
    StoredWindow window = store.load(CHAT).orElseThrow();
    assertThat(window.summary()).isEqualTo(summary("s2", 8, T2, T1, T2));
    assertThat(seqs(window.carried())).containsExactly(4L, 5L, 6L);
    assertThat(seqs(window.blocks())).containsExactly(8L);
    assertThat(window.turns()).extracting(StoredTurn::turn).containsExactly(T2);
    assertThat(window.visibility()).extracting(Visibility::seq).containsExactly(5L, 8L);
    assertThat(window.head()).isEqualTo(store.head(CHAT).orElseThrow());
    long bytes = store.windowBytes(CHAT);

    applied(store, set().add(new Row.WithdrawSummary("s2")).build());
    assertThat(store.windowBytes(CHAT)).as("of more blocks").isGreaterThan(bytes);
    StoredWindow before = store.load(CHAT).orElseThrow();
    assertThat(before.summary()).isEqualTo(summary("s1", 4, T2, T1));
    assertThat(before.carried()).isEmpty();
    assertThat(seqs(before.blocks())).containsExactly(4L, 5L, 6L, 7L, 8L);
    assertThat(store.summaries(CHAT, null, 9))
        .containsExactly(summary("s2", 8, T2, T1, T2).withdraw(), summary("s1", 4, T2, T1));
  }

  @Test
  void summariesAreReadInPages() {
    applied(store, opening(CHAT, T1, block(T1, "a"), block(T1, "b"), block(T1, "c")));
    for (int i = 1; i <= 5; i++) {
      applied(store, set().add(new Row.PutSummary(summary("s" + i, 1 + i / 2, T1, T1))).build());
    }
    List<String> seen = new ArrayList<>();
    String last = null;
    for (List<Summary> page = store.summaries(CHAT, null, 2);
        !page.isEmpty();
        page = store.summaries(CHAT, last, 2)) {
      assertThat(page).hasSizeLessThanOrEqualTo(2);
      page.forEach(summary -> seen.add(summary.id()));
      last = seen.getLast();
    }
    assertThat(seen).containsExactly("s5", "s4", "s3", "s2", "s1");
    assertThat(store.summary(CHAT, "s2")).contains(summary("s2", 2, T1, T1));
    assertThat(store.summary(CHAT, "nope")).isEmpty();
  }

  @Test
  void aSummaryCoversTheTurnsThatItWasWrittenWith() {
    List<TurnId> turns = new ArrayList<>();
    for (int i = 1; i <= 9; i++) {
      TurnId turn = turn("turn" + i);
      turns.add(turn);
      applied(store, opening(CHAT, turn, block(turn, "a"), block(turn, "b")));
      applied(store, closing(CHAT, turn, i == 4 ? TurnStatus.ABORTED : TurnStatus.COMPLETE));
    }
    TurnId last = turns.getLast();
    TurnId gone = turn("gone");
    List<Summary> written =
        List.of(
            summary("s1", 17, last),
            summary("s2", 17, last, turns.get(0)),
            summary("s3", 17, last, turns.get(1), turns.get(2), turns.get(4), turns.get(7)),
            summary("s4", 18, last, turns.get(0), turns.get(1), last),
            summary("s5", 18, last, turns.get(2), turns.get(1)),
            summary("s6", 18, last, turns.get(0), gone),
            summary("s7", 3, turns.get(1), turns.get(5)),
            summary("s8", 18, last, turns.get(0), turns.get(0)));
    written.forEach(summary -> applied(store, set().add(new Row.PutSummary(summary)).build()));
    written.forEach(summary -> assertThat(store.summary(CHAT, summary.id())).contains(summary));
    assertThat(store.summaries(CHAT, null, 99)).containsExactlyInAnyOrderElementsOf(written);
    applied(store, opening(CHAT, turn("later"), block(turn("later"), "c")));
    assertThat(store.summaries(CHAT, null, 99)).containsExactlyInAnyOrderElementsOf(written);
  }

  @Test
  void theWindowHasThePinsInTheirOrder() {
    applied(store, opening(CHAT, T1, prompt(T1, "one")));
    var second = new PinRow(BlockPath.userPrompt(T2), NOW, 7);
    var first = new PinRow(BlockPath.userPrompt(T1), NOW.plusSeconds(1), 8);
    applied(store, set().add(new Row.PutPin(second)).add(new Row.PutPin(first)).build());
    assertThat(store.load(CHAT).orElseThrow().pins()).containsExactly(second, first);
    var anew = new PinRow(BlockPath.userPrompt(T2), NOW.plusSeconds(2), 9);
    long version = store.head(CHAT).orElseThrow().version();
    assertThat(applied(store, set().add(new Row.PutPin(anew)).build()).version())
        .isEqualTo(version + 1);
    assertThat(store.load(CHAT).orElseThrow().pins()).containsExactly(anew, first);
    applied(store, set().add(new Row.DropPin(anew.path())).build());
    applied(store, set().add(new Row.DropPin(anew.path())).build());
    assertThat(store.load(CHAT).orElseThrow().pins()).containsExactly(first);
  }

  @Test
  void theWindowLeavesOutExcludedTurnsAndArchivedRanges() {
    applied(store, opening(CHAT, T1, block(T1, "a"), block(T1, "b")));
    applied(store, closing(CHAT, T1, TurnStatus.COMPLETE));
    applied(store, opening(CHAT, T2, block(T2, "c")));
    applied(store, closing(CHAT, T2, TurnStatus.INCOMPLETE));
    applied(store, opening(CHAT, T3, block(T3, "d")));
    StoredWindow window = store.load(CHAT).orElseThrow();
    assertThat(texts(window.blocks())).containsExactly("a", "b", "d");
    assertThat(window.turns()).extracting(StoredTurn::turn).containsExactly(T1, T3);
    var range = new ArchivedRange("r1", 1, 2, List.of(T1), "truncate", "s0", NOW);
    applied(store, set().add(new Row.PutArchivedRange(range)).build());
    window = store.load(CHAT).orElseThrow();
    assertThat(texts(window.blocks())).containsExactly("d");
    assertThat(window.archived()).containsExactly(range);
    assertThat(texts(store.readRange(CHAT, 1, 9, 9))).containsExactly("a", "b", "c", "d");
  }

  @Test
  void aRangeWhoseSummaryIsWithdrawnIsShownAgain() {
    applied(store, opening(CHAT, T1, block(T1, "a"), block(T1, "b")));
    applied(store, closing(CHAT, T1, TurnStatus.COMPLETE));
    applied(store, opening(CHAT, T2, block(T2, "c")));
    var range = new ArchivedRange("r1", 1, 2, List.of(T1), "recursive_summarization", "s1", NOW);
    var summary = summary("s1", 3, T2, T1);
    applied(
        store, set().add(new Row.PutSummary(summary)).add(new Row.PutArchivedRange(range)).build());
    assertThat(texts(store.load(CHAT).orElseThrow().blocks())).containsExactly("c");
    applied(store, set().add(new Row.WithdrawSummary("s1")).build());
    StoredWindow window = store.load(CHAT).orElseThrow();
    assertThat(texts(window.blocks())).containsExactly("a", "b", "c");
    assertThat(window.archived()).isEmpty();
  }

  @Test
  void visibilityIsReplacedAndDropped() {
    applied(store, opening(CHAT, T1, block(T1, "a"), block(T1, "b")));
    applied(store, visibility(1, 2));
    var newer = new Visibility(1, "", Visibility.Reason.OVERSIZE, NOW.plusSeconds(1));
    applied(store, set().add(new Row.PutVisibility(List.of(newer))).build());
    applied(store, set().add(new Row.DropVisibility(Set.of(2L, 77L))).build());
    assertThat(store.load(CHAT).orElseThrow().visibility()).containsExactly(newer);
  }

  @Test
  void recordsOfSeveralBudgetsStandBesideEachOther() {
    applied(store, opening(CHAT, T1, block(T1, "a"), block(T1, "b")));
    Visibility small = preview(1, "small", 8_000);
    Visibility large = preview(1, "large", 32_000);
    applied(store, set().add(new Row.PutVisibility(List.of(large))).build());
    applied(store, set().add(new Row.PutVisibility(List.of(small))).build());
    assertThat(store.load(CHAT).orElseThrow().visibility()).containsExactly(small, large);
    Visibility again = preview(1, "again", 8_000);
    applied(store, set().add(new Row.PutVisibility(List.of(again))).build());
    assertThat(store.load(CHAT).orElseThrow().visibility()).containsExactly(again, large);
    applied(store, visibility(1));
    assertThat(store.load(CHAT).orElseThrow().visibility())
        .as("one for all views stands alone")
        .extracting(Visibility::replacement)
        .containsExactly("r1");
    applied(store, set().add(new Row.DropVisibility(Set.of(1L))).build());
    assertThat(store.load(CHAT).orElseThrow().visibility()).isEmpty();
  }

  @Test
  void aRecordIsTakenBackWithItsSummary() {
    applied(store, opening(CHAT, T1, block(T1, "a"), block(T1, "b")));
    applied(store, closing(CHAT, T1, TurnStatus.COMPLETE));
    applied(store, opening(CHAT, T2, block(T2, "c"), block(T2, "d")));
    Visibility before = preview(3, "before", 4_000);
    Visibility with = preview(3, "with", 8_000).storedWith("s1");
    Visibility forAll = new Visibility(4, "all", Visibility.Reason.OVERSIZE, NOW).storedWith("s1");
    applied(store, set().add(new Row.PutVisibility(List.of(before))).build());
    applied(
        store,
        set()
            .add(new Row.PutSummary(summary("s1", 3, T2, T1)))
            .add(new Row.PutVisibility(List.of(with, forAll)))
            .build());
    assertThat(store.load(CHAT).orElseThrow().visibility()).containsExactly(before, with, forAll);
    applied(store, set().add(new Row.WithdrawSummary("s1")).build());
    assertThat(store.load(CHAT).orElseThrow().visibility()).containsExactly(before);
    Visibility again = preview(4, "again", 8_000);
    applied(store, set().add(new Row.PutVisibility(List.of(again))).build());
    assertThat(store.load(CHAT).orElseThrow().visibility()).containsExactly(before, again);
  }

  private static Visibility preview(long seq, String text, long maxTokens) {
    return new Visibility(seq, text, Visibility.Reason.OVERSIZE, NOW, maxTokens, null);
  }

  private static WriteSet visibility(long... seqs) {
    List<Visibility> records =
        java.util.Arrays.stream(seqs)
            .mapToObj(seq -> new Visibility(seq, "r" + seq, Visibility.Reason.AGENT, NOW))
            .toList();
    return set().add(new Row.PutVisibility(records)).build();
  }

  @Test
  void excludedTurnsAreThoseThatNoRenderShows() {
    TurnId gone = turn("t8");
    TurnId left = turn("t9");
    applied(store, opening(CHAT, T1, block(T1, "a")));
    applied(store, closing(CHAT, T1, TurnStatus.COMPLETE));
    applied(store, opening(CHAT, gone, block(gone, "b")));
    applied(store, closing(CHAT, gone, TurnStatus.ABORTED));
    applied(store, opening(CHAT, left, block(left, "c"), block(left, "d")));
    assertThat(store.excludedTurns(CHAT, 1, 9))
        .containsExactly(store.turn(CHAT, gone).orElseThrow());
    applied(store, closing(CHAT, left, TurnStatus.INCOMPLETE));
    assertThat(store.excludedTurns(CHAT, 1, 9))
        .extracting(StoredTurn::turn)
        .containsExactly(gone, left);
    assertThat(store.excludedTurns(CHAT, 4, 9)).extracting(StoredTurn::turn).containsExactly(left);
    assertThat(store.excludedTurns(CHAT, 1, 1)).hasSize(1);
    assertThat(store.excludedTurns(CHAT, 5, 9)).isEmpty();
  }

  @Test
  void sourcesAreInTheWindow() {
    var source = new SourceRow(1, "k", true, JsonObject.builder().put("title", "T").build());
    applied(store, set().add(new Row.PutSources(List.of(source))).build());
    assertThat(store.load(CHAT).orElseThrow().sources()).containsExactly(source);
  }
}
