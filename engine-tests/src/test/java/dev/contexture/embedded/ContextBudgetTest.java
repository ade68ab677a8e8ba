package dev.contexture.embedded;

import static dev.contexture.embedded.ContextFixture.CONFIG;
import static dev.contexture.embedded.ContextFixture.EVERY_BUILD;
import static dev.contexture.embedded.ContextFixture.ME;
import static dev.contexture.embedded.ContextFixture.SHOP;
import static dev.contexture.embedded.ContextFixture.codeOf;
import static dev.contexture.embedded.ContextFixture.model;
import static dev.contexture.embedded.ContextFixture.warnings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.AssembledContext;
import dev.contexture.Turn;
import dev.contexture.engine.memory.MemoryStore;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.prompt.ContextConfig;
import dev.contexture.prompt.ContextMetadata;
import dev.contexture.prompt.ModelContextLimits;
import dev.contexture.prompt.Omission;
import dev.contexture.request.ToolDef;
import dev.contexture.store.sqlite.InMemoryStore;
import dev.contexture.testkit.FakeClock;
import dev.contexture.tool.ToolRule;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Budgets of what a model is told: conformance items 70 to 72. */
class ContextBudgetTest {
  private static final String LONG = "word ".repeat(40) + "question ";

  private final InMemoryStore store = new InMemoryStore();
  private final ContextFixture fixture = new ContextFixture(store, FakeClock.atStart());
  private final MemoryStore memory = fixture.memory;

  @Test
  void addUp() {
    fixture.core("persona", "p".repeat(100));
    fixture.pinned("notes", "n".repeat(300));
    fixture.chat.startTurn("hello there");
    AssembledContext request =
        fixture
            .inChat(EVERY_BUILD)
            .withToolRules(List.of(new ToolRule.MaxCalls("*", 2)))
            .withActivity((agent, limit) -> Optional.of("a".repeat(44)))
            .withTools(List.of(new ToolDef("t", "does it", "{\"type\":\"object\"}")))
            .build();
    ContextMetadata.Tokens tokens = request.metadata().tokens();
    assertThat(tokens.activity()).isEqualTo(11);
    assertThat(tokens.core()).isEqualTo((request.system().get(1).length() + 3) / 4);
    assertThat(tokens.working()).isEqualTo((request.system().get(2).length() + 3) / 4);
    assertThat(tokens.tools()).isPositive();
    assertThat(tokens.history()).isPositive();
    assertThat(tokens.total())
        .isEqualTo(
            tokens.instructions()
                + tokens.core()
                + tokens.working()
                + tokens.activity()
                + tokens.rules()
                + tokens.tools()
                + tokens.history());
    assertThat(request.metadata().counts()).isEqualTo(new ContextMetadata.Counts(1, 1, 1, 0));
  }

  @Test
  void limitMemory() {
    fixture.core("persona", "p");
    fixture.pinned("notes", "y".repeat(4_000));
    ContextConfig small = CONFIG.withLimits(new ModelContextLimits(2_000, 100, 500, 100));
    AssembledContext request = fixture.alone(small).build();
    assertThat(request.metadata().blockLabels()).containsExactly("persona");
    assertThat(request.metadata().dropped())
        .extracting(Omission::id, Omission::reason)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("notes", Omission.Reason.OVER_MEMORY_BUDGET));
    memory.updateBlockText(ME, "persona", "z".repeat(2_000));
    AssembledContext core = fixture.alone(small).build();
    assertThat(warnings(core)).containsExactly("core_over_budget");
    assertThat(core.system().get(1)).contains("z".repeat(2_000));
  }

  @Test
  void refuseWhatCannotFit() {
    fixture.core("persona", "z".repeat(4_900));
    ContextConfig tiny = CONFIG.withLimits(new ModelContextLimits(1_000, 100, 500, 100));
    assertThatThrownBy(() -> fixture.alone(tiny).build())
        .isInstanceOfSatisfying(
            ContextureException.class,
            refused -> {
              assertThat(refused.code()).isEqualTo(ErrorCode.BUDGET_TOO_SMALL);
              assertThat(refused.details()).containsEntry("limit", 900L);
            });
  }

  @Test
  void areThoseOfTheModel() {
    ContextConfig config =
        CONFIG.withModelLimits("claude-*", new ModelContextLimits(50_000, 100, 500, 100));
    AssembledContext request =
        fixture.alone(config).withModelInfo(model("anthropic", "claude-opus-5")).build();
    assertThat(request.metadata().limits().overrideKey()).isEqualTo("claude-*");
    assertThat(request.metadata().limits().limits().maxTokens()).isEqualTo(50_000);
  }

  /** M-96: the history gets what is left, and the timeline compacts to it. */
  @Test
  void compactTheConversation() {
    for (int i = 0; i < 30; i++) {
      fixture.chat.startTurn("question " + i + " " + "word ".repeat(40)).finish("answer " + i);
    }
    fixture.chat.startTurn("and now?");
    ContextConfig small = CONFIG.withLimits(new ModelContextLimits(3_000, 100, 1_000, 100));
    AssembledContext request = fixture.inChat(small).build();
    ContextMetadata metadata = request.metadata();
    assertThat(metadata.compression().strategy()).isEqualTo("compaction");
    assertThat(metadata.compression().applied()).isTrue();
    assertThat(metadata.compression().summaryId()).isNotNull();
    assertThat(metadata.tokens().summary()).isPositive();
    assertThat(metadata.compression().messagesBefore()).isEqualTo(61);
    assertThat(metadata.compression().messagesAfter()).isEqualTo(metadata.counts().messages());
    assertThat(metadata.tokens().summary() + metadata.tokens().history())
        .isLessThanOrEqualTo(1_000);
    assertThat(metadata.tokens().total()).isLessThanOrEqualTo(2_900);
    AssembledContext again = fixture.inChat(small).build();
    assertThat(again.metadata().compression().applied()).isFalse();
    assertThat(again.messages()).isEqualTo(request.messages());
  }

  @Test
  void forceTheCompactionOfTooManyMessages() {
    for (int i = 0; i < 30; i++) {
      fixture.chat.startTurn(LONG + i).finish("answer " + i);
    }
    fixture.chat.startTurn("and now?");
    AssembledContext request = fixture.inChat(CONFIG.withMessagesCap(20)).build();
    assertThat(request.metadata().counts().messages()).isLessThanOrEqualTo(20);
    assertThat(request.metadata().compression().applied()).isTrue();
    assertThat(warnings(request)).isEmpty();
  }

  @Test
  void warnIfMessagesStayTooMany() {
    Turn turn = fixture.chat.startTurn("go");
    turn.finish("one");
    fixture.chat.startTurn("and now?");
    AssembledContext request = fixture.inChat(CONFIG.withMessagesCap(1)).build();
    assertThat(warnings(request)).containsExactly("messages_over_cap");
  }

  @Test
  void warnIfTheHistoryTakesMoreThanItsShare() {
    fixture.chat.startTurn("x".repeat(4_000));
    ContextConfig small = CONFIG.withLimits(new ModelContextLimits(3_000, 100, 200, 100));
    AssembledContext request = fixture.inChat(small).build();
    assertThat(warnings(request)).containsExactly("history_over_budget");
    ContextConfig less = CONFIG.withLimits(new ModelContextLimits(600, 100, 200, 100));
    assertThat(codeOf(() -> fixture.inChat(less).build())).isEqualTo(ErrorCode.BUDGET_TOO_SMALL);
  }

  @Test
  void areKeptByOtherStrategies() {
    for (int i = 0; i < 5; i++) {
      fixture.chat.startTurn("question " + i).finish("answer " + i);
    }
    ContextConfig truncating =
        CONFIG
            .withStrategy(new dev.contexture.compaction.CompressionStrategy.Truncate(5))
            .withMessagesCap(8);
    AssembledContext request = fixture.inChat(truncating).build();
    assertThat(request.metadata().counts().messages()).isEqualTo(6);
    assertThat(request.metadata().compression().strategy()).isEqualTo("truncate");
    assertThat(request.metadata().compression().archivedTurns()).hasSize(2);
    AssembledContext within = fixture.inChat(truncating).build();
    assertThat(within.metadata().compression().strategy()).isEqualTo("none");
  }

  @Test
  void aDryRunStoresNothing() {
    for (int i = 0; i < 30; i++) {
      fixture.chat.startTurn(LONG + i).finish("answer " + i);
    }
    fixture.unpinned("orders", "o");
    fixture.chat.startTurn("and now?");
    long before = fixture.chat.version();
    AssembledContext request =
        fixture
            .inChat(CONFIG.withMessagesCap(20))
            .withBatchBlocks(List.of("orders"))
            .dryRun()
            .build();
    assertThat(request.metadata().compression().applied()).isTrue();
    assertThat(request.metadata().blockLabels()).containsExactly("orders");
    assertThat(fixture.chat.version()).isEqualTo(before);
    assertThat(fixture.chat.summaries()).isEmpty();
    assertThat(store.epochs(SHOP.user("u42").conversation("c1"))).isEmpty();
  }
}
