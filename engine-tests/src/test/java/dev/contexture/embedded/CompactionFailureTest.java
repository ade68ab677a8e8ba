package dev.contexture.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.ContextBrowser;
import dev.contexture.Contexture;
import dev.contexture.compaction.CompactionReport;
import dev.contexture.compaction.CompactionReport.Status;
import dev.contexture.compaction.CompressionStrategy;
import dev.contexture.compaction.HistoryLimits;
import dev.contexture.compaction.summary.Summarizer;
import dev.contexture.render.RenderOptions;
import dev.contexture.render.RenderedContext;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Summarizers that fail, answer badly or hang (T-74, T-97). */
class CompactionFailureTest extends CompactionFixture {
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
