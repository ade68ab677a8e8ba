package dev.contexture.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.block.TurnId;
import dev.contexture.compaction.summary.References;
import dev.contexture.compaction.summary.SummaryRequest;
import dev.contexture.compaction.summary.SummaryRequest.Item;
import dev.contexture.compaction.summary.SummaryRequest.Mode;
import dev.contexture.token.TokenCounter;
import dev.contexture.token.TokenMeter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The summariser that needs no model (T-71, T-115). */
class ExtractiveSummarizerTest {
  private static final TokenMeter METER = TokenMeter.of(TokenCounter.CHARS4);
  private static final ExtractiveSummarizer SUMMARIZER = new ExtractiveSummarizer();

  private final List<Item> items = new ArrayList<>();

  private ExtractiveSummarizerTest add(
      BlockType type, @Nullable String path, boolean error, String text) {
    BlockPath blockPath = path == null ? null : BlockPath.parse(path);
    String tool = type.isCall() ? "files.read" : null;
    items.add(new Item(type, TurnId.of("t1"), items.size() + 1, blockPath, tool, error, text));
    return this;
  }

  private String summary(Mode mode, @Nullable String previous, long target) {
    return SUMMARIZER.summarize(
        new SummaryRequest(mode, null, null, items, previous, target, 100_000, METER, List.of()));
  }

  private void conversation() {
    add(BlockType.TURN_HEADER, null, false, "[TURN t1] ts=2026-02-09T02:14:32Z");
    add(
        BlockType.USER_PROMPT,
        "ar:t1.user.prompt",
        false,
        "[USER MESSAGE]\n[path: ar:t1.user.prompt]\nFix the bug in core/App.java, see"
            + " https://bugs.example/7?x=1. Never touch the tests! Thanks.");
    add(
        BlockType.REACT_NOTES,
        "ar:t1.react.notes.tc_1",
        false,
        "[AI Agent say]: Reading parseConfig first");
    add(
        BlockType.REACT_TOOL_CALL,
        "tc:t1.tc_1.call",
        false,
        "[react.tool.call] (JSON)\n"
            + "{\n"
            + "  \"tool_id\": \"files.read\",\n"
            + "  \"tool_call_id\": \"tc_1\",\n"
            + "  \"params\": {\n"
            + "    \"path\": \"core/App.java\\n"
            + "size_limit\"\n"
            + "  }\n"
            + "}");
    add(
        BlockType.REACT_TOOL_RESULT,
        "tc:t1.tc_1.result",
        true,
        "[react.tool.result] (text)\n[path: tc:t1.tc_1.result]\nFileNotFound: core/App.java at 42");
    add(
        BlockType.REACT_NOTE,
        "ar:t1.react.note",
        false,
        "[INTERNAL NOTE]\n[path: ar:t1.react.note]\nUse the old parser, the new one is slow");
    add(
        BlockType.ASSISTANT_COMPLETION,
        "ar:t1.assistant.completion",
        false,
        "[ASSISTANT MESSAGE]\n[path: ar:t1.assistant.completion]\nFixed in commit 9f3ab21.");
  }

  @Test
  void tellsWhatWasSaidInOrder() {
    conversation();
    assertThat(summary(Mode.CREATE, null, 1_000))
        .isEqualTo(
            """
            ## What the user said
            - Fix the bug in core/App.java, see https://bugs.example/7?x=1. Never touch the tests! Thanks.
            - Failed: FileNotFound: core/App.java at 42
            - Decided: Use the old parser, the new one is slow
            - Agent: Fixed in commit 9f3ab21.

            ## References
            size_limit
            parseConfig\
            """);
  }

  @Test
  void keepsWhatThePreviousSummarySaid() {
    conversation();
    String first = summary(Mode.CREATE, null, 1_000);
    items.clear();
    add(
        BlockType.USER_PROMPT,
        "ar:t2.user.prompt",
        false,
        "[USER MESSAGE]\n[path: ar:t2.user.prompt]\nNow prefer release 2.10");
    assertThat(summary(Mode.UPDATE, first, 1_000))
        .contains("- Now prefer release 2.10", "Never touch the tests!");
  }

  @Test
  void isDeterministicAndStaysWithinItsTarget() {
    for (int i = 0; i < 300; i++) {
      add(
          BlockType.USER_PROMPT,
          "ar:t1.user.prompt",
          false,
          "[USER MESSAGE]\n[path: ar:t1.user.prompt]\nYou must look at src/module_"
              + i
              + "/File.java");
    }
    for (long target : new long[] {40, 60, 200, 800, 1_500}) {
      String text = summary(Mode.CREATE, null, target);
      assertThat(TokenCounter.CHARS4.count(text)).isLessThanOrEqualTo(target);
      assertThat(summary(Mode.CREATE, null, target)).isEqualTo(text);
      String o200k =
          SUMMARIZER.summarize(
              new SummaryRequest(
                  Mode.CREATE,
                  null,
                  null,
                  items,
                  null,
                  target,
                  100_000,
                  TokenMeter.of(TokenCounter.O200K_BASE),
                  List.of()));
      assertThat(TokenCounter.O200K_BASE.count(o200k)).isLessThanOrEqualTo(target);
    }
  }

  @Test
  void doesNotListWhatIsStillVisible() {
    conversation();
    String text =
        SUMMARIZER.summarize(
            new SummaryRequest(
                Mode.CREATE,
                null,
                null,
                items,
                null,
                1_000,
                100_000,
                METER,
                List.of("the size_limit of core/App.java")));
    assertThat(text).doesNotContain("size_limit");
  }

  @Test
  void findsReferencesByTheirForm() {
    assertThat(
            References.wordsOf(
                "see (https://x.example/a?b=1) and '/usr/lib', v1.2.3. parseConfig, plain words, 7,"
                    + " 42, user@host.io, A_B, -dash- it's x/y a.b.c.d"))
        .containsExactly("https://x.example/a?b=1", "/usr/lib", "v1.2.3", "parseConfig");
  }
}
