package dev.contexture.compaction;

import static dev.contexture.compaction.CostCounter.cost;

import dev.contexture.block.TurnId;
import dev.contexture.compaction.summary.Summarizer;
import dev.contexture.compaction.summary.SummaryRequest;
import dev.contexture.render.RenderOptions;
import dev.contexture.render.Renderer;
import dev.contexture.timeline.Chat;
import dev.contexture.timeline.Timeline;
import dev.contexture.token.TokenMeter;
import dev.contexture.view.Dialect;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Conversations of whole turns, and how tests archive them. */
abstract class ArchiveFixture {
  static final Instant NOW = Instant.parse("2026-03-01T00:00:00Z");
  static final CompressionStrategy.RecursiveSummarization CHUNKS_OF_FOUR =
      new CompressionStrategy.RecursiveSummarization(4, null, null);

  final List<SummaryRequest> asked = new ArrayList<>();
  final Summarizer counting =
      request -> {
        asked.add(request);
        return "S" + asked.size();
      };

  /** Closed turns of so many messages, each turn costing so much. */
  static Chat turns(long tokens, int... messages) {
    Chat chat = new Chat();
    for (int i = 0; i < messages.length; i++) {
      add(chat.turn("T" + (i + 1)), messages[i], tokens);
    }
    return chat;
  }

  static void add(Chat chat, int messages, long tokens) {
    chat.prompt("p " + cost(tokens));
    for (int i = 0; i < (messages - 1) / 2; i++) {
      chat.call("c" + i).result("c" + i, "r");
    }
    if (messages % 2 == 0) {
      chat.completion("c");
    }
  }

  static int[] tenOfTwo() {
    return IntStream.generate(() -> 2).limit(10).toArray();
  }

  CompactionOutcome compact(Timeline timeline, CompressionStrategy strategy, HistoryLimits limits) {
    return compact(timeline, strategy, limits, counting);
  }

  static CompactionOutcome compact(
      Timeline timeline,
      CompressionStrategy strategy,
      HistoryLimits limits,
      Summarizer summarizer) {
    return compactor(timeline, strategy, limits).compact(timeline, summarizer, "su_new", NOW);
  }

  static Compactor compactor(
      Timeline timeline, CompressionStrategy strategy, HistoryLimits limits) {
    RenderOptions options =
        RenderOptions.defaults()
            .withDialect(Dialect.NATIVE)
            .withMeter(TokenMeter.of(new CostCounter()))
            .withStrategy(strategy)
            .withHistory(limits);
    return new Renderer().compactor(timeline, options);
  }

  static List<String> archived(CompactionOutcome outcome) {
    return outcome.archived().stream()
        .flatMap(range -> range.turns().stream())
        .map(TurnId::value)
        .toList();
  }
}
