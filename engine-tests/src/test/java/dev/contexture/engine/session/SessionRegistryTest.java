package dev.contexture.engine.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.ContextBrowser;
import dev.contexture.Turn;
import dev.contexture.block.Block;
import dev.contexture.block.BlockType;
import dev.contexture.block.Limits;
import dev.contexture.block.Scope;
import dev.contexture.compaction.CompactionPolicy;
import dev.contexture.compaction.ExtractiveSummarizer;
import dev.contexture.event.Changes;
import dev.contexture.event.EngineObserver;
import dev.contexture.request.LedgerSettings;
import dev.contexture.request.Providers;
import dev.contexture.store.sqlite.InMemoryStore;
import dev.contexture.testkit.FakeClock;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What stays loaded is bounded by number and by size. */
class SessionRegistryTest {
  private static final Scope.OfUser OWNER = Scope.of("acme", "shop").user("u42");
  private static final int BLOCK_CHARS = 1 << 20; // the most that a block may have

  private final SessionRegistry conversations =
      new SessionRegistry(
          new ConversationServices(
              new InMemoryStore(),
              true,
              "node",
              FakeClock.atStart(),
              new IdGenerator(new SplittableRandom(1)),
              Limits.DEFAULT,
              new Changes(),
              Providers.NONE,
              new ExtractiveSummarizer(),
              CompactionPolicy.STANDARD,
              Duration.ofMinutes(1),
              new ModelCalibrations(),
              tenant -> Optional.empty(),
              LedgerSettings.DEFAULT,
              new RequestRates(),
              new InFlightRequests(),
              EngineObserver.NONE,
              scope -> {
                throw new IllegalStateException("nothing is requested here");
              }));

  private ContextBrowser browser(Scope.OfConversation scope) {
    return new ContextBrowser(conversations.session(scope));
  }

  @Test
  void keepsABoundedNumber() {
    for (int i = 0; i < 3 * SessionRegistry.LOADED; i++) {
      browser(OWNER.conversation("c" + i)).startTurn("hello");
    }
    assertThat(conversations.loaded()).isEqualTo(SessionRegistry.LOADED);
  }

  @Test
  void keepsFewerOfLargeOnes() {
    String text = "x".repeat(BLOCK_CHARS);
    int blocks = (int) (SessionRegistry.LOADED_BYTES / BLOCK_CHARS / 4) + 1;
    for (int i = 0; i < 6; i++) {
      Scope.OfConversation scope = OWNER.conversation("c" + i);
      Turn turn = browser(scope).startTurn("hello");
      for (int j = 0; j < blocks; j++) {
        turn.contribute(Block.builder(BlockType.REACT_NOTE).text(text));
      }
      browser(scope); // as the next call does
    }
    assertThat(conversations.loaded()).isEqualTo(3);
  }

  @Test
  void loadsAgainWhatItDropped() {
    for (int i = 0; i < 3 * SessionRegistry.LOADED; i++) {
      browser(OWNER.conversation("c" + i)).startTurn("hello " + i);
    }
    assertThat(browser(OWNER.conversation("c0")).timeline().entries())
        .extracting(entry -> entry.block().text().orElse(""))
        .contains("hello 0");
  }
}
