package dev.contexture.embedded;

import static dev.contexture.embedded.ContextFixture.ME;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.ContextRequest;
import dev.contexture.RequestBuilder;
import dev.contexture.Turn;
import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.compaction.CompactionPolicy;
import dev.contexture.compaction.CompressionStrategy;
import dev.contexture.engine.ledger.RequestDifference;
import dev.contexture.engine.memory.BlockSpec;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonText;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.schema.MemoryBlockType;
import dev.contexture.prompt.ContextConfig;
import dev.contexture.prompt.ModelContextLimits;
import dev.contexture.prompt.Omission;
import dev.contexture.request.LedgerBlock;
import dev.contexture.request.LedgerSettings;
import dev.contexture.request.ToolDef;
import dev.contexture.store.StoredBlock;
import dev.contexture.store.sqlite.InMemoryStore;
import dev.contexture.testkit.FakeClock;
import dev.contexture.timeline.PoolSource;
import dev.contexture.timeline.Summary;
import dev.contexture.timeline.TurnLimit;
import dev.contexture.token.TokenCounter;
import dev.contexture.token.TokenMeter;
import dev.contexture.turn.Reply;
import dev.contexture.turn.ToolCall;
import dev.contexture.turn.TurnStart;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * Tokens are counted once, and nothing is silent: what metadata, ledger and a count of the body say
 * is the same number, and every stored block is in the body, stands behind the summary, or is
 * reported with its reason.
 */
class RequestAccountProperties {
  private static final Map<String, String> MODELS =
      Map.of(
          "anthropic", "claude-opus-5",
          "openai_chat", "gpt-5.6-terra",
          "openai_responses", "gpt-5.6-terra",
          "gemini", "gemini-3.5-flash");
  private static final List<ToolDef> TOOLS =
      List.of(
          new ToolDef("look", "looks at something", "{\"type\":\"object\"}"),
          new ToolDef("ask", "asks for \"it\"", "{\"type\":\"object\",\"properties\":{}}"));
  private static final Pattern MARKER = Pattern.compile("mk[0-9]+x");

  @Property(tries = 80)
  void everythingIsCountedOnceAndAccountedFor(@ForAll long seed) {
    new Run(seed).run();
  }

  /** One random conversation. */
  private static final class Run {
    private final Random random;
    private final ContextFixture fixture;
    private final ContextConfig config;
    private final boolean thinks;
    private int marks;
    private int answers;

    Run(long seed) {
      random = new Random(seed);
      fixture = new ContextFixture(new InMemoryStore(), FakeClock.atStart());
      thinks = random.nextBoolean();
      config =
          ContextConfig.DEFAULT
              .withLimits(
                  random.nextBoolean()
                      ? ModelContextLimits.DEFAULT
                      : new ModelContextLimits(2_500 + random.nextInt(4_000), 400, 900, 300))
              .withStrategy(
                  switch (random.nextInt(3)) {
                    case 0 -> new CompressionStrategy.Truncate(4 + random.nextInt(6));
                    case 1 -> new CompressionStrategy.Compaction(CompactionPolicy.ECONOMICAL);
                    default -> CompressionStrategy.DEFAULT;
                  });
    }

    void run() {
      fixture.memory.createBlock(
          ME,
          BlockSpec.of("notes", MemoryBlockType.WORKING).content("Alice drinks tea.").pinned(true));
      for (int turn = 0; turn < 1 + random.nextInt(4); turn++) {
        TurnStart start = TurnStart.prompt(text());
        if (random.nextInt(4) == 0) {
          start.turnLimit(new TurnLimit(OptionalInt.of(random.nextInt(3)), OptionalInt.empty()));
        }
        Turn open = fixture.chat.startTurn(start);
        for (int i = random.nextInt(5); i > 0; i--) {
          step(open);
        }
        for (Map.Entry<String, String> model : MODELS.entrySet()) {
          ask(open, model.getKey(), model.getValue());
        }
        close(open);
        fixture.clock.advance(Duration.ofSeconds(random.nextInt(200)));
      }
    }

    private void close(Turn open) {
      switch (random.nextInt(6)) {
        case 0 -> open.abort("wrong");
        case 1 -> open.interrupt("because");
        default -> open.finish(text());
      }
    }

    private String text() {
      return "mk" + marks++ + "x " + "word ".repeat(random.nextInt(8) == 0 ? 400 : 10) + "end";
    }

    private void step(Turn turn) {
      switch (random.nextInt(8)) {
        case 0 -> turn.contribute(Block.builder(BlockType.REACT_NOTE).text(text()));
        case 1 -> {
          turn.contribute(
              Block.builder(BlockType.REACT_TOOL_RESULT)
                  .toolCallId("tc_late" + marks)
                  .text(text()));
        }
        case 2 -> fixture.memory.updateBlockText(ME, "notes", "Alice drinks " + marks + " cups.");
        case 3 ->
            fixture.chat.setSourcesPool(
                List.of(
                    PoolSource.read(
                        JsonObject.builder().put("title", "T" + marks).put("text", "x").build())));
        case 4 -> {
          BlockPath path = BlockPath.parse("ar:" + turn.id().value() + ".user.prompt");
          turn.hide(path, random.nextBoolean() ? "" : "hidden here");
        }
        default -> answered(turn);
      }
    }

    /** An answer with thinking, a text and a call, and the call's result. */
    private void answered(Turn turn) {
      ContextRequest request;
      try {
        request = request(turn, "anthropic", "claude-opus-5").build();
      } catch (ContextureException refused) {
        assertThat(refused.code()).isEqualTo(ErrorCode.BUDGET_TOO_SMALL);
        return;
      }
      answers++;
      String thinking =
          thinks
              ? "{\"type\":\"thinking\",\"thinking\":\"t" + answers + "\",\"signature\":\"s\"},"
              : "";
      Reply reply =
          turn.record(
              request,
              "{\"id\":\"m\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"claude-opus-5\","
                  + "\"content\":["
                  + thinking
                  + "{\"type\":\"text\",\"text\":\""
                  + text()
                  + "\"},{\"type\":\"tool_use\",\"id\":\"toolu_"
                  + answers
                  + "\",\"name\":\"look\",\"input\":{\"at\":\"it\"}}],\"stop_reason\":\"tool_use\"}");
      for (ToolCall call : reply.calls()) {
        turn.answer(call, text());
      }
    }

    private RequestBuilder request(Turn turn, String provider, String model) {
      return turn.request(provider, model)
          .agent(ME)
          .config(config)
          .tools(TOOLS)
          .activity(fixture.engine.activity(ContextFixture.SHOP))
          .includeSources(true)
          .prefixCheck(LedgerSettings.Mode.WARN);
    }

    private void ask(Turn turn, String provider, String model) {
      ContextRequest request;
      try {
        request = request(turn, provider, model).build();
      } catch (ContextureException refused) {
        assertThat(refused.code()).isEqualTo(ErrorCode.BUDGET_TOO_SMALL);
        return;
      }
      long total = request.metadata().tokens().total();
      assertThat(ledgerTotal(request)).as("ledger of %s", request.body()).isEqualTo(total);
      if (provider.equals("anthropic") && request.request().repairs().isEmpty()) {
        assertThat(counted(request)).as(request.body()).isEqualTo(total);
      }
      accountedFor(request);
    }

    private long ledgerTotal(ContextRequest request) {
      RequestDifference sent = fixture.chat.requests().differenceToPrevious(request.id());
      return sent.sharedTokens() + sent.added().stream().mapToLong(LedgerBlock::tokens).sum();
    }

    /** Every text of an Anthropic body, counted anew. */
    private static long counted(ContextRequest request) {
      TokenMeter meter =
          new TokenMeter(TokenCounter.O200K_BASE, request.target().profile().tokenizer().ratio());
      String body = request.body();
      long count = 0;
      for (String tool : JsonText.items(JsonText.member(body, "tools").orElse("[]"))) {
        JsonObject read = (JsonObject) JsonValue.parse(tool);
        count +=
            meter.texts(
                List.of(
                    read.string("name").orElseThrow()
                        + read.string("description").orElseThrow()
                        + JsonText.member(tool, "input_schema").orElseThrow()));
      }
      for (String part : JsonText.items(JsonText.member(body, "system").orElse("[]"))) {
        count += part(meter, part);
      }
      for (String message : JsonText.items(JsonText.member(body, "messages").orElseThrow())) {
        for (String part : JsonText.items(JsonText.member(message, "content").orElseThrow())) {
          count += part(meter, part);
        }
      }
      return count;
    }

    private static long part(TokenMeter meter, String json) {
      JsonObject part = (JsonObject) JsonValue.parse(json);
      return switch (part.string("type").orElseThrow()) {
        case "text" -> meter.texts(List.of(part.string("text").orElseThrow()));
        case "tool_use" ->
            meter.texts(
                List.of(
                    part.string("name").orElseThrow(),
                    JsonText.member(json, "input").orElseThrow()));
        case "tool_result" ->
            part.array("content").map(JsonArray::items).orElse(List.of()).stream()
                .mapToLong(inner -> part(meter, inner.toJson()))
                .sum();
        case "thinking" ->
            meter.texts(List.of(json.replaceAll(",\"cache_control\":\\{[^}]*\\}", "")));
        default -> throw new AssertionError(json);
      };
    }

    private void accountedFor(ContextRequest request) {
      Set<String> reported = new HashSet<>();
      List<Omission> rows = new ArrayList<>(request.metadata().dropped());
      rows.addAll(request.metadata().truncated());
      rows.forEach(row -> reported.add(row.id()));
      rows.forEach(row -> assertThat(row.tokens()).isNotNegative());
      long cut = request.context().view().window().summary().map(Summary::cutSeq).orElse(1L);
      Map<Long, String> lost = new HashMap<>();
      for (StoredBlock stored : fixture.chat.readRange(cut, Long.MAX_VALUE, 1_000)) {
        Block block = stored.block();
        String id =
            block.path().map(BlockPath::text).orElse(block.turn().value() + "#" + stored.seq());
        boolean told = reported.contains(id) || reported.contains(block.turn().value());
        Matcher marker = MARKER.matcher(block.text().orElse(""));
        if (!told && marker.find() && !request.body().contains(marker.group())) {
          lost.put(stored.seq(), id + " " + block.type().name());
        }
      }
      assertThat(lost).as("neither in %s nor in %s", request.body(), rows).isEmpty();
    }
  }
}
