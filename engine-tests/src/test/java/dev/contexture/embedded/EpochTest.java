package dev.contexture.embedded;

import static dev.contexture.embedded.ContextFixture.ME;
import static dev.contexture.embedded.ContextFixture.SHOP;
import static dev.contexture.embedded.ContextFixture.block;
import static dev.contexture.embedded.ContextFixture.lastTexts;
import static dev.contexture.embedded.ContextFixture.model;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.AssembledContext;
import dev.contexture.ContextBuilder;
import dev.contexture.ContextRequest;
import dev.contexture.Turn;
import dev.contexture.block.Scope;
import dev.contexture.engine.memory.BlockSpec;
import dev.contexture.engine.memory.MemoryStore;
import dev.contexture.memory.permission.Actor;
import dev.contexture.memory.permission.MemoryPermission;
import dev.contexture.memory.schema.MemoryBlockType;
import dev.contexture.prompt.ContextConfig;
import dev.contexture.prompt.ContextMetadata;
import dev.contexture.prompt.ModelContextLimits;
import dev.contexture.render.RenderOptions;
import dev.contexture.request.CachePolicy;
import dev.contexture.request.ToolDef;
import dev.contexture.store.ChangeRecord;
import dev.contexture.store.Store;
import dev.contexture.store.sqlite.SqliteStore;
import dev.contexture.testkit.FakeClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** M-130 and M-134: memory is repeated byte for byte, and what changes follows at the end. */
class EpochTest {
  private static final Scope.OfConversation CHAT = SHOP.user("u42").conversation("c1");
  private static final ContextConfig CONFIG = ContextConfig.DEFAULT;

  @TempDir Path directory;
  private Store store;
  private ContextFixture fixture;
  private MemoryStore memory;

  @BeforeEach
  void open() {
    open(FakeClock.atStart());
  }

  private void open(FakeClock clock) {
    store = SqliteStore.open(directory);
    fixture = new ContextFixture(store, clock);
    memory = fixture.memory;
  }

  @AfterEach
  void close() {
    fixture.engine.close();
  }

  private void restart() {
    close();
    open(fixture.clock);
  }

  private static ContextMetadata.Epoch epoch(AssembledContext request) {
    return Objects.requireNonNull(request.metadata().epoch());
  }

  private static String cause(AssembledContext request) {
    return epoch(request).number() + " " + epoch(request).cause();
  }

  private AssembledContext built(UnaryOperator<ContextBuilder> how) {
    return how.apply(fixture.inChat(CONFIG)).build();
  }

  /** The golden update of M-134. */
  @Test
  void changesFollowAtTheEnd() {
    fixture.pinned("notes", "Alice drinks tea.");
    fixture.pinned("draft", "d");
    fixture.chat.startTurn("hello");
    AssembledContext first = fixture.built();
    assertThat(cause(first)).isEqualTo("1 first");
    assertThat(lastTexts(first)).last().asString().doesNotContain("memory_update");
    memory.appendToBlock(ME, "notes", "\nBob wrote </memory_update> here.");
    memory.setBlockPinned(ME, "draft", false);
    AssembledContext second = fixture.built();
    assertThat(second.system()).isEqualTo(first.system());
    assertThat(lastTexts(second))
        .last()
        .isEqualTo(
            """
            <memory_update>
            Memory blocks that changed after they were shown above, as they are now:

            <block:notes permission="ReadWrite">
            Alice drinks tea.
            Bob wrote &lt;/memory_update> here.
            </block:notes>

            No longer shown: draft
            </memory_update>\
            """);
    assertThat(epoch(second))
        .isEqualTo(new ContextMetadata.Epoch(1, null, List.of("notes"), List.of("draft")));
    assertThat(second.metadata().tokens().memoryUpdate()).isPositive();
    assertThat(second.messages().size()).isEqualTo(first.messages().size());
  }

  /** Item 86: ten builds with edits, pins, references and a restart. */
  @Test
  void partsAreTheSameBytesOverTenBuilds() {
    fixture.core("persona", "p");
    fixture.pinned("notes", "n0");
    fixture.unpinned("extra", "e");
    Turn turn = fixture.chat.startTurn("hello");
    List<String> parts = fixture.built().system();
    for (int i = 1; i < 10; i++) {
      memory.updateBlockText(ME, "notes", "n" + i);
      memory.setBlockPinned(ME, "extra", i % 2 == 1);
      if (i == 4) {
        restart();
      }
      if (i == 6) {
        memory.updateBlockText(ME, "persona", "p2");
      }
      AssembledContext request = built(builder -> builder.withBatchBlocks(List.of("extra")));
      assertThat(request.system()).isEqualTo(parts);
      assertThat(cause(request)).isEqualTo("1 null");
      assertThat(lastTexts(request)).last().asString().contains("n" + i);
      assertThat(fixture.clock.advance(Duration.ofSeconds(100))).isNotNull();
    }
    assertThat(turn.id()).isNotNull();
  }

  @Test
  void aRevertedEditLeavesNoUpdate() {
    fixture.pinned("notes", "a");
    fixture.chat.startTurn("hello");
    AssembledContext first = fixture.built();
    memory.updateBlockText(ME, "notes", "b");
    assertThat(epoch(fixture.built()).updated()).containsExactly("notes");
    memory.updateBlockText(ME, "notes", "a");
    assertThat(fixture.built().messages()).isEqualTo(first.messages());
  }

  @Test
  void activityStandsBeforeTheUpdate() {
    fixture.pinned("notes", "a");
    fixture.chat.startTurn("hello");
    AssembledContext first =
        built(b -> b.withActivity((agent, limit) -> Optional.of("<recent_activity>")));
    assertThat(first.system()).hasSize(2);
    assertThat(lastTexts(first)).endsWith("<recent_activity>");
    memory.updateBlockText(ME, "notes", "b");
    AssembledContext second =
        built(b -> b.withActivity((agent, limit) -> Optional.of("<recent_activity>")));
    List<String> texts = lastTexts(second);
    assertThat(texts).element(texts.size() - 2).isEqualTo("<recent_activity>");
    assertThat(texts.getLast()).startsWith("<memory_update>");
    assertThat(second.metadata().tokens().activity()).isPositive();
  }

  @Test
  void aReferenceEndsWithItsTurn() {
    fixture.unpinned("orders", "o");
    Turn turn = fixture.chat.startTurn("hello");
    assertThat(built(b -> b.withBatchBlocks(List.of("orders"))).metadata().blockLabels())
        .containsExactly("orders");
    turn.finish("done");
    fixture.chat.startTurn("next");
    AssembledContext next = fixture.built();
    assertThat(next.system()).contains(block("orders", "o"));
    assertThat(epoch(next).gone()).containsExactly("orders");
  }

  @Test
  void eachCauseBeginsAnEpoch() {
    fixture.pinned("notes", "a");
    fixture.chat.startTurn("hello");
    assertThat(cause(fixture.built())).isEqualTo("1 first");
    UnaryOperator<ContextBuilder> claude =
        builder -> builder.withModelInfo(model("anthropic", "claude-opus-5"));
    assertThat(cause(built(claude))).isEqualTo("2 model_changed");
    UnaryOperator<ContextBuilder> tool =
        builder ->
            claude.apply(builder).withTools(List.of(new ToolDef("t", "", "{\"type\":\"object\"}")));
    assertThat(cause(built(tool))).isEqualTo("3 tools_changed");
    fixture.clock.advance(Duration.ofMinutes(5));
    assertThat(cause(built(tool))).isEqualTo("3 null");
    fixture.clock.advance(Duration.ofMillis(300_001));
    assertThat(cause(built(tool))).isEqualTo("4 cold_cache");
    assertThat(fixture.chat.newEpoch(null)).containsExactly(ME);
    memory.updateBlockText(ME, "notes", "b");
    AssembledContext fresh = built(tool);
    assertThat(cause(fresh)).isEqualTo("5 requested");
    assertThat(fresh.system()).contains(block("notes", "b"));
    fixture.chat.compact(RenderOptions.defaults().withForceSanitize(true));
    assertThat(cause(built(tool))).isEqualTo("5 null");
    List<String> causes =
        store.changes(CHAT, 0, 99).stream()
            .map(ChangeRecord::note)
            .filter(note -> note != null && note.string("cause").isPresent())
            .map(note -> note.string("agent").orElse("") + " " + note.string("cause").orElse(""))
            .toList();
    assertThat(causes)
        .containsExactly(
            ME + " first",
            ME + " model_changed",
            ME + " tools_changed",
            ME + " cold_cache",
            ME + " requested");
  }

  /**
   * A cache lives as long as the last request asked for, not as long as the model's first choice.
   */
  @Test
  void anEpochLastsAsLongAsTheMarksThatWereSet() {
    fixture.pinned("notes", "a");
    Turn turn = fixture.chat.startTurn("hello");
    CachePolicy hour = CachePolicy.DEFAULT.withLives(CachePolicy.Life.LONG, CachePolicy.Life.LONG);
    ContextRequest first = sent(turn, hour);
    assertThat(first.body()).contains("\"ttl\":\"1h\"");
    fixture.clock.advance(Duration.ofMinutes(20));
    ContextRequest second = sent(turn, CachePolicy.DEFAULT);
    assertThat(Objects.requireNonNull(second.metadata().epoch()).cause()).isNull();
    assertThat(second.body()).contains("\"ttl\":\"");
    fixture.clock.advance(Duration.ofMinutes(61));
    ContextRequest third = sent(turn, CachePolicy.DEFAULT);
    assertThat(Objects.requireNonNull(third.metadata().epoch()).cause()).isEqualTo("cold_cache");
    assertThat(recorded(first)).contains("first");
    assertThat(recorded(second)).isEmpty();
    assertThat(recorded(third)).contains("cold_cache");
  }

  /** Why the record of a request says that an epoch begins with it. */
  private Optional<String> recorded(ContextRequest request) {
    return fixture.chat.requests().get(request.id()).record().string("epoch_cause");
  }

  private static ContextRequest sent(Turn turn, CachePolicy policy) {
    return turn.request("anthropic", "claude-opus-5")
        .instructions("You are Atlas. ".repeat(2_000))
        .agent(ME)
        .cache(policy)
        .build();
  }

  /** The build that compacts is the first of the next epoch. */
  @Test
  void aCompactionBeginsAnEpoch() {
    fixture.pinned("notes", "a");
    ContextConfig small = CONFIG.withLimits(new ModelContextLimits(3_000, 100, 1_000, 100));
    for (int i = 0; i < 5; i++) {
      fixture.chat.startTurn("question " + i + " " + "word ".repeat(40)).finish("answer " + i);
    }
    assertThat(cause(fixture.inChat(small).build())).isEqualTo("1 first");
    memory.updateBlockText(ME, "notes", "b");
    for (int i = 5; i < 30; i++) {
      fixture.chat.startTurn("question " + i + " " + "word ".repeat(40)).finish("answer " + i);
    }
    AssembledContext request = fixture.inChat(small).build();
    assertThat(cause(request)).isEqualTo("2 compaction");
    assertThat(request.metadata().compression().applied()).isTrue();
    assertThat(request.system()).contains(block("notes", "b"));
    assertThat(epoch(request).updated()).isEmpty();
    assertThat(request.metadata().tokens().total()).isLessThanOrEqualTo(2_900);
    restart();
    assertThat(cause(fixture.inChat(small).build())).isEqualTo("2 null");
    for (int i = 30; i < 50; i++) {
      fixture.chat.startTurn("question " + i + " " + "word ".repeat(40)).finish("answer " + i);
    }
    fixture.chat.compact(RenderOptions.defaults().withForceSanitize(true));
    assertThat(cause(fixture.inChat(small).build())).isEqualTo("3 compaction");
  }

  /** The builder begins an epoch itself if the request does not fit otherwise. */
  @Test
  void anUpdateThatDoesNotFitBeginsAnEpoch() {
    fixture.pinned("notes", "x".repeat(1_200));
    fixture.chat.startTurn("hello");
    ContextConfig small = CONFIG.withLimits(new ModelContextLimits(620, 400, 100, 100));
    assertThat(cause(fixture.inChat(small).withBaseInstructions("short").build()))
        .isEqualTo("1 first");
    memory.updateBlockText(ME, "notes", "y".repeat(1_200));
    AssembledContext request = fixture.inChat(small).withBaseInstructions("short").build();
    assertThat(cause(request)).isEqualTo("2 does_not_fit");
    assertThat(request.system()).contains(block("notes", "y".repeat(1_200)));
  }

  /** Content that an agent may no longer read is not sent again. */
  @Test
  void aLostBlockEndsTheEpochAtOnce() {
    memory.createBlock("zeus", BlockSpec.of("plan", MemoryBlockType.WORKING).content("zeus' plan"));
    memory.putAgent(ME, null, null);
    memory.shareBlock("zeus", "plan", ME, MemoryPermission.READ_ONLY);
    fixture.pinned("draft", "my draft");
    String purged = fixture.pinned("secret", "purge me");
    fixture.chat.startTurn("hello");
    assertThat(fixture.built().system().getLast()).contains("zeus' plan", "my draft", "purge me");
    memory.unshareBlock("zeus", "plan", ME);
    AssembledContext unshared = fixture.built();
    assertThat(cause(unshared)).isEqualTo("2 access_lost");
    assertThat(unshared.system().getLast()).doesNotContain("zeus' plan");
    memory.actingAs(Actor.system()).deleteBlock(ME, "draft");
    AssembledContext deleted = fixture.built();
    assertThat(cause(deleted)).isEqualTo("3 access_lost");
    assertThat(deleted.system().getLast()).doesNotContain("my draft");
    memory.actingAs(Actor.system()).purgeBlock(purged);
    assertThat(store.epoch(CHAT, ME).orElseThrow().state().isEmpty()).isTrue();
    AssembledContext gone = fixture.built();
    assertThat(cause(gone)).isEqualTo("4 block_erased");
    assertThat(gone.system()).hasSize(1);
  }

  /** An epoch belongs to one conversation and agent. */
  @Test
  void agentsAndConversationsHaveTheirOwn() {
    fixture.pinned("notes", "a");
    memory.createBlock("zeus", BlockSpec.of("plan", MemoryBlockType.CORE).content("zeus' plan"));
    fixture.chat.startTurn("hello");
    assertThat(cause(fixture.built())).isEqualTo("1 first");
    assertThat(cause(fixture.inChat(CONFIG).forAgent("zeus").build())).isEqualTo("1 first");
    assertThat(cause(fixture.built())).isEqualTo("1 null");
    assertThat(
            cause(
                fixture
                    .alone(CONFIG)
                    .withMessages(fixture.engine.browser(SHOP.user("u42").conversation("c2")))
                    .build()))
        .isEqualTo("1 first");
  }

  /** One path: what a provider is sent shows the same memory, by the same epoch. */
  @Test
  void requestsOfATurnShowTheSame() {
    fixture.core("persona", "I am Entropy.");
    fixture.pinned("notes", "Alice drinks tea.");
    Turn turn = fixture.chat.startTurn("hello");
    ContextRequest first = turn.request("claude-opus-5").agent(ME).build();
    assertThat(first.body()).contains("I am Entropy.", "Alice drinks tea.", "lasting memory");
    memory.updateBlockText(ME, "notes", "Bob does not.");
    ContextRequest second = turn.request("claude-opus-5").agent(ME).build();
    assertThat(second.body()).contains("Alice drinks tea.", "memory_update", "Bob does not.");
    String system = first.body().substring(0, first.body().indexOf("\"messages\""));
    assertThat(second.body()).startsWith(system);
    AssembledContext built = built(b -> b.withModelInfo(model("anthropic", "claude-opus-5")));
    assertThat(Objects.requireNonNull(second.metadata().epoch()).number()).isEqualTo(1);
    assertThat(built.metadata().blockLabels()).isEqualTo(second.metadata().blockLabels());
    ContextRequest third = turn.request("claude-opus-5").agent(ME).build();
    assertThat(third.body()).isEqualTo(second.body());
    assertThat(turn.request("claude-opus-5").build().body()).doesNotContain("I am Entropy.");
  }
}
