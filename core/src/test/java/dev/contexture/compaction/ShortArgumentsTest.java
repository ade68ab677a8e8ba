package dev.contexture.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.model.ModelRef;
import dev.contexture.render.Message;
import dev.contexture.render.RenderOptions;
import dev.contexture.render.Renderer;
import dev.contexture.timeline.Chat;
import dev.contexture.timeline.Timeline;
import dev.contexture.timeline.Visibility;
import dev.contexture.view.Dialect;
import dev.contexture.view.Part;
import dev.contexture.view.Reader;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls whose arguments alone are too large for the budget. */
class ShortArgumentsTest {
  private static final Instant NOW = Instant.parse("2026-03-01T00:00:00Z");
  private static final String FILE = "a line of the file that is written\\n".repeat(6_000);
  private static final long MAX = 16_000;
  private static final Reader NOBODYS =
      new Reader(new ModelRef("openai_chat", "gpt-5.6-terra"), Set.of(), false);

  private static Chat started() {
    return new Chat().activeTurn("t1").prompt("write it").notes("a", "I write the file now.");
  }

  private static Chat written(Chat chat, String content) {
    return chat.call("a", "write_file", "{\"path\":\"a.txt\",\"content\":\"" + content + "\"}")
        .result("a", "ok");
  }

  private static RenderOptions options(Dialect dialect) {
    return RenderOptions.defaults().withDialect(dialect).withMaxTokens(MAX);
  }

  private static CompactionOutcome compacted(Timeline timeline, RenderOptions options) {
    return new Renderer()
        .compactor(timeline, options)
        .compact(timeline, new ExtractiveSummarizer(), "su_1", NOW);
  }

  private static Part.ToolCall call(Timeline timeline, RenderOptions options) {
    for (Message message : new Renderer().render(timeline, options).messages()) {
      for (Part part : message.parts()) {
        if (part instanceof Part.ToolCall call) {
          return call;
        }
      }
    }
    throw new AssertionError("no call is shown");
  }

  @ParameterizedTest
  @EnumSource(Dialect.class)
  void areShortenedBehindTheirFirstCharactersWhereNothingElseFits(Dialect dialect) {
    Timeline timeline = written(started(), FILE).timeline();
    CompactionOutcome outcome = compacted(timeline, options(dialect));
    assertThat(outcome.previews())
        .extracting(Visibility::reason)
        .containsExactly(Visibility.Reason.ARGUMENTS);
    Timeline after = outcome.applyTo(timeline);
    var rendered = new Renderer().render(after, options(dialect));
    assertThat(rendered.report().overLimit()).isFalse();
    assertThat(rendered.messages().toString()).contains("I write the file now.", "a.txt");
    JsonObject shown =
        (JsonObject) JsonValue.parse(call(after, options(Dialect.NATIVE)).arguments());
    String content = shown.string("content").orElseThrow();
    assertThat(shown.string("path")).contains("a.txt");
    assertThat(content).startsWith("a line of the file").endsWith("react.read tc:t1.tc_a.call]");
    assertThat(content.indexOf("… [")).isEqualTo(200);
    assertThat(content).contains("… [" + (6_000 * 35 - 200) + " more characters;");
  }

  @Test
  void areWholeForALargerBudget() {
    Timeline timeline = written(started(), FILE).timeline();
    Timeline after = compacted(timeline, options(Dialect.NATIVE)).applyTo(timeline);
    RenderOptions larger = RenderOptions.defaults().withDialect(Dialect.NATIVE);
    assertThat(call(after, larger)).isEqualTo(call(timeline, larger));
    assertThat(call(after, larger.withMaxTokens(MAX + 1))).isEqualTo(call(timeline, larger));
  }

  @Test
  void areDecidedOnce() {
    Timeline timeline = written(started(), FILE).timeline();
    Timeline after = compacted(timeline, options(Dialect.NATIVE)).applyTo(timeline);
    CompactionOutcome again = compacted(after, options(Dialect.NATIVE));
    assertThat(again.changes()).isFalse();
  }

  @Test
  void stayWholeUpToAQuarterOfTheBudget() {
    Chat chat = started();
    for (int i = 0; i < 6; i++) {
      String content = "a line of the file that is written\\n".repeat(400);
      chat.call("c" + i, "write_file", "{\"content\":\"" + content + "\"}").result("c" + i, "ok");
    }
    Timeline timeline = chat.timeline();
    assertThat(compacted(timeline, options(Dialect.NATIVE)).previews())
        .extracting(Visibility::reason)
        .doesNotContain(Visibility.Reason.ARGUMENTS);
  }

  @Test
  void stayWholeInAnAnswerWhoseThinkingIsSent() {
    Timeline timeline =
        written(started().opaque("a", "{\"type\":\"thinking\",\"signature\":\"x\"}"), FILE)
            .timeline();
    RenderOptions maker = options(Dialect.NATIVE);
    RenderOptions other = maker.withReader(NOBODYS);
    assertThat(compacted(timeline, maker).previews()).isEmpty();
    CompactionOutcome forOthers = compacted(timeline, other);
    assertThat(forOthers.previews()).hasSize(1);
    Timeline after = forOthers.applyTo(timeline);
    assertThat(call(after, other).arguments()).contains("more characters;");
    assertThat(call(after, maker)).isEqualTo(call(timeline, maker));
  }

  @Test
  void textThatIsNoJsonIsShortenedToo() {
    Timeline timeline =
        new Chat()
            .activeTurn("t1")
            .prompt("go")
            .add(
                Block.builder(BlockType.REACT_TOOL_CALL)
                    .toolCallId("tc_a")
                    .path(BlockPath.parse("tc:t1.tc_a.call"))
                    .text("{\"broken\": " + "x ".repeat(60_000)))
            .result("a", "no")
            .timeline();
    Timeline after = compacted(timeline, options(Dialect.NATIVE)).applyTo(timeline);
    assertThat(JsonValue.parse(call(after, options(Dialect.NATIVE)).arguments()).toJson())
        .startsWith("{\"_raw\":\"{\\\"broken\\\": x x")
        .contains("more characters;");
    assertThat(List.of(compacted(after, options(Dialect.NATIVE)).changes())).containsOnly(false);
  }
}
