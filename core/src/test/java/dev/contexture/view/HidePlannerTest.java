package dev.contexture.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.contexture.block.Author;
import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.timeline.Artifact;
import dev.contexture.timeline.Chat;
import dev.contexture.timeline.Timeline;
import dev.contexture.timeline.Visibility;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The hides of V4: case 4 of V3, every block costs 100, pre_tail is 9 (T-47 to T-50). */
class HidePlannerTest {
  private static final Emitter EMITTER =
      new Emitter(Dialect.TRANSCRIPT, Reader.ANY, CostCounter.meter());

  /** Header, prompt, six calls; the given positions get a path and text of their own. */
  private static Timeline running(Map<Integer, String> paths, Map<Integer, String> texts) {
    Chat chat = new Chat().activeTurn("t1").prompt("go");
    for (int call = 1; call <= 6; call++) {
      String id = "tc_" + call;
      chat.notes(id, "notes").call(id);
      for (int i = 4 * call; i <= 4 * call + 1; i++) {
        String path = paths.getOrDefault(i, "fi:t1.files/" + i);
        chat.artifact(id, path, texts.getOrDefault(i, "text"));
      }
    }
    return chat.timeline();
  }

  private static View view(Timeline timeline) {
    return View.of(timeline, ContributionFilters.NONE, EMITTER);
  }

  private static HidePlanner.Outcome hide(Timeline timeline, String path, String replacement) {
    HidePlanner hiding =
        new HidePlanner(view(timeline), EMITTER, CachePoint.Settings.DEFAULT, 2000);
    return hiding.hide(BlockPath.parse(path), replacement, Visibility.Reason.API, Chat.START);
  }

  private static Timeline hidden(Timeline timeline, String path, String replacement) {
    return timeline.withVisibility(hide(timeline, path, replacement).records());
  }

  private static List<Long> seqs(HidePlanner.Outcome outcome) {
    return outcome.records().stream().map(Visibility::seq).toList();
  }

  @Nested
  class Gates {
    @Test
    void refuseWhatLiesBeforeTheCache() {
      // T-48, V4: path only at 8
      HidePlanner.Outcome outcome = hide(running(Map.of(), Map.of()), "fi:t1.files/8", "gone");
      assertThat(outcome.status()).isEqualTo(HidePlanner.Status.TOO_OLD);
      assertThat(outcome.noticeCode()).hasValue("hide_before_cache");
      assertThat(outcome.records()).isEmpty();
      assertThat(outcome.blocksHidden()).isZero();
    }

    @Test
    void letThePreTailItselfPass() {
      // T-48, V4: at 9
      HidePlanner.Outcome outcome = hide(running(Map.of(), Map.of()), "fi:t1.files/9", "gone");
      assertThat(outcome.status()).isEqualTo(HidePlanner.Status.OK);
      assertThat(outcome.tailTokens()).isEqualTo(1700);
      assertThat(outcome.tailLimit()).isEqualTo(2000);
      assertThat(outcome.blocksHidden()).isEqualTo(1);
    }

    @Test
    void refuseMoreThanTheEditableTail() {
      // T-48, V4: cost(S[9..25]) = 2000 and 2001
      Timeline exact = running(Map.of(), Map.of(17, "#400"));
      Timeline above = running(Map.of(), Map.of(17, "#401"));
      assertThat(hide(exact, "fi:t1.files/9", "gone").status()).isEqualTo(HidePlanner.Status.OK);
      assertThat(hide(exact, "fi:t1.files/9", "gone").tailTokens()).isEqualTo(2000);
      assertThat(hide(above, "fi:t1.files/9", "gone").noticeCode()).hasValue("hide_too_old");
      assertThat(hide(above, "fi:t1.files/9", "gone").status())
          .isEqualTo(HidePlanner.Status.TOO_OLD);
    }

    @Test
    void findOnlyWhatIsInTheStream() {
      // T-47, V4: unknown; blank-hidden and quiet blocks are not in S either
      Timeline timeline = running(Map.of(), Map.of());
      assertThat(hide(timeline, "fi:t1.files/nope", "x").status())
          .isEqualTo(HidePlanner.Status.NOT_FOUND);
      Timeline blank = hidden(timeline, "fi:t1.files/20", "");
      assertThat(hide(blank, "fi:t1.files/20", "x").status())
          .isEqualTo(HidePlanner.Status.NOT_FOUND);
    }

    @Test
    void neverTouchFixedTypes() {
      // T-47, flag X
      Chat chat = new Chat().turn("t1").prompt("p").activeTurn("t2").prompt("q");
      chat.add(message("ar:t2.system.message.x")).summary(3, "t2", false, "t1");
      assertThat(hide(chat.timeline(), "ar:t2.system.message.x", "x").status())
          .isEqualTo(HidePlanner.Status.NOT_ALLOWED);
      assertThat(hide(chat.timeline(), "su:t2.conv.range.summary", "x").status())
          .isEqualTo(HidePlanner.Status.NOT_ALLOWED);
    }

    @Test
    void neverTouchARunWithABlockThatIsNotStored() {
      Chat chat = new Chat().activeTurn("t2").prompt("q");
      chat.addNotPersisted(
          Block.builder(BlockType.STAGE_GATE).path(BlockPath.parse("ar:t2.stage.gate")).text("1"));
      chat.gate("2");
      assertThat(hide(chat.timeline(), "ar:t2.stage.gate", "x").status())
          .isEqualTo(HidePlanner.Status.NOT_ALLOWED);
    }

    @Test
    void boundTheReplacement() {
      // T-100
      Timeline timeline = running(Map.of(), Map.of());
      assertThat(hide(timeline, "fi:t1.files/9", "x".repeat(4000)).status())
          .isEqualTo(HidePlanner.Status.OK);
      assertThatExceptionOfType(ContextureException.class)
          .isThrownBy(() -> hide(timeline, "fi:t1.files/9", "x".repeat(4001)))
          .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.REPLACEMENT_TOO_LONG));
    }

    private static Block.Builder message(String path) {
      return Block.builder(BlockType.SYSTEM_MESSAGE)
          .author(Author.SYSTEM)
          .path(BlockPath.parse(path))
          .text("x");
    }
  }

  @Nested
  class Reach {
    private static final String PATH = "ar:t1.doc";

    @Test
    void isTheNewestVersionWhereOthersLieBeforeTheCache() {
      // T-49, V4: versions at 4 and 20
      Timeline timeline = running(Map.of(4, PATH, 20, PATH), Map.of());
      HidePlanner.Outcome outcome = hide(timeline, PATH, "gone");
      assertThat(seqs(outcome)).containsExactly(21L);
    }

    @Test
    void isEveryVersionWithinTheTail() {
      // T-49: versions at 12 and 20; the first carries the replacement
      Timeline timeline = running(Map.of(12, PATH, 20, PATH), Map.of());
      HidePlanner.Outcome outcome = hide(timeline, PATH, "gone");
      assertThat(seqs(outcome)).containsExactly(13L, 21L);
      assertThat(outcome.records()).extracting(Visibility::replacement).containsExactly("gone", "");
      assertThat(outcome.tailTokens()).isEqualTo(600);
    }

    @Test
    void isTheWholeRunOfAPath() {
      // T-47, T-49, V4: adjacent blocks 24 and 25
      Timeline timeline = running(Map.of(24, PATH, 25, PATH), Map.of());
      HidePlanner.Outcome outcome = hide(timeline, PATH, "gone");
      assertThat(outcome.blocksHidden()).isEqualTo(2);
      assertThat(outcome.tokensHidden()).isEqualTo(100);
      assertThat(outcome.tailTokens()).isEqualTo(200);
      View after = view(timeline.withVisibility(outcome.records()));
      assertThat(after.items()).hasSize(25);
      assertThat(after.items().get(24).emission().parts())
          .containsExactly(
              new Part.Text("[react.tool.result] (replaced)\n[path: ar:t1.doc]\ngone\n\n"));
    }
  }

  @Nested
  class Outcomes {
    @Test
    void mayBeDearerThanBefore() {
      // T-50, V4: a replacement of 130 for a block of 100
      assertThat(hide(running(Map.of(), Map.of()), "fi:t1.files/9", "#130").tokensHidden())
          .isEqualTo(-30);
    }

    @Test
    void removeThePathFromViewWithABlankReplacement() {
      // T-50
      Timeline timeline = running(Map.of(), Map.of());
      HidePlanner.Outcome outcome = hide(timeline, "fi:t1.files/25", "");
      assertThat(outcome.tokensHidden()).isEqualTo(100);
      assertThat(view(timeline.withVisibility(outcome.records())).items()).hasSize(25);
    }

    @Test
    void areTakenBackByAnUnhideToTheSameBytes() {
      // T-50, T-18, T-19
      Timeline timeline = running(Map.of(), Map.of());
      Timeline hidden = hidden(timeline, "fi:t1.files/20", "gone");
      BlockPath path = BlockPath.parse("fi:t1.files/20");
      assertThat(hidden.entries()).isEqualTo(timeline.entries());
      assertThat(Artifact.resolve(hidden, path, false).orElseThrow().text()).hasValue("text");
      List<Long> seqs = HidePlanner.unhide(hidden, path);
      assertThat(seqs).containsExactly(21L);
      View restored = view(hidden.withoutVisibility(seqs));
      assertThat(restored.items())
          .extracting(item -> item.emission().parts())
          .isEqualTo(view(timeline).items().stream().map(i -> i.emission().parts()).toList());
      assertThat(HidePlanner.unhide(timeline, path)).isEmpty();
    }

    @Test
    void ofASecondHideReplaceTheFirst() {
      // T-19: the newest record counts
      Timeline timeline = running(Map.of(), Map.of());
      Timeline twice = hidden(hidden(timeline, "fi:t1.files/20", "one"), "fi:t1.files/20", "two");
      assertThat(twice.visibilityRecords().all())
          .extracting(Visibility::replacement)
          .containsExactly("two");
    }
  }

  @Nested
  class Reads {
    private static final BlockPath PATH = BlockPath.parse("fi:t1.files/20");

    private static boolean visible(Timeline timeline, String mime, String text) {
      return ReadPolicy.isVisible(view(timeline), PATH, mime, text, null);
    }

    @Test
    void areNotRepeatedWhileTheSameContentIsVisible() {
      // T-103
      Timeline timeline = running(Map.of(), Map.of());
      assertThat(visible(timeline, "text/markdown", "text")).isTrue();
      assertThat(visible(timeline, "text/plain", "text")).isFalse();
      assertThat(visible(timeline, "text/markdown", "other")).isFalse();
    }

    @Test
    void ofAHiddenPathGiveAFreshCopy() {
      // T-103
      Timeline hidden = hidden(running(Map.of(), Map.of()), "fi:t1.files/20", "gone");
      assertThat(visible(hidden, "text/markdown", "text")).isFalse();
      Timeline read =
          new Chat().with(unused -> hidden).artifact("tc_9", PATH.text(), "text").timeline();
      assertThat(visible(read, "text/markdown", "text")).isTrue();
      assertThat(read.visibilityRecords().all()).extracting(Visibility::seq).containsExactly(21L);
    }

    @Test
    void countOnlyWhatIsInTheWindow() {
      // T-103: blocks before the window do not count
      Chat chat = new Chat().turn("t1").artifact("tc_1", PATH.text(), "text").activeTurn("t2");
      assertThat(visible(chat.timeline(), "text/markdown", "text")).isTrue();
      chat.summary(3, "t2", false, "t1");
      assertThat(visible(chat.timeline(), "text/markdown", "text")).isFalse();
    }

    @Test
    void areCappedByTheBudget() {
      // T-102, V9
      assertThat(ReadPolicy.capTokens(20_000)).isEqualTo(4_000);
      assertThat(ReadPolicy.capTokens(60_000)).isEqualTo(9_000);
      assertThat(ReadPolicy.capTokens(200_000)).isEqualTo(12_000);
      assertThat(ReadPolicy.capTokens(1)).isEqualTo(4_000);
      assertThat(ReadPolicy.capTokens(Long.MAX_VALUE)).isEqualTo(12_000);
    }
  }
}
