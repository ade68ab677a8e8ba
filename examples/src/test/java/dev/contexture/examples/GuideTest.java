package dev.contexture.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.ContextBrowser;
import dev.contexture.ContextRequest;
import dev.contexture.Contexture;
import dev.contexture.Turn;
import dev.contexture.block.Block;
import dev.contexture.block.BlockType;
import dev.contexture.block.Scope;
import dev.contexture.engine.agent.AgentTools;
import dev.contexture.engine.memory.BlockSpec;
import dev.contexture.engine.memory.MemoryStore;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.permission.MemoryPermission;
import dev.contexture.memory.schema.FieldDef;
import dev.contexture.memory.schema.FieldType;
import dev.contexture.memory.schema.MapSchema;
import dev.contexture.memory.schema.MemoryBlockType;
import dev.contexture.prompt.ContextConfig;
import dev.contexture.prompt.ModelContextLimits;
import dev.contexture.render.RenderOptions;
import dev.contexture.request.ToolDef;
import dev.contexture.search.SearchOptions;
import dev.contexture.search.SearchResults;
import dev.contexture.store.RequestRow;
import dev.contexture.timeline.PoolSource;
import dev.contexture.turn.Reply;
import dev.contexture.turn.ToolAnswer;
import dev.contexture.turn.ToolCall;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the Java of {@code docs/guide.md}, which has to stand in this file word for word. */
class GuideTest {
  private static final Pattern JAVA = Pattern.compile("(?s)```java\\n(.*?)```");

  @TempDir Path directory;
  private final Queue<String> script = new ArrayDeque<>();

  @Test
  void theGuideShowsWhatIsRunHere() throws IOException {
    Path root = Path.of(Objects.requireNonNull(System.getProperty("contexture.root")));
    String self =
        flat(
            Files.readString(
                root.resolve("examples/src/test/java/dev/contexture/examples/GuideTest.java")));
    Matcher block = JAVA.matcher(Files.readString(root.resolve("docs/guide.md")));
    List<String> blocks = new ArrayList<>();
    while (block.find()) {
      blocks.add(flat(block.group(1)));
    }
    assertThat(blocks).hasSizeGreaterThan(5).allSatisfy(java -> assertThat(self).contains(java));
  }

  private static String flat(String java) {
    return java.replaceAll("\\s+", " ").strip();
  }

  /** Stands for the provider: gives what the script says. */
  private String post(String body) {
    assertThat(body).startsWith("{");
    return script.remove();
  }

  private static String run(ToolCall call) throws IOException {
    if (call.tool().equals("get_weather")) {
      return "4 degrees, light rain";
    }
    throw new IOException("there is no tool " + call.tool());
  }

  @Test
  void aWholeAgent() throws Exception {
    script.add(
        answer(
            "tool_use",
            "{\"type\":\"tool_use\",\"id\":\"toolu_1\",\"name\":\"get_weather\",\"input\":{\"city\":\"Oslo\"}}",
            "{\"type\":\"tool_use\",\"id\":\"toolu_2\",\"name\":\"get_tides\",\"input\":{}}"));
    script.add(answer("end_turn", text("4 degrees and light rain.")));
    script.add(answer("refusal", text("I would rather not.")));
    script.add(
        answer(
            "tool_use",
            "{\"type\":\"tool_use\",\"id\":\"toolu_3\",\"name\":\"block_edit\",\"input\":{\"op\":\"append\",\"label\":\"notes\",\"content\":\"Ann"
                + " lives in Oslo.\"}}"));
    script.add(answer("end_turn", text("Noted.")));
    try (Contexture cx = Contexture.open(directory)) {
      ContextBrowser chat = cx.browser(Scope.of("acme", "shop").user("u42").conversation("c1"));
      List<ToolDef> tools =
          List.of(
              new ToolDef(
                  "get_weather",
                  "The weather in a city now",
                  """
                  {"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}\
                  """));
      assertThat(ask(chat, tools, "Weather in Oslo?")).isEqualTo("4 degrees and light rain.");
      assertThat(chat.render(RenderOptions.defaults()).text())
          .contains("4 degrees, light rain", "the tool failed")
          .doesNotContain("there is no tool get_tides");
      askInALoop(chat, tools, "And the code of the safe?");
      remember(cx, chat);
      look(cx, chat);
    }
  }

  private String ask(ContextBrowser chat, List<ToolDef> tools, String question)
      throws IOException, InterruptedException {
    try (Turn turn = chat.startTurn(question)) {
      Reply reply =
          turn.run("claude-opus-5")
              .request(
                  request ->
                      request.agent("atlas").instructions("You are Atlas. Be brief.").tools(tools))
              .tools(call -> ToolAnswer.text(run(call)))
              .post(this::post);
      turn.finish(reply);
      return reply.text();
    }
  }

  private void askInALoop(ContextBrowser chat, List<ToolDef> tools, String question) {
    try (Turn turn = chat.startTurn(question)) {
      Reply reply;
      do {
        ContextRequest request = turn.request("claude-opus-5").agent("atlas").tools(tools).build();
        reply = turn.record(request, post(request.body()));
        for (ToolCall call : reply.calls()) {
          try {
            turn.answer(call, run(call));
          } catch (IOException failure) {
            turn.fail(call, "the tool cannot be reached now"); // not the words of an exception
          }
        }
      } while (!reply.done());
      turn.finish(reply);
    }
  }

  private void remember(Contexture cx, ContextBrowser chat)
      throws IOException, InterruptedException {
    MemoryStore memory = cx.memory(Scope.of("acme", "shop"));
    memory.createBlock(
        "atlas",
        BlockSpec.of("persona", MemoryBlockType.CORE)
            .content("I am Atlas, and I keep my answers short.")
            .permission(MemoryPermission.READ_ONLY));
    memory.createBlock(
        "atlas", BlockSpec.of("notes", MemoryBlockType.WORKING).pinned(true).content("The user:"));
    memory.createBlock(
        "atlas",
        BlockSpec.of("customer", MemoryBlockType.WORKING)
            .pinned(true)
            .schema(
                MapSchema.of(
                    FieldDef.of("name", FieldType.TEXT).asRequired(),
                    FieldDef.of("visits", FieldType.COUNTER))));

    AgentTools own = cx.agentTools(chat, "atlas");
    try (Turn turn = chat.startTurn("I am Ann and live in Oslo.")) {
      Reply reply =
          turn.run("claude-opus-5")
              .request(request -> request.agent("atlas").tools(own.definitions()))
              .tools(own::run)
              .post(this::post);
      turn.finish(reply);
    }
    assertThat(memory.getRenderedContent("atlas", "notes").orElseThrow()).contains("Ann lives");

    memory.edit(
        "atlas",
        "customer",
        "from the shop",
        document -> {
          document.setField("name", JsonValue.of("Ann"));
          return document.incrementCounter("visits", 1);
        });
    memory.putAgent("billing", "Billing", null);
    memory.shareBlock("atlas", "customer", "billing", MemoryPermission.READ_ONLY);
    assertThat(memory.listSharedBlocks("billing")).hasSize(1);
  }

  private void look(Contexture cx, ContextBrowser chat) {
    chat.mergeSources(
        List.of(
            new PoolSource(
                0,
                JsonObject.builder()
                    .put("title", "Opening hours")
                    .put("url", "https://shop.example/hours")
                    .put("text", "Monday to Saturday, 10 to 18.")
                    .build())));
    Turn turn = chat.startTurn("When do you open?");
    turn.announce(List.of(Block.builder(BlockType.ANNOUNCE).text("Closed on 17 May.")));
    ContextRequest request =
        turn.request("claude-opus-5")
            .agent("atlas")
            .includeSources(true)
            .includeAnnounce(true)
            .config(
                ContextConfig.DEFAULT.withLimits(
                    new ModelContextLimits(32_000, 4_000, 20_000, 4_000)))
            .build();
    assertThat(request.body()).contains("10 to 18", "Closed on 17 May");
    turn.finish("At ten.");

    SearchResults found =
        cx.search()
            .search(Scope.of("acme", "shop").agent("atlas"), "rain in Oslo", SearchOptions.DEFAULT);
    assertThat(found).isNotEmpty();

    for (RequestRow sent : chat.requests().list(null, 10)) {
      String body = chat.requests().body(sent.id());
      assertThat(body).contains("claude-opus-5");
    }
  }

  private static String text(String text) {
    return "{\"type\":\"text\",\"text\":\"" + text + "\"}";
  }

  private static String answer(String stop, String... content) {
    return "{\"id\":\"msg_1\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"claude-opus-5\","
               + "\"stop_reason\":\""
        + stop
        + "\",\"stop_sequence\":null,\"content\":["
        + String.join(",", content)
        + "],\"usage\":{\"input_tokens\":10,\"output_tokens\":5}}";
  }
}
