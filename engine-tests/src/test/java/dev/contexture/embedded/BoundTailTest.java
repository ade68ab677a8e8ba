package dev.contexture.embedded;

import static dev.contexture.embedded.ContextFixture.ME;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.ContextRequest;
import dev.contexture.RequestBuilder;
import dev.contexture.Turn;
import dev.contexture.engine.memory.BlockSpec;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.permission.Actor;
import dev.contexture.memory.permission.MemoryPermission;
import dev.contexture.memory.schema.MemoryBlockType;
import dev.contexture.prompt.MemoryUpdate;
import dev.contexture.request.LedgerSettings;
import dev.contexture.request.Prefix;
import dev.contexture.request.ToolDef;
import dev.contexture.store.sqlite.SqliteStore;
import dev.contexture.testkit.FakeClock;
import dev.contexture.timeline.PoolSource;
import dev.contexture.turn.Reply;
import dev.contexture.turn.ToolCall;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** P-19: where thinking is bound to what stood before it, a tail that was sent stays. */
class BoundTailTest {
  private static final List<ToolDef> TOOLS =
      List.of(new ToolDef("look", "looks", "{\"type\":\"object\"}"));

  @TempDir Path directory;
  private ContextFixture fixture;
  private Turn turn;
  private int answers;

  @BeforeEach
  void open() {
    fixture = new ContextFixture(SqliteStore.open(directory), FakeClock.atStart());
    fixture.pinned("notes", "Alice drinks tea.");
    turn = fixture.chat.startTurn("hello");
  }

  @AfterEach
  void close() {
    fixture.engine.close();
  }

  private RequestBuilder asked(String model) {
    return turn.request(model).agent(ME).tools(TOOLS).prefixCheck(LedgerSettings.Mode.STRICT);
  }

  /** Records an answer with a call, and the call's result. */
  private void answer(ContextRequest request, boolean thinks) {
    String id = "toolu_" + ++answers;
    String thinking =
        thinks
            ? "{\"type\":\"thinking\",\"thinking\":\"t" + answers + "\",\"signature\":\"s\"},"
            : "";
    Reply reply =
        turn.record(
            request,
            "{\"id\":\"m\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\""
                + request.target().model().model()
                + "\",\"content\":["
                + thinking
                + "{\"type\":\"tool_use\",\"id\":\""
                + id
                + "\",\"name\":\"look\",\"input\":{}}],\"stop_reason\":\"tool_use\",\"usage\":"
                + "{\"input_tokens\":1,\"output_tokens\":1}}");
    for (ToolCall call : reply.calls()) {
      turn.answer(call, "seen " + answers);
    }
  }

  private static int count(String body, String text) {
    String quoted = JsonValue.of(text).toJson();
    return body.split(java.util.regex.Pattern.quote(quoted.substring(1, quoted.length() - 1)), -1)
            .length
        - 1;
  }

  @ParameterizedTest
  @ValueSource(strings = {"claude-fable-5-1", "claude-opus-5"})
  void staysWhereThinkingFollowed(String model) {
    answer(asked(model).build(), true);
    fixture.memory.appendToBlock(ME, "notes", " And coffee.");
    ContextRequest changed = asked(model).build();
    assertThat(count(changed.body(), "<memory_update>")).isEqualTo(1);
    answer(changed, true);

    ContextRequest next = asked(model).build();
    assertThat(next.prefix()).isEqualTo(new Prefix.Extends());
    assertThat(next.request().repairs()).isEmpty();
    assertThat(count(next.body(), "<memory_update>")).as("said once").isEqualTo(1);
    assertThat(next.body().indexOf("memory_update")).isLessThan(next.body().indexOf("\"t2\""));
    answer(next, true);

    fixture.memory.appendToBlock(ME, "notes", " And milk.");
    ContextRequest later = asked(model).build();
    assertThat(later.prefix()).isEqualTo(new Prefix.Extends());
    assertThat(count(later.body(), "<memory_update>")).isEqualTo(2);
    answer(later, true);

    fixture.memory.updateBlockText(ME, "notes", "Alice drinks tea.");
    ContextRequest back = asked(model).build();
    assertThat(count(back.body(), MemoryUpdate.REVOKED)).isEqualTo(1);
    assertThat(back.prefix()).isEqualTo(new Prefix.Extends());
    answer(back, true);
    assertThat(count(asked(model).build().body(), MemoryUpdate.REVOKED)).isEqualTo(1);
  }

  /** What an agent was told about its memory is not for another one. */
  @Test
  void isForTheAgentThatWasTold() {
    String model = "claude-fable-5-1";
    answer(asked(model).build(), true);
    fixture.memory.appendToBlock(ME, "notes", " And coffee.");
    answer(asked(model).build(), true);
    String other = turn.request(model).agent("zeus").tools(TOOLS).build().body();
    assertThat(other).contains("seen 2").doesNotContain("coffee", "memory_update");
    String nobody = turn.request(model).tools(TOOLS).build().body();
    assertThat(nobody).contains("seen 2").doesNotContain("coffee", "memory_update");
    ContextRequest mine = asked(model).build();
    assertThat(mine.body()).contains("And coffee.").doesNotContain("earlier updates do not hold");
    assertThat(mine.prefix()).isEqualTo(new Prefix.Extends());
  }

  @Test
  void goesWhereNobodyThought() {
    answer(asked("claude-opus-5").build(), false);
    fixture.memory.appendToBlock(ME, "notes", " And coffee.");
    answer(asked("claude-opus-5").build(), false);
    ContextRequest next = asked("claude-opus-5").build();
    assertThat(count(next.body(), "<memory_update>")).isEqualTo(1);
    assertThat(next.body().indexOf("memory_update")).isGreaterThan(next.body().indexOf("seen 2"));
  }

  @Test
  void holdsForSources() {
    fixture.chat.setSourcesPool(
        List.of(PoolSource.read(JsonObject.builder().put("title", "T").put("text", "x").build())));
    answer(asked("claude-fable-5-1").includeSources(true).build(), true);
    ContextRequest next = asked("claude-fable-5-1").includeSources(true).build();
    assertThat(next.prefix()).isEqualTo(new Prefix.Extends());
    assertThat(count(next.body(), "[SOURCES POOL]")).isEqualTo(1);
  }

  private static final String SECRET = "TOPSECRETKEY=42";

  /** Zeus shares a block, entropy is told what it says now, and answers with thinking. */
  private String toldOfASharedSecret() {
    fixture.memory.putAgent(ME, null, null);
    String id =
        fixture.memory.createBlock(
            "zeus", BlockSpec.of("sh", MemoryBlockType.CORE).content("nothing yet"));
    fixture.memory.shareBlock("zeus", "sh", ME, MemoryPermission.READ_ONLY);
    answer(asked("claude-opus-5").build(), true);
    fixture.memory.updateBlockText("zeus", "sh", SECRET);
    ContextRequest told = asked("claude-opus-5").build();
    assertThat(told.body()).contains(SECRET);
    answer(told, true);
    assertThat(asked("claude-opus-5").build().body()).contains(SECRET);
    return id;
  }

  /** M-130: content that an agent may no longer read is never sent again. */
  @Test
  void isNotSentAgainAfterItsMemoryWasUnshared() {
    toldOfASharedSecret();
    fixture.memory.unshareBlock("zeus", "sh", ME);
    ContextRequest next = asked("claude-opus-5").build();
    assertThat(next.body()).contains("seen 2").doesNotContain(SECRET);
    assertThat(Objects.requireNonNull(next.metadata().epoch()).cause()).isEqualTo("access_lost");
    answer(next, true);
    ContextRequest later = asked("claude-opus-5").build();
    assertThat(later.body()).doesNotContain(SECRET);
    assertThat(later.prefix()).isEqualTo(new Prefix.Extends());
    fixture.memory.shareBlock("zeus", "sh", ME, MemoryPermission.READ_ONLY);
    assertThat(asked("claude-opus-5").build().body()).as("it may be read again").contains(SECRET);
  }

  @Test
  void isNotSentAgainAfterItsMemoryWasDeleted() {
    toldOfASharedSecret();
    fixture.memory.actingAs(Actor.system()).deleteBlock("zeus", "sh");
    for (int i = 0; i < 3; i++) {
      ContextRequest next = asked("claude-opus-5").build();
      assertThat(next.body()).contains("seen 2").doesNotContain(SECRET);
      answer(next, true);
    }
  }

  /** M-58: a purge reaches the conversation that repeats it, and the files. */
  @Test
  void goesWithItsMemory() throws IOException {
    String id = toldOfASharedSecret();
    fixture.memory.actingAs(Actor.system()).purgeBlock(id);
    ContextRequest next = asked("claude-opus-5").build();
    assertThat(next.body()).contains("seen 2").doesNotContain(SECRET);
    answer(next, true);
    assertThat(asked("claude-opus-5").build().body()).doesNotContain(SECRET);
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
            .as(file.toString())
            .doesNotContain(SECRET);
      }
    }
  }
}
