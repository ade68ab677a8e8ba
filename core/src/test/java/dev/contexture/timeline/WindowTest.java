package dev.contexture.timeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.contexture.block.Block;
import dev.contexture.block.BlockType;
import dev.contexture.block.TurnId;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What a render may show (T-20 to T-24, T-29). */
class WindowTest {
  private static Chat chat() {
    return new Chat()
        .turn("t1")
        .prompt("one")
        .turn("t2")
        .prompt("two")
        .activeTurn("t3")
        .prompt("three")
        .call("tc_1")
        .result("tc_1", "R");
  }

  private static List<Long> seqs(List<TimelineEntry> entries) {
    return entries.stream().map(entry -> entry.seq().orElse(0)).toList();
  }

  private static String opening(Chat chat) {
    return chat.timeline().window().summary().map(Summary::id).orElse("none");
  }

  @Nested
  class Summaries {
    @Test
    void openTheWindowTheNewestOne() {
      // T-21
      Chat chat = chat().summary(3, "t2", false, "t1").summary(5, "t3", false, "t1", "t2");
      assertThat(opening(chat)).isEqualTo("su_5");
      assertThat(seqs(chat.timeline().window().entries())).containsExactly(5L, 6L, 7L, 8L);
      assertThat(chat.timeline().window().carried()).isEmpty();
    }

    @Test
    void ofOneCutCountByTime() {
      // T-21
      Chat chat = chat().summary(3, "t2", false, "t1");
      Summary first = chat.timeline().summaries().getFirst();
      Summary later =
          new Summary(
              "later",
              3,
              1,
              first.turn(),
              "x",
              "x",
              "",
              first.meta(),
              Chat.START.plusSeconds(1),
              false);
      assertThat(opening(chat.with(t -> t.withSummary(later)))).isEqualTo("later");
    }

    @Test
    void areNotUsedIfTheyCoverAnExcludedTurn() {
      // T-21, T-24
      Chat chat = chat().summary(3, "t2", false, "t1").summary(5, "t3", false, "t1", "t2");
      assertThat(opening(chat.status("t2", TurnStatus.ABORTED))).isEqualTo("su_3");
      assertThat(opening(chat.status("t2", TurnStatus.INTERRUPTED))).isEqualTo("su_5");
    }

    @Test
    void canBeTakenBackNewestFirst() {
      // T-23
      Chat chat = chat().summary(3, "t2", false, "t1");
      List<TimelineEntry> before = chat.timeline().window().entries();
      Chat cut = chat.summary(5, "t3", false, "t1", "t2");
      assertThatExceptionOfType(ContextureException.class)
          .isThrownBy(() -> cut.timeline().withdrawSummary("su_3"))
          .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND));
      Timeline back = cut.timeline().withdrawSummary("su_5");
      assertThat(back.window().entries()).isEqualTo(before);
      assertThat(back.summaries()).hasSize(2);
    }
  }

  @Nested
  class Carried {
    @Test
    void isTheHeaderOfTheDividedTurn() {
      // T-29
      Window window = chat().summary(7, "t3", false, "t1", "t2", "t3").timeline().window();
      assertThat(seqs(window.carried())).containsExactly(5L);
      assertThat(window.isSplit(TurnId.of("t3"))).isTrue();
    }

    @Test
    void isThePromptTooIfTheSummarySaysSo() {
      // T-29: it holds also after the turn closed
      Chat chat = chat().summary(7, "t3", true, "t1", "t2", "t3");
      assertThat(seqs(chat.timeline().window().carried())).containsExactly(5L, 6L);
      chat.closed().status("t3", TurnStatus.COMPLETE).activeTurn("t4");
      assertThat(seqs(chat.timeline().window().carried())).containsExactly(5L, 6L);
    }

    @Test
    void isAHeaderWithTheTimeOfTheFirstBlockIfThereIsNone() {
      // T-29
      Chat chat = new Chat().turnWithoutHeader("t1").prompt("one").gate("g").completion("c");
      Window window = chat.summary(3, "t1", false, "t1").timeline().window();
      Block header = window.carried().getFirst().block();
      assertThat(header.type()).isEqualTo(BlockType.TURN_HEADER);
      assertThat(header.ts()).isEqualTo(chat.timeline().entries().getFirst().block().ts());
    }
  }

  @Nested
  class Turns {
    @Test
    void thatAreNeitherKeptNorActiveAreLeftOut() {
      // T-24
      for (TurnStatus status : TurnStatus.values()) {
        Chat chat = chat().status("t1", status).status("t3", TurnStatus.OPEN);
        boolean kept = status == TurnStatus.COMPLETE || status == TurnStatus.INTERRUPTED;
        assertThat(seqs(chat.timeline().window().entries()).contains(1L)).isEqualTo(kept);
        assertThat(seqs(chat.timeline().window().entries())).contains(5L, 8L);
        assertThat(chat.timeline().entries()).hasSize(8);
      }
    }

    @Test
    void thatAreOmittedOrArchivedAreLeftOut() {
      // T-20, T-84
      Chat chat = chat().with(t -> t.withOmittedTurns(Set.of(TurnId.of("t1"))));
      assertThat(seqs(chat.timeline().window().entries())).startsWith(3L);
      ArchivedRange range =
          new ArchivedRange("a", 3, 4, List.of(TurnId.of("t2")), "x", null, Chat.START);
      chat.with(t -> t.withArchived(range));
      chat.addNotPersisted(Block.builder(BlockType.STAGE_GATE).text("kept with the turn"));
      assertThat(seqs(chat.timeline().window().entries())).containsExactly(5L, 6L, 7L, 8L, 0L);
    }
  }

  @Nested
  class Blocks {
    @Test
    void areNumberedWithoutGapsAndNeverChange() {
      // T-18
      Timeline first = chat().timeline();
      assertThat(seqs(first.entries())).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L);
      Timeline more = new Chat().with(unused -> first).gate("x").hide(2, "gone").timeline();
      assertThat(more.entries().subList(0, 8)).isEqualTo(first.entries());
      assertThat(first.entries()).hasSize(8);
      assertThat(more.nextSeq()).isEqualTo(10);
    }

    @Test
    void thatAreNotPersistedHaveNoNumberAndGoWhenTheTurnCloses() {
      // T-85
      Chat chat = chat().addNotPersisted(Block.builder(BlockType.STAGE_GATE).text("x")).gate("y");
      assertThat(seqs(chat.timeline().entries())).endsWith(8L, 0L, 9L);
      assertThat(seqs(chat.timeline().dropNotPersisted().entries())).endsWith(8L, 9L);
    }

    @Test
    void thatAreHiddenAndNotPersistedStayHidden() {
      // T-6, T-85
      Chat chat = chat();
      chat.addNotPersisted(Block.builder(BlockType.STAGE_GATE).text("x").hidden("gone"));
      Timeline timeline = chat.timeline();
      assertThat(timeline.visibility(timeline.entries().getLast()).orElseThrow().replacement())
          .isEqualTo("gone");
    }

    @Test
    void manyAreAppendedInAnyNumber() {
      // T-18: structure sharing across chunks of the log
      Chat chat = new Chat().turn("t1");
      for (int i = 0; i < 600; i++) {
        chat.gate("g" + i);
      }
      List<TimelineEntry> entries = chat.timeline().entries();
      assertThat(seqs(entries)).hasSize(601).isSorted().doesNotHaveDuplicates();
      assertThat(entries.get(600).block().text()).hasValue("g599");
    }
  }
}
