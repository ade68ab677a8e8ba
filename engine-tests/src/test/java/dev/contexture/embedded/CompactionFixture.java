package dev.contexture.embedded;

import dev.contexture.ContextBrowser;
import dev.contexture.Contexture;
import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.compaction.CompactionHooks;
import dev.contexture.compaction.CompactionReport;
import dev.contexture.compaction.ExtractiveSummarizer;
import dev.contexture.compaction.summary.Summarizer;
import dev.contexture.render.RenderOptions;
import dev.contexture.store.sqlite.InMemoryStore;
import dev.contexture.turn.TurnStart;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A conversation that can be grown and compacted, and what is told and asked meanwhile. */
abstract class CompactionFixture {
  static final Scope.OfConversation SCOPE = Scope.of("acme", "shop").user("u42").conversation("c1");

  static final RenderOptions SMALL = RenderOptions.defaults().withMaxTokens(2_000);

  final InMemoryStore store = new InMemoryStore();
  final AtomicInteger calls = new AtomicInteger();
  final Heard heard = new Heard();

  /** Remembers what hooks are told. */
  static final class Heard implements CompactionHooks {
    final List<CompactionReport> before = new ArrayList<>();
    final List<CompactionReport> after = new ArrayList<>();

    @Override
    public void onBeforeCompaction(CompactionReport report) {
      before.add(report);
    }

    @Override
    public void onAfterCompaction(CompactionReport report) {
      after.add(report);
    }
  }

  Contexture engine(Summarizer summarizer) {
    return Contexture.builder(store)
        .summarizer(summarizer)
        .summarizerTimeout(Duration.ofSeconds(30))
        .build();
  }

  Summarizer counted(Summarizer summarizer) {
    return request -> {
      calls.incrementAndGet();
      return summarizer.summarize(request);
    };
  }

  ContextBrowser chat(Summarizer summarizer) {
    return engine(counted(summarizer)).browser(SCOPE);
  }

  ContextBrowser chat() {
    return chat(new ExtractiveSummarizer());
  }

  /** Closed turns of about 300 tokens each. */
  static ContextBrowser grown(ContextBrowser chat, int turns) {
    for (int i = 1; i <= turns; i++) {
      String words = "word" + i + " ";
      chat.startTurn(TurnStart.prompt("ask " + words.repeat(70)).id(TurnId.of("t" + i)))
          .finish("answer " + words.repeat(70));
    }
    return chat;
  }
}
