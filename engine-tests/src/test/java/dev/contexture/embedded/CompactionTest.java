package dev.contexture.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.ContextBrowser;
import dev.contexture.Contexture;
import dev.contexture.Turn;
import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.block.TurnId;
import dev.contexture.compaction.CompactionHooks;
import dev.contexture.compaction.CompactionReport;
import dev.contexture.compaction.CompactionReport.Status;
import dev.contexture.compaction.CompressionStrategy;
import dev.contexture.compaction.ExtractiveSummarizer;
import dev.contexture.compaction.HistoryLimits;
import dev.contexture.compaction.summary.Summarizer;
import dev.contexture.event.Change;
import dev.contexture.render.RenderOptions;
import dev.contexture.store.Row;
import dev.contexture.store.WriteSet;
import dev.contexture.timeline.TurnLimit;
import dev.contexture.timeline.Visibility;
import dev.contexture.turn.RenderResult;
import dev.contexture.view.PruneSettings;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Compaction of stored conversations: hooks, conflicts, archives (T-70 to T-79, T-97). */
class CompactionTest extends CompactionFixture {
  @Nested
  class Hooks {
    @Test
    void hearOfEachAttemptOnceBeforeAndOnceAfter() {
      // T-79, checklist 56
      ContextBrowser chat = grown(chat(), 10);
      RenderOptions options = SMALL.withHooks(heard);
      chat.render(options);
      assertThat(heard.before).hasSize(1);
      assertThat(heard.after).hasSize(1);
      CompactionReport before = heard.before.getFirst();
      CompactionReport after = heard.after.getFirst();
      assertThat(before.status()).isEqualTo(Status.STARTED);
      assertThat(before.reason()).isEqualTo("over_limit");
      assertThat(before.compactedBlocks()).isEqualTo(after.compactedBlocks()).isPositive();
      assertThat(before.tokensAfter()).isLessThanOrEqualTo(1_800);
      assertThat(after.status()).isEqualTo(Status.COMPLETED);
      assertThat(after.summaryBlockCount()).isEqualTo(1);
      assertThat(after.stats().keys())
          .containsExactly(
              "status",
              "reason",
              "tokens_before",
              "tokens_after",
              "compacted_blocks",
              "summary_block_count",
              "before_tokens",
              "after_tokens",
              "compacted_tokens");
      chat.render(options);
      assertThat(heard.before).as("nothing is due").hasSize(1);
    }

    @Test
    void hearNothingBelowTheLimitAndWhereAPreviewIsEnough() {
      // T-79, T-61
      ContextBrowser chat = chat();
      Turn turn = chat.startTurn("look");
      chat.render(SMALL.withHooks(heard));
      turn.contribute(call("tc_1"), result("tc_1", "word ".repeat(4_000)));
      RenderResult rendered =
          chat.render(SMALL.withHooks(heard), PruneSettings.DISABLED, TurnLimit.NONE);
      assertThat(rendered.compaction().previews()).hasSize(1);
      assertThat(rendered.compaction().report().status()).isEqualTo(Status.NOT_NEEDED);
      assertThat(heard.before).isEmpty();
      assertThat(heard.after).isEmpty();
      assertThat(calls).hasValue(0);
    }

    @Test
    void arePairedAlsoWhereNothingComesOfIt() {
      // T-78, T-79: no_cut once, and not again until something changes
      ContextBrowser chat = chat();
      Turn turn = chat.startTurn("word ".repeat(4_000));
      for (int i = 0; i < 3; i++) {
        chat.render(SMALL.withHooks(heard));
      }
      assertThat(heard.after).extracting(CompactionReport::status).containsExactly(Status.NO_CUT);
      assertThat(heard.before).hasSize(1);
      turn.contribute(Block.builder(BlockType.REACT_NOTE).text("more"));
      chat.render(SMALL.withHooks(heard));
      assertThat(heard.after).hasSize(2);
    }

    @Test
    void mayThrow() {
      // T-79
      ContextBrowser chat = grown(chat(), 10);
      CompactionHooks throwing =
          new CompactionHooks() {
            @Override
            public void onBeforeCompaction(CompactionReport report) {
              throw new IllegalStateException("before");
            }

            @Override
            public void onAfterCompaction(CompactionReport report) {
              throw new IllegalStateException("after");
            }
          };
      assertThat(chat.compact(SMALL.withHooks(throwing)).status()).isEqualTo(Status.COMPLETED);
    }

    @Test
    void changesAreToldToWhoListens() {
      // T-79
      Contexture engine = engine(new ExtractiveSummarizer());
      ContextBrowser chat = grown(engine.browser(SCOPE), 10);
      List<Change> changes = new ArrayList<>();
      var subscription = engine.changes().subscribe(changes::add);
      chat.render(SMALL);
      subscription.close();
      assertThat(changes).hasSize(2);
      assertThat(changes.getFirst().note().string("type")).contains("compacting");
      var note = changes.getLast().note();
      assertThat(note.string("type")).contains("compaction");
      assertThat(note.string("status")).contains("completed");
      assertThat(note.string("summary_id")).contains(chat.summaries().getFirst().id());
    }
  }

  @Nested
  class Conflicts {
    @Test
    void aSummaryMadeMeanwhileIsNotDoubled() {
      // T-97: planned on no summary, and there is one now
      ContextBrowser[] chat = new ContextBrowser[1];
      Summarizer reentrant =
          request -> {
            if (calls.incrementAndGet() == 1) {
              chat[0].compact(SMALL);
            }
            return "S";
          };
      chat[0] = engine(reentrant).browser(SCOPE);
      grown(chat[0], 10);
      CompactionReport report = chat[0].compact(SMALL.withHooks(heard));
      assertThat(report.status()).isEqualTo(Status.NOT_NEEDED);
      assertThat(chat[0].summaries()).hasSize(1);
      assertThat(heard.before).hasSize(1);
      assertThat(heard.after).hasSize(1);
    }

    @Test
    void isGivenUpWhenOthersChangeTheBlocksEachTime() {
      // T-97: at most 3 times, then skipped, conflict
      ContextBrowser[] chat = new ContextBrowser[1];
      Summarizer hiding =
          request -> {
            int call = calls.incrementAndGet();
            hide(call);
            return "S";
          };
      chat[0] = engine(hiding).browser(SCOPE);
      grown(chat[0], 10);
      CompactionReport report = chat[0].compact(SMALL);
      assertThat(report.status()).isEqualTo(Status.SKIPPED);
      assertThat(report.reason()).isEqualTo("conflict");
      assertThat(calls.get()).as("one or two calls each").isIn(3, 6);
      assertThat(chat[0].summaries()).isEmpty();
    }

    /** Another node hides one of the oldest blocks. */
    private void hide(int call) {
      var record = new Visibility(call, "gone", Visibility.Reason.API, Instant.EPOCH);
      store.commit(
          WriteSet.of(SCOPE, Instant.EPOCH).add(new Row.PutVisibility(List.of(record))).build());
    }

    @Test
    void blocksAppendedMeanwhileStayBehindTheCut() {
      // T-97
      ContextBrowser[] chat = new ContextBrowser[1];
      Summarizer writing =
          request -> {
            chat[0].startTurn("asked meanwhile").finish("answered meanwhile");
            return "S";
          };
      chat[0] = engine(writing).browser(SCOPE);
      grown(chat[0], 10);
      assertThat(chat[0].compact(SMALL).status()).isEqualTo(Status.COMPLETED);
      assertThat(chat[0].render(RenderOptions.defaults()).text())
          .startsWith("[SUMMARY]")
          .contains("asked meanwhile", "answered meanwhile");
    }
  }

  @Nested
  class Archiving {
    private static final RenderOptions TRUNCATE =
        RenderOptions.defaults()
            .withStrategy(new CompressionStrategy.Truncate(4))
            .withHistory(HistoryLimits.ofMessages(8));
    private static final RenderOptions RECURSIVE =
        RenderOptions.defaults()
            .withStrategy(new CompressionStrategy.RecursiveSummarization(4, null, null))
            .withHistory(HistoryLimits.ofMessages(12));

    @Test
    void rangesAreStoredAndStayReadable() {
      // M-106, T-21, T-22, checklist 16
      ContextBrowser chat = grown(chat(), 6);
      String text = chat.render(TRUNCATE).text();
      assertThat(text).contains("word5 ", "word6 ").doesNotContain("word4 ");
      assertThat(calls).hasValue(0);
      ContextBrowser restarted = chat();
      assertThat(restarted.render(RenderOptions.defaults()).text()).isEqualTo(text);
      assertThat(restarted.timeline().archived()).hasSize(1);
      assertThat(restarted.resolve(BlockPath.userPrompt(TurnId.of("t1")), false)).isPresent();
      long version = restarted.version();
      restarted.render(TRUNCATE);
      restarted.render(RECURSIVE);
      assertThat(restarted.version()).as("nothing is repeated").isEqualTo(version);
    }

    @Test
    void aSummaryIsStoredWithItsRangesAtOnce() {
      // M-106, M-109
      ContextBrowser chat = grown(chat(request -> "S"), 10);
      long version = chat.version();
      String first = chat.render(RECURSIVE).text();
      assertThat(chat.version()).isEqualTo(version + 1);
      assertThat(calls).hasValue(3);
      assertThat(first).startsWith("[SUMMARY] covers 6 turns: t1, t2, t3, t4, t5, t6");
      ContextBrowser restarted = chat(request -> "other");
      assertThat(restarted.render(RECURSIVE).text()).isEqualTo(first);
      assertThat(calls).hasValue(3);
      restarted.withdrawSummary(chat.summaries().getFirst().id());
      assertThat(restarted.render(RenderOptions.defaults()).text()).contains("word1 ", "word10 ");
    }

    @Test
    void twoBuildsAtOnceArchiveOnce() {
      // M-106, T-97
      ContextBrowser[] chat = new ContextBrowser[1];
      Summarizer reentrant =
          request -> {
            if (calls.incrementAndGet() == 1) {
              chat[0].render(RECURSIVE);
            }
            return "S";
          };
      chat[0] = engine(reentrant).browser(SCOPE);
      grown(chat[0], 10);
      chat[0].render(RECURSIVE);
      assertThat(chat[0].summaries()).hasSize(1);
      assertThat(chat().timeline().archived()).isEmpty(); // all of it lies before the summary
      assertThat(chat[0].render(RenderOptions.defaults()).text())
          .startsWith("[SUMMARY] covers 6 turns");
    }

    @Test
    void afterAFailureTheBuiltInOneWritesTheSummary() {
      // M-108
      ContextBrowser chat =
          grown(
              chat(
                  request -> {
                    throw new IllegalStateException("down");
                  }),
              10);
      RenderResult rendered = chat.render(RECURSIVE, PruneSettings.DISABLED, TurnLimit.NONE);
      assertThat(rendered.context().text())
          .startsWith("[SUMMARY] covers 6 turns")
          .contains("## What the user said");
      assertThat(rendered.compaction().report().warnings()).containsExactly("summarizer_failed");
    }

    @Test
    void readOnlyStoresNothing() {
      // H-5
      ContextBrowser chat = grown(chat(), 6);
      long version = chat.version();
      assertThat(chat.render(TRUNCATE.withReadOnly(true)).text()).doesNotContain("word4 ");
      assertThat(chat.version()).isEqualTo(version);
      assertThat(chat.render(RenderOptions.defaults()).text()).contains("word1 ");
    }
  }

  @Test
  void theReportCanBeRead() {
    // T-79
    ContextBrowser chat = grown(chat(), 10);
    String text = chat.compact(SMALL).describe();
    assertThat(text)
        .startsWith("Compaction completed: the context was above its limit\n  tokens: ")
        .contains("stands before block", "it covers");
  }

  private static Block.Builder call(String id) {
    return Block.builder(BlockType.REACT_TOOL_CALL)
        .toolCallId(id)
        .text("{\"tool_id\":\"t\",\"params\":{}}");
  }

  private static Block.Builder result(String id, String text) {
    return Block.builder(BlockType.REACT_TOOL_RESULT)
        .toolCallId(id)
        .path(BlockPath.parse("tc:turn_x." + id + ".result"))
        .text(text);
  }
}
