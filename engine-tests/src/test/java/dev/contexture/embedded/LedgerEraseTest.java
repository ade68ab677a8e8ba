package dev.contexture.embedded;

import static dev.contexture.embedded.ContextFixture.ME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.ContextBrowser;
import dev.contexture.ContextRequest;
import dev.contexture.Contexture;
import dev.contexture.Turn;
import dev.contexture.block.Author;
import dev.contexture.block.Block;
import dev.contexture.block.BlockType;
import dev.contexture.engine.session.IdGenerator;
import dev.contexture.error.ContextureException;
import dev.contexture.json.JsonObject;
import dev.contexture.memory.permission.Actor;
import dev.contexture.prompt.ActivityRenderer;
import dev.contexture.prompt.ContextConfig;
import dev.contexture.prompt.MemoryRefresh;
import dev.contexture.request.LedgerSettings;
import dev.contexture.request.Prefix;
import dev.contexture.store.sqlite.SqliteStore;
import dev.contexture.testkit.FakeClock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** DESIGN, rule 1, and M-58: what was sent of a purged block is in no file any more. */
class LedgerEraseTest {
  private static final String SECRET = "the-secret-of-the-purged-block";

  @TempDir Path directory;
  private ContextFixture fixture;

  @BeforeEach
  void open() {
    fixture = new ContextFixture(SqliteStore.open(directory), FakeClock.atStart());
  }

  @AfterEach
  void close() {
    fixture.engine.close();
  }

  private ContextRequest request(Turn turn, ContextConfig config, ActivityRenderer activity) {
    return turn.request("anthropic", "claude-opus-5")
        .instructions("You are Atlas. ".repeat(300))
        .agent(ME)
        .config(config)
        .activity(activity)
        .prefixCheck(LedgerSettings.Mode.WARN)
        .build();
  }

  private ContextRequest request(Turn turn) {
    return request(turn, ContextConfig.DEFAULT, (agent, limit) -> Optional.empty());
  }

  private void purge(String id) {
    fixture.memory.actingAs(Actor.system()).purgeBlock(id);
  }

  private List<String> filesWithSecret() throws IOException {
    List<String> hits = new ArrayList<>();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (Files.readString(file, StandardCharsets.ISO_8859_1).contains(SECRET)) {
          hits.add(file.getFileName().toString());
        }
      }
    }
    return hits;
  }

  private List<Boolean> bodies() {
    return fixture.chat.requests().list(null, 100).reversed().stream()
        .map(row -> !row.sent().isEmpty())
        .toList();
  }

  @Test
  void bodiesThatHoldAPurgedBlockGoAndOthersStay() throws IOException {
    Turn turn = fixture.chat.startTurn("hello");
    ContextRequest before = request(turn);
    String secret = fixture.pinned("secret", SECRET);
    ContextRequest shown = request(turn);
    assertThat(shown.body()).contains(SECRET);
    assertThat(filesWithSecret()).isNotEmpty();
    purge(secret);
    assertThat(filesWithSecret()).isEmpty();
    assertThat(bodies()).containsExactly(true, false);
    assertThat(fixture.chat.requests().body(before.id())).isEqualTo(before.body());
    assertThatThrownBy(() -> fixture.chat.requests().body(shown.id()))
        .isInstanceOf(ContextureException.class)
        .hasMessageContaining("kept");
    assertThat(fixture.chat.requests().get(shown.id()).record().string("model"))
        .contains("claude-opus-5");
    ContextRequest after = request(turn);
    assertThat(after.body()).doesNotContain(SECRET);
    assertThat(fixture.chat.requests().body(after.id())).isEqualTo(after.body());
    assertThat(filesWithSecret()).isEmpty();
  }

  /** A later request shares the chunk in which the block was told at the end of an earlier one. */
  @Test
  void aChunkThatHeldItAsAnUpdateGoes() throws IOException {
    Turn turn = fixture.chat.startTurn("hello");
    request(turn);
    String secret = fixture.pinned("secret", SECRET);
    request(turn);
    fixture.memory.setBlockPinned(ME, "secret", false);
    turn.contribute(Block.builder(BlockType.REACT_NOTES).author(Author.REACT).text("A note."));
    assertThat(request(turn).body()).doesNotContain(SECRET);
    purge(secret);
    assertThat(filesWithSecret()).isEmpty();
    ContextRequest after = request(turn);
    assertThat(fixture.chat.requests().body(after.id())).isEqualTo(after.body());
  }

  /** A report says what was there before, in a record that does not show it. */
  @Test
  void aReportThatQuotesItGoes() throws IOException {
    ContextConfig anew = ContextConfig.DEFAULT.withRefresh(MemoryRefresh.EVERY_BUILD);
    Turn turn = fixture.chat.startTurn("hello");
    String secret = fixture.pinned("secret", SECRET);
    request(turn, anew, (agent, limit) -> Optional.empty());
    fixture.memory.setBlockPinned(ME, "secret", false);
    ContextRequest other = request(turn, anew, (agent, limit) -> Optional.empty());
    assertThat(other.prefix()).isInstanceOf(Prefix.Diverges.class);
    purge(secret);
    assertThat(filesWithSecret()).isEmpty();
  }

  /** It is purged after it was read for the request, and before that is kept. */
  @Test
  void aPurgeWhileARequestIsBuiltWins() throws IOException {
    for (MemoryRefresh refresh : MemoryRefresh.values()) {
      ContextConfig config = ContextConfig.DEFAULT.withRefresh(refresh);
      String secret = fixture.pinned("secret", SECRET);
      fixture.pinned("notes-" + refresh, "Alice drinks tea.");
      Turn turn = fixture.chat.startTurn("hello");
      AtomicBoolean purged = new AtomicBoolean();
      ContextRequest built =
          request(
              turn,
              config,
              (agent, limit) -> {
                if (!purged.getAndSet(true)) {
                  purge(secret);
                }
                return Optional.empty();
              });
      assertThat(built.body()).contains("Alice drinks tea.").doesNotContain(SECRET);
      assertThat(filesWithSecret()).isEmpty();
      turn.finish("done");
    }
  }

  /** The answer comes after the purge: usage is kept, what was sent is not. */
  @Test
  void anAnswerBringsNothingBack() throws IOException {
    String secret = fixture.pinned("secret", SECRET);
    Turn turn = fixture.chat.startTurn("hello");
    ContextRequest sent = request(turn);
    purge(secret);
    turn.record(
        sent,
        """
        {"content":[{"type":"text","text":"Hi."}],"stop_reason":"end_turn","usage":\
        {"input_tokens":2000,"output_tokens":2}}\
        """);
    JsonObject record = fixture.chat.requests().get(sent.id()).record();
    assertThat(record.has("usage")).isTrue();
    assertThat(bodies()).containsExactly(false);
    assertThat(filesWithSecret()).isEmpty();
  }

  /** Another process knows that there was something before, not what. */
  @Test
  void theNextRequestAfterARestartIsRebased() {
    String secret = fixture.pinned("secret", SECRET);
    Turn turn = fixture.chat.startTurn("hello");
    request(turn);
    purge(secret);
    close();
    fixture = new ContextFixture(SqliteStore.open(directory), fixture.clock);
    assertThat(request(fixture.chat.openTurn()).prefix())
        .isEqualTo(new Prefix.Rebased(Prefix.Rebased.Reason.ERASED));
  }

  /** A turn that is erased while a request is built is not in the record of that request. */
  @Test
  void aTurnErasedMeanwhileIsNotKept() throws IOException {
    close();
    AtomicReference<@Nullable Runnable> meanwhile = new AtomicReference<>();
    Random random =
        new Random(7) {
          @Override
          public void nextBytes(byte[] bytes) { // ids are made between building and keeping
            Runnable once = meanwhile.getAndSet(null);
            if (once != null) {
              once.run();
            }
            super.nextBytes(bytes);
          }
        };
    try (Contexture engine =
        Contexture.builder(SqliteStore.open(directory))
            .clock(fixture.clock)
            .ids(new IdGenerator(random))
            .providers(ContextFixture.PROVIDERS)
            .build()) {
      ContextBrowser chat = engine.browser(ContextFixture.SHOP.user("u42").conversation("c2"));
      Turn old = chat.startTurn("Remember " + SECRET);
      old.finish("done");
      Turn turn = chat.startTurn("hello");
      meanwhile.set(() -> chat.eraseTurn(old.id()));
      ContextRequest built = turn.request("anthropic", "claude-opus-5").build();
      assertThat(meanwhile.get()).isNull();
      assertThat(built.body()).contains("hello").doesNotContain(SECRET);
      assertThat(filesWithSecret()).isEmpty();
      assertThat(chat.requests().list(null, 9)).hasSize(1);
    }
  }
}
