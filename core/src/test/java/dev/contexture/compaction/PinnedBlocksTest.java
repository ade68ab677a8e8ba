package dev.contexture.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.block.Author;
import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.block.TurnId;
import dev.contexture.render.RenderOptions;
import dev.contexture.render.Renderer;
import dev.contexture.timeline.ArchivedRange;
import dev.contexture.timeline.Chat;
import dev.contexture.timeline.Pin;
import dev.contexture.timeline.Timeline;
import dev.contexture.timeline.TurnStatus;
import dev.contexture.timeline.Visibility;
import dev.contexture.token.TokenCounter;
import dev.contexture.token.TokenMeter;
import dev.contexture.view.ContributionFilters;
import dev.contexture.view.Dialect;
import dev.contexture.view.DroppedBlock;
import dev.contexture.view.Emitter;
import dev.contexture.view.Reader;
import dev.contexture.view.StreamItem;
import dev.contexture.view.View;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Where pinned blocks are shown, and that they are not shortened. */
class PinnedBlocksTest {
  private static final Instant NOW = Instant.parse("2026-03-01T00:00:00Z");
  private static final Emitter EMITTER =
      new Emitter(Dialect.TRANSCRIPT, Reader.ANY, TokenMeter.of(TokenCounter.CHARS4));

  private static Timeline pinned(Timeline timeline, String... paths) {
    Timeline next = timeline;
    for (String path : paths) {
      Pin pin =
          Pin.of(BlockPath.parse(path), NOW, timeline.nextSeq(), timeline.entries()).orElseThrow();
      next = next.withPins(next.pins().with(pin));
    }
    return next;
  }

  private static View view(Timeline timeline) {
    return View.of(timeline, ContributionFilters.NONE, EMITTER);
  }

  private static List<String> shown(View view) {
    return view.items().stream()
        .filter(StreamItem::pinned)
        .map(item -> item.path().orElseThrow().text())
        .toList();
  }

  private static Chat chat() {
    Chat chat = new Chat();
    for (int i = 1; i <= 4; i++) {
      chat.turn("t" + i).prompt("p".repeat(200)).completion("a");
    }
    return chat;
  }

  @Test
  void standBetweenTheSummaryAndWhatItShowsAgain() {
    Timeline timeline = chat().summary(9, "t3", false, "t1", "t2", "t3").timeline();
    View view = view(pinned(timeline, "ar:t2.user.prompt", "ar:t4.user.prompt"));
    assertThat(shown(view)).as("t4 is in the window").containsExactly("ar:t2.user.prompt");
    assertThat(view.items().get(0).summary()).isPresent();
    assertThat(view.items().get(1).pinned()).isTrue();
    assertThat(view.items().get(2).type()).isEqualTo(BlockType.TURN_HEADER);
    assertThat(view.cost()).isEqualTo(view(timeline).cost() + view.items().get(1).cost());
  }

  @Test
  void standInForArchivedTurnsToo() {
    Timeline timeline = pinned(chat().timeline(), "ar:t1.user.prompt");
    assertThat(shown(view(timeline))).isEmpty();
    TurnId first = TurnId.of("t1");
    Timeline archived =
        timeline.withArchived(new ArchivedRange("r", 1, 3, List.of(first), "truncate", null, NOW));
    assertThat(shown(view(archived))).containsExactly("ar:t1.user.prompt");
  }

  @Test
  void ofATurnThatIsLeftOutAreLeftOut() {
    Chat chat = chat().summary(7, "t3", false, "t2");
    Timeline timeline = pinned(chat.timeline(), "ar:t1.user.prompt", "ar:t2.user.prompt");
    Chat aborted = new Chat().with(unused -> timeline).status("t1", TurnStatus.ABORTED);
    assertThat(shown(view(aborted.timeline()))).containsExactly("ar:t2.user.prompt");
  }

  @Test
  void theOldestThatFitAreShown() {
    Timeline timeline = chat().summary(10, "t4", false, "t1", "t2", "t3").timeline();
    Timeline three =
        pinned(timeline, "ar:t3.user.prompt", "ar:t1.user.prompt", "ar:t2.user.prompt");
    long one = view(three).items().get(1).cost();
    View narrow = view(three.withPins(three.pins().withRoom(2 * one)));
    assertThat(shown(narrow)).containsExactly("ar:t3.user.prompt", "ar:t1.user.prompt");
    assertThat(narrow.dropped())
        .extracting(DroppedBlock::reason)
        .containsExactly(DroppedBlock.Reason.PIN_OVER_SHARE);
    assertThat(shown(view(three.withPins(three.pins().withRoom(0))))).isEmpty();
  }

  @Test
  void aCutCountsWhatIsPinnedBeforeIt() {
    Timeline timeline = chat().timeline();
    CompactionBudget budget = CompactionBudget.of(CompactionPolicy.STANDARD, 1_000);
    View plain = view(timeline);
    View pins = view(pinned(timeline, "ar:t1.user.prompt", "ar:t3.user.prompt"));
    CutFinder without = finder(plain, budget);
    CutFinder with = finder(pins, budget);
    long cost = EMITTER.own(pins.timeline().pins().all().getFirst().shown(), null).cost();
    assertThat(with.estimate(3) - without.estimate(3)).isEqualTo(cost);
    assertThat(with.estimate(9) - without.estimate(9)).isEqualTo(2 * cost);
  }

  private static CutFinder finder(View view, CompactionBudget budget) {
    CutUnits units =
        CutUnits.of(
            view.timeline(), view.window(), dev.contexture.timeline.Rounds.of(view.window()));
    return new CutFinder(view, EMITTER, budget, units);
  }

  private static Chat attachments() {
    Chat chat = new Chat().activeTurn("t1").prompt("p".repeat(2_000));
    for (String name : List.of("a", "b")) {
      int chars = name.equals("a") ? 930 : 900;
      chat.add(
          Block.builder(BlockType.USER_ATTACHMENT_TEXT)
              .author(Author.USER)
              .path(BlockPath.parse("fi:t1.user.attachments/" + name + ".txt"))
              .text(name.repeat(chars)));
    }
    return chat;
  }

  private static List<Long> previewed(Timeline timeline, long maxTokens) {
    return Compactor.of(
            EMITTER,
            ContributionFilters.NONE,
            CompactionBudget.of(CompactionPolicy.STANDARD, maxTokens))
        .compact(timeline, request -> "S", "su_new", NOW)
        .previews()
        .stream()
        .map(Visibility::seq)
        .toList();
  }

  @Test
  void areNotShortenedWhileTheyFitAQuarterOfTheBudget() {
    Timeline timeline = attachments().timeline();
    assertThat(previewed(timeline, 1_040)).as("the larger one").containsExactly(3L);
    Timeline pinned = pinned(timeline, "fi:t1.user.attachments/a.txt");
    assertThat(previewed(pinned, 1_040)).containsExactly(4L);
    assertThat(previewed(pinned, 700)).as("larger than a quarter").contains(3L);
  }

  @Test
  void areCountedWhereTheirTurnsAreArchived() {
    Timeline timeline = pinned(chat().timeline(), "ar:t1.user.prompt", "ar:t2.user.prompt");
    long each = EMITTER.own(timeline.pins().all().getFirst().shown(), null).cost();
    RenderOptions options =
        RenderOptions.defaults()
            .withDialect(Dialect.TRANSCRIPT)
            .withMeter(TokenMeter.of(TokenCounter.CHARS4))
            .withStrategy(new CompressionStrategy.Truncate(1))
            .withHistory(HistoryLimits.ofTokens(view(timeline).cost() - 1));
    CompactionOutcome outcome =
        new Renderer()
            .compactor(timeline, options)
            .compact(timeline, request -> "S", "su_new", NOW);
    View after = view(outcome.applyTo(timeline));
    assertThat(shown(after)).contains("ar:t1.user.prompt");
    assertThat(outcome.report().tokensAfter())
        .isEqualTo(after.cost())
        .isGreaterThanOrEqualTo(shown(after).size() * each);
  }
}
