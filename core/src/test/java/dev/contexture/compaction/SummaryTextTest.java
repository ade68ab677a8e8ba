package dev.contexture.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.block.Author;
import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.block.TurnId;
import dev.contexture.timeline.Chat;
import dev.contexture.timeline.Summary;
import dev.contexture.timeline.Timeline;
import dev.contexture.timeline.Visibility;
import dev.contexture.token.TokenCounter;
import dev.contexture.token.TokenMeter;
import dev.contexture.view.ContributionFilters;
import dev.contexture.view.Dialect;
import dev.contexture.view.Emitter;
import dev.contexture.view.Reader;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The text of a summary (T-72) and the check of its size (T-75). */
class SummaryTextTest {
  private static final Instant NOW = Instant.parse("2026-03-01T00:00:00Z");
  private static final CompactionPolicy POLICY = CompactionPolicy.STANDARD.withKeepRecentTurns(0);

  private static CompactionOutcome compact(Timeline timeline, CompactionBudget budget) {
    Emitter emitter =
        new Emitter(Dialect.TRANSCRIPT, Reader.ANY, TokenMeter.of(TokenCounter.CHARS4));
    return Compactor.of(emitter, ContributionFilters.NONE, budget)
        .compact(timeline, request -> request.mode().wireName(), "su_new", NOW);
  }

  private static String text(CompactionOutcome outcome) {
    return outcome.summary().orElseThrow().text();
  }

  private static String words(int chars) {
    return "word ".repeat(chars / 5);
  }

  private static Chat oneTurn(String prompt, boolean active) {
    Chat chat = new Chat();
    (active ? chat.activeTurn("t1") : chat.turn("t1")).prompt(prompt);
    for (int i = 0; i < 8; i++) {
      chat.call("c" + i).result("c" + i, words(600));
    }
    return chat;
  }

  @Test
  void pointsToAPromptThatIsShownAgain() {
    // T-29, T-72
    String text =
        text(compact(oneTurn("do it", true).timeline(), CompactionBudget.of(POLICY, 1_200)));
    assertThat(text)
        .isEqualTo(
            "No prior history.\n\n---\n\n**Turn Context (split turn):**\n\n"
                + "Original request (ar:t1.user.prompt): see below\n\nturn_prefix");
  }

  @Test
  void quotesTheRequestOrItsSentences() {
    // T-72: at most half of what the user's words may have, in whole sentences
    CompactionBudget budget = CompactionBudget.of(POLICY, 1_600);
    assertThat(text(compact(oneTurn("do\nit all\n", false).timeline(), budget)))
        .contains("Original request (ar:t1.user.prompt): do\nit all\n\nturn_prefix");
    String dear = "Look at all of it. ".repeat(200) + "Never touch the tests!";
    String text = text(compact(oneTurn(dear, true).timeline(), budget));
    assertThat(text)
        .contains("Original request (ar:t1.user.prompt): Look at", "… Never touch the tests!");
  }

  @Test
  void hasNoLineWithoutAPrompt() {
    // T-72
    Chat chat = new Chat().turn("t1");
    for (int i = 0; i < 8; i++) {
      chat.call("c" + i).result("c" + i, words(600));
    }
    assertThat(text(compact(chat.timeline(), CompactionBudget.of(POLICY, 1_200))))
        .contains("(split turn):**\n\nturn_prefix");
  }

  @Test
  void listsWhereThingsCanBeReadNewestFirst() {
    // T-72
    TurnId turn = TurnId.of("t1");
    Chat chat = new Chat().turn("t1").prompt("p");
    chat.add(
        Block.builder(BlockType.USER_ATTACHMENT_TEXT)
            .author(Author.USER)
            .path(BlockPath.attachment(turn, "a.txt"))
            .text("attached"));
    chat.call("c1", "files.write", "{}").result("c1", "{\"artifact_path\":\"fi:t1.files/x.py\"}");
    chat.call("c2", "files.patch", "{}").artifact("c2", "fi:t1.files/y.py", "patched");
    chat.call("c3").result("c3", words(900)).call("c4").result("c4", "small");
    chat.hide(11, "hidden").turn("t2").prompt(words(9_000));
    Timeline timeline = chat.timeline();
    CompactionBudget forced = CompactionBudget.unlimited(POLICY).force(true);
    CompactionOutcome outcome = compact(timeline, forced);
    assertThat(text(outcome))
        .isEqualTo(
            """
            ## What the user said
            - p

            create

            ## Recoverable paths
            - tc:t1.tc_c4.result (hidden)
            - tc:t1.tc_c3.result (result)
            - fi:t1.files/y.py (patched file)
            - fi:t1.files/x.py (file)
            - fi:t1.user.attachments/a.txt (attachment)\
            """);
    Timeline after = outcome.applyTo(timeline);
    chat.with(unused -> after).completion(words(900)).turn("t3").prompt(words(20_000));
    assertThat(text(compact(chat.timeline(), forced)))
        .contains("\n\nupdate\n\n", "## Recoverable paths\n- tc:t1.tc_c4.result (hidden)")
        .endsWith("- fi:t1.user.attachments/a.txt (attachment)");
  }

  @Test
  void listsThePathsThatHaveRoom() {
    // T-72
    Chat chat = new Chat().turn("t1").prompt("p");
    for (int i = 0; i < 50; i++) {
      chat.call("c" + i).result("c" + i, words(900));
    }
    chat.turn("t2").prompt(words(60_000));
    List<String> lines =
        text(compact(chat.timeline(), CompactionBudget.unlimited(POLICY).force(true)))
            .lines()
            .filter(line -> line.startsWith("- "))
            .toList();
    assertThat(lines.subList(0, 2)).containsExactly("- p", "- tc:t1.tc_c49.result (result)");
    assertThat(lines).hasSizeBetween(15, 41);
  }

  @Test
  void isStoredWithWhatLaterStepsNeed() {
    // T-76
    Timeline timeline = oneTurn("do it", true).timeline();
    Summary summary = compact(timeline, CompactionBudget.of(POLICY, 1_200)).summary().orElseThrow();
    assertThat(summary.carriesPrompt()).isTrue();
    assertThat(summary.coveredTurns()).containsExactly(TurnId.of("t1"));
    assertThat(summary.createdAt()).isEqualTo(NOW);
    assertThat(summary.meta().keys())
        .containsExactly(
            "covered_turn_ids",
            "compaction_digest",
            "split_turn_id",
            "carried",
            "entries",
            "receipt");
  }

  @Test
  void previewsShowBeginningAndEnd() {
    // T-62: k = min(2000, 4 * floor(300 / 10)) = 120, whatever the system text
    Chat chat = new Chat().activeTurn("t1").prompt("p").call("c").result("c", "a".repeat(9_000));
    CompactionBudget budget = CompactionBudget.of(POLICY, 300).system(1);
    Visibility preview = compact(chat.timeline(), budget).previews().getFirst();
    assertThat(preview.replacement())
        .matches(
            "\\[PREVIEW\\] \\d+ tokens, 9000 chars\\. Full text: react\\.read"
                + " tc:t1\\.tc_c\\.result\\n"
                + "a{84}\\n"
                + "\\.\\.\\. \\[8880 chars omitted\\] \\.\\.\\.\\n"
                + "a{36}");
  }
}
