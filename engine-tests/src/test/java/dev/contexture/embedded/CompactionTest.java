package dev.contexture.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.ContextBrowser;
import dev.contexture.Contexture;
import dev.contexture.Turn;
import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.compaction.CompactionHooks;
import dev.contexture.compaction.CompactionReport;
import dev.contexture.compaction.CompactionReport.Status;
import dev.contexture.compaction.CompressionStrategy;
import dev.contexture.compaction.ExtractiveSummarizer;
import dev.contexture.compaction.HistoryLimits;
import dev.contexture.compaction.summary.Summarizer;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.event.Change;
import dev.contexture.model.AnswerException;
import dev.contexture.model.ContextLimitErrors;
import dev.contexture.render.RenderOptions;
import dev.contexture.render.RenderedContext;
import dev.contexture.store.Row;
import dev.contexture.store.WriteSet;
import dev.contexture.store.sqlite.InMemoryStore;
import dev.contexture.timeline.TurnLimit;
import dev.contexture.timeline.Visibility;
import dev.contexture.turn.RenderResult;
import dev.contexture.turn.TurnStart;
import dev.contexture.view.PruneSettings;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Compaction of stored conversations: hooks, retry, failures, strategies (T-70 to T-80, T-97). */
class CompactionTest {
  private static final Scope.OfConversation SCOPE =
      Scope.of("acme", "shop").user("u42").conversation("c1");
  private static final RenderOptions SMALL = RenderOptions.defaults().withMaxTokens(2_000);

  private final InMemoryStore store = new InMemoryStore();
  private final AtomicInteger calls = new AtomicInteger();
  private final Heard heard = new Heard();

  /** Remembers what hooks are told. */
  private static final class Heard implements CompactionHooks {
    private final List<CompactionReport> before = new ArrayList<>();
    private final List<CompactionReport> after = new ArrayList<>();

    @Override
    public void onBeforeCompaction(CompactionReport report) {
      before.add(report);
    }

    @Override
    public void onAfterCompaction(CompactionReport report) {
      after.add(report);
    }
  }

  private Contexture engine(Summarizer summarizer) {
    return Contexture.builder(store)
        .summarizer(summarizer)
        .summarizerTimeout(Duration.ofSeconds(30))
        .build();
  }

  private Summarizer counted(Summarizer summarizer) {
    return request -> {
      calls.incrementAndGet();
      return summarizer.summarize(request);
    };
  }

  private ContextBrowser chat(Summarizer summarizer) {
    return engine(counted(summarizer)).browser(SCOPE);
  }

  private ContextBrowser chat() {
    return chat(new ExtractiveSummarizer());
  }

  /** Closed turns of about 300 tokens each. */
  private static ContextBrowser grown(ContextBrowser chat, int turns) {
    for (int i = 1; i <= turns; i++) {
      String words = "word" + i + " ";
      chat.startTurn(TurnStart.prompt("ask " + words.repeat(70)).id(TurnId.of("t" + i)))
          .finish("answer " + words.repeat(70));
    }
    return chat;
  }

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
  class Retry {
    private final List<RenderedContext> sent = new ArrayList<>();

    private RuntimeException tooLong() {
      return new IllegalStateException("prompt is too long: 210123 tokens > 200000 maximum");
    }

    @Test
    void callsOnceIfThatWorks() {
      // T-80, checklist 58
      ContextBrowser chat = grown(chat(), 5);
      String answer = chat.withRetry(RenderOptions.defaults(), c -> sent.add(c) ? "ok" : "no");
      assertThat(answer).isEqualTo("ok");
      assertThat(sent).hasSize(1);
      assertThat(calls).hasValue(0);
    }

    @Test
    void compactsAndCallsOnceMore() {
      // T-80
      ContextBrowser chat = grown(chat(), 10);
      String answer =
          chat.withRetry(
              RenderOptions.defaults(),
              context -> {
                sent.add(context);
                if (sent.size() == 1) {
                  throw tooLong();
                }
                return "ok";
              });
      assertThat(answer).isEqualTo("ok");
      assertThat(sent).hasSize(2);
      assertThat(sent.getLast().report().stableTokens())
          .isLessThan(sent.getFirst().report().stableTokens());
      assertThat(chat.summaries()).hasSize(1);
    }

    @Test
    void throwsTheSecondFailureWhateverItIs() {
      // T-80: exactly one more call
      ContextBrowser chat = grown(chat(), 10);
      assertThatThrownBy(
              () ->
                  chat.withRetry(
                      RenderOptions.defaults(),
                      context -> {
                        sent.add(context);
                        throw new IllegalStateException(tooLong().getMessage() + sent.size());
                      }))
          .hasMessageEndingWith("maximum2");
      assertThat(sent).hasSize(2);
      assertThat(chat.summaries()).hasSize(1);
    }

    @Test
    void throwsOtherFailuresAtOnce() {
      // T-80, T-81
      ContextBrowser chat = grown(chat(), 10);
      assertThatExceptionOfType(IOException.class)
          .isThrownBy(
              () ->
                  chat.withRetry(
                      RenderOptions.defaults(),
                      context -> {
                        sent.add(context);
                        throw new IOException("connection reset");
                      }));
      assertThat(sent).hasSize(1);
      assertThat(chat.summaries()).isEmpty();
    }

    @Test
    void doesNotRepeatWhatIsTheSame() {
      // T-80: marked no_progress
      ContextBrowser chat = chat();
      Turn turn = chat.startTurn("hello");
      assertThatThrownBy(
              () ->
                  turn.withRetry(
                      RenderOptions.defaults(),
                      context -> {
                        sent.add(context);
                        throw tooLong();
                      }))
          .hasMessageContaining("prompt is too long")
          .satisfies(
              thrown ->
                  assertThat(thrown.getSuppressed())
                      .singleElement()
                      .isInstanceOfSatisfying(
                          ContextureException.class,
                          e -> assertThat(e.code()).isEqualTo(ErrorCode.NO_PROGRESS)));
      assertThat(sent).hasSize(1);
    }

    @Test
    void asksTheCallersClassifier() {
      // T-81: a status that says that it is the rate
      ContextBrowser chat = grown(chat(), 10);
      assertThatThrownBy(
              () ->
                  chat.withRetry(
                      RenderOptions.defaults(),
                      failure -> ContextLimitErrors.isContextLimit(429, null, failure.getMessage()),
                      context -> {
                        sent.add(context);
                        throw tooLong();
                      }))
          .hasMessageContaining("prompt is too long");
      assertThat(sent).hasSize(1);
    }

    @Test
    void readsTheProvidersCodeAndCauses() {
      // T-81
      assertThat(
              ContextLimitErrors.isContextLimit(
                  AnswerException.error("openai", "context_length_exceeded", "no")))
          .isTrue();
      assertThat(
              ContextLimitErrors.isContextLimit(
                  AnswerException.error("openai", "rate_limit", "tokens per min")))
          .isFalse();
      assertThat(ContextLimitErrors.isContextLimit(new IOException("failed", tooLong()))).isTrue();
      assertThat(ContextLimitErrors.isContextLimit(new IOException())).isFalse();
    }
  }

  @Nested
  class Failures {
    /** Compacts with it; the built-in one writes the summary, and says why. */
    private String failsWith(Summarizer summarizer) {
      ContextBrowser chat = grown(chat(summarizer), 10);
      RenderedContext context = chat.render(SMALL.withHooks(heard));
      assertThat(context.text()).startsWith("[SUMMARY]").contains("## What the user said");
      assertThat(chat.summaries()).hasSize(1);
      assertThat(heard.after).hasSize(1);
      CompactionReport report = heard.after.getFirst();
      assertThat(report.status()).isEqualTo(Status.COMPLETED);
      assertThat(report.warnings()).containsExactly("summarizer_failed");
      return report.summary().orElseThrow().meta().string("summarizer_failure").orElseThrow();
    }

    @Test
    void throwing() {
      // T-74, checklist 53
      String reason =
          failsWith(
              request -> {
                throw new IllegalStateException("no model");
              });
      assertThat(reason)
          .as("its words are for the log")
          .startsWith("summarizer_failed")
          .doesNotContain("no model", "Exception");
    }

    @Test
    void throwingAnError() {
      // T-74
      String reason =
          failsWith(
              request -> {
                throw new StackOverflowError();
              });
      assertThat(reason).startsWith("summarizer_failed").doesNotContain("Error");
    }

    @Test
    void answeringNothing() {
      // T-74
      assertThat(failsWith(request -> " \n ")).isEqualTo("blank_summary");
    }

    @Test
    void answeringTooMuch() {
      // T-74
      assertThat(failsWith(request -> "x".repeat(32_001))).isEqualTo("summary_too_long");
    }

    @Test
    @Timeout(300)
    void hanging() throws InterruptedException {
      // T-74, T-97: others work on meanwhile, and what comes too late changes nothing
      CountDownLatch asked = new CountDownLatch(1);
      CountDownLatch released = new CountDownLatch(1);
      CountDownLatch answered = new CountDownLatch(1);
      AtomicInteger interrupts = new AtomicInteger();
      Summarizer hanging =
          request -> {
            asked.countDown();
            boolean done = false;
            while (!done) {
              try {
                released.await();
                done = true;
              } catch (InterruptedException ignored) {
                interrupts.incrementAndGet(); // stubborn: goes on waiting
              }
            }
            answered.countDown();
            return "a summary that comes too late";
          };
      ContextBrowser chat =
          Contexture.builder(store)
              .summarizer(hanging)
              .summarizerTimeout(Duration.ofMillis(300))
              .build()
              .browser(SCOPE);
      grown(chat, 10);
      Thread writer =
          Thread.startVirtualThread(
              () -> {
                try {
                  asked.await();
                } catch (InterruptedException stopped) {
                  throw new IllegalStateException(stopped);
                }
                chat.startTurn("meanwhile").finish("done");
              });
      CompactionReport report = chat.compact(SMALL);
      writer.join();
      assertThat(report.status()).isEqualTo(Status.COMPLETED);
      assertThat(report.warnings()).containsExactly("summarizer_failed");
      assertThat(report.summary().orElseThrow().meta().string("summarizer_failure"))
          .hasValueSatisfying(why -> assertThat(why).contains("did not answer within 300 ms"));
      assertThat(chat.turnLog(chat.turns(null, 99).getLast().turn()).answer()).contains("done");
      long version = chat.version();
      released.countDown();
      assertThat(answered.await(2, TimeUnit.MINUTES)).isTrue();
      assertThat(interrupts).hasPositiveValue();
      assertThat(chat.version()).isEqualTo(version);
      assertThat(chat.summaries()).hasSize(1);
    }

    @Test
    @Timeout(300)
    void slowInManyCallsTogether() {
      // T-73, T-74: the time is for the whole attempt
      ContextBrowser chat =
          Contexture.builder(store)
              .summarizer(
                  request -> {
                    calls.incrementAndGet();
                    try {
                      Thread.sleep(200);
                    } catch (InterruptedException stopped) {
                      throw new IllegalStateException(stopped);
                    }
                    return "S";
                  })
              .summarizerTimeout(Duration.ofMillis(500))
              .build()
              .browser(SCOPE);
      grown(chat, 12);
      RenderOptions options =
          RenderOptions.defaults()
              .withStrategy(new CompressionStrategy.RecursiveSummarization(2, null, null))
              .withHistory(HistoryLimits.ofMessages(4));
      CompactionReport report = chat.compact(options);
      assertThat(report.warnings()).containsExactly("summarizer_failed");
      assertThat(calls.get()).isBetween(1, 4); // each alone is quick enough
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
