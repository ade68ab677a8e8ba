package dev.contexture.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.engine.memory.BlockSpec;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.schema.MemoryBlockType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Results within their limit, and how to get the rest. */
@Timeout(300)
class McpResultLimitTest extends McpSessionCase {
  /** Reads on as results say, until one says nothing; each within the limit. */
  private List<JsonObject> pages(McpSession to, String tool, JsonObject arguments, String cursor) {
    List<JsonObject> pages = new ArrayList<>();
    JsonObject next = arguments;
    while (next != null) {
      assertThat(pages.size()).isLessThan(500);
      JsonObject result = call(to, tool, next);
      assertThat(result.toJson().getBytes(StandardCharsets.UTF_8).length)
          .isLessThanOrEqualTo(SMALL);
      assertThat(result.isTrue("isError")).as(result.toJson()).isFalse();
      JsonObject page = result.object("structuredContent").orElseThrow();
      pages.add(page);
      JsonValue on = page.find("next_" + cursor).orElse(null);
      next = on == null ? null : arguments.with(cursor, on);
    }
    return pages;
  }

  @Test
  void cutsListsAndSaysHowToGoOn() {
    McpSession small = McpSession.open(engine, "test", SCOPE, SETTINGS.withResultBytes(SMALL));
    Set<String> labels = new HashSet<>();
    for (int i = 0; i < 40; i++) {
      String label = "block-" + i;
      labels.add(label);
      engine
          .memory(SCOPE)
          .createBlock(
              "atlas",
              BlockSpec.of(label, MemoryBlockType.WORKING).content("\"\\\u0001é" + "x".repeat(i)));
    }
    Set<String> seen = new HashSet<>();
    List<JsonObject> pages = pages(small, "memory_list", JsonObject.EMPTY, "cursor");
    assertThat(pages).hasSizeGreaterThan(2);
    for (JsonObject page : pages) {
      page.array("blocks")
          .orElseThrow()
          .items()
          .forEach(block -> seen.add(((JsonObject) block).string("label").orElseThrow()));
    }
    assertThat(seen).isEqualTo(labels);
    for (int i = 0; i < 30; i++) {
      engine.memory(SCOPE).appendToBlock("atlas", "block-0", "more");
    }
    JsonObject history = JsonObject.of("label", JsonValue.of("block-0"));
    int versions = 0;
    for (JsonObject page : pages(small, "memory_history", history, "after")) {
      versions += page.array("versions").map(JsonArray::size).orElse(0);
    }
    assertThat(versions).isEqualTo(31);
    talk("ann", "long", "q".repeat(9_000), "a".repeat(9_000));
    talk("ann", "long", "second", "answer");
    JsonObject chat = JsonObject.of("conversation", JsonValue.of("long"));
    List<JsonObject> turns = pages(small, "conversation_read", chat, "after");
    assertThat(turns).hasSize(2);
    assertThat(turns.getFirst().toJson()).contains("\"truncated\":true");
    assertThat(turns.getLast().toJson()).contains("second");
    small.close();
  }

  @Test
  void cutsTextsOfAnyCharactersAndGivesAllOfThem() {
    String content = "😀\"\\\n\u0002 line é ".repeat(3_000);
    engine
        .memory(SCOPE)
        .createBlock(
            "atlas",
            BlockSpec.of("big", MemoryBlockType.WORKING).charLimit(100_000).content(content));
    McpSession small = McpSession.open(engine, "test", SCOPE, SETTINGS.withResultBytes(SMALL));
    StringBuilder read = new StringBuilder();
    long offset = 0;
    do {
      JsonObject wanted = JsonObject.builder().put("label", "big").put("offset", offset).build();
      JsonObject result = call(small, "memory_read", wanted);
      assertThat(result.toJson().getBytes(StandardCharsets.UTF_8).length)
          .isLessThanOrEqualTo(SMALL);
      String part = text(result);
      int note = part.lastIndexOf("\n\n[cut: ");
      read.append(note < 0 ? part : part.substring(0, note));
      offset = note < 0 ? 0 : Long.parseLong(part.replaceAll("(?s).*with offset (\\d+) .*", "$1"));
    } while (offset > 0);
    assertThat(read.toString()).isEqualTo(content);
    small.close();
  }

  @Test
  void pagesALargeGraph() {
    McpSession small = McpSession.open(engine, "test", SCOPE, SETTINGS.withResultBytes(SMALL));
    for (int i = 0; i < 30; i++) {
      done(
          "create_entities",
          "{'entities':[{'name':'n%d','entityType':'t','observations':['%s']}]}"
              .formatted(i, "o".repeat(i == 3 ? 9_000 : 100)));
      done(
          "create_relations",
          "{'relations':[{'from':'n%d','to':'n0','relationType':'r'}]}".formatted(i));
    }
    int entities = 0;
    int relations = 0;
    for (JsonObject page : pages(small, "read_graph", JsonObject.EMPTY, "cursor")) {
      entities += page.array("entities").orElseThrow().size();
      relations += page.array("relations").orElseThrow().size();
    }
    assertThat(entities).isEqualTo(30);
    assertThat(relations).isEqualTo(30);
    small.close();
  }

  /** Whatever is stored and asked for, done or refused: no result of any tool is larger. */
  @Test
  void noToolGivesMoreThanTheLimit() {
    fill();
    McpSession small = McpSession.open(engine, "test", SCOPE, SETTINGS.withResultBytes(SMALL));
    String large = "\uD83D\uDE00\\n\\\\word ".repeat(2_000);
    String entities =
        IntStream.range(0, 200)
            .mapToObj("{'name':'new-%d','entityType':'t','observations':['o']}"::formatted)
            .collect(Collectors.joining(","));
    String relations =
        IntStream.range(0, 200)
            .mapToObj("{'from':'n0','to':'to-%d','relationType':'r'}"::formatted)
            .collect(Collectors.joining(","));
    Map<String, String> calls = new LinkedHashMap<>();
    calls.put("memory_list", "{}");
    calls.put("memory_read", "{'label':'big'}");
    calls.put("memory_history", "{'label':'many','limit':200}");
    calls.put("memory_create", "{'label':'made','description':'d','content':'x'}");
    calls.put("memory_append", "{'label':'big','content':'" + large + "'}");
    calls.put("memory_replace", "{'label':'big','old':'THE END','new':'" + large + "'}");
    calls.put(
        "memory_edit",
        "{'op':'edit_range','label':'big','start_line':1,'end_line':1,'content':'" + large + "'}");
    calls.put("memory_undo", "{'label':'big'}");
    calls.put("memory_delete", "{'label':'big'}");
    calls.put("remember", "{'content':'" + large + "','metadata':{'topic':'food'}}");
    calls.put("recall", "{'query':'word','limit':100}");
    calls.put("search", "{'query':'word','limit':100}");
    calls.put("conversation_list", "{}");
    calls.put("conversation_read", "{'conversation':'long'}");
    calls.put("context_read", "{'conversation':'long','path':'" + longPath() + "'}");
    calls.put("create_entities", "{'entities':[" + entities + "]}");
    calls.put("create_relations", "{'relations':[" + relations + "]}");
    calls.put(
        "add_observations",
        "{'observations':[{'entityName':'n0','contents':['" + large + "','short']}]}");
    calls.put("read_graph", "{}");
    calls.put("search_nodes", "{'query':'n'}");
    calls.put("open_nodes", "{'names':['n0','n1','new-7']}");
    calls.put(
        "delete_observations", "{'deletions':[{'entityName':'n0','observations':['short']}]}");
    calls.put("delete_relations", "{'relations':[" + relations + "]}");
    calls.put("delete_entities", "{'entityNames':['n0','new-1']}");
    calls.put("memory", "{'command':'view','path':'/memories'}");
    assertThat(calls.keySet()).isEqualTo(tools(small));
    calls.forEach(
        (tool, arguments) -> {
          JsonObject result = call(small, tool, json(arguments));
          assertThat(size(result)).as(tool).isLessThanOrEqualTo(SMALL);
          if (!tool.equals("memory_delete")) { // needs a level that this block has not
            assertThat(result.isTrue("isError")).as(tool + result.toJson()).isFalse();
          }
        });
    for (JsonValue tool : listed(small)) {
      String name = ((JsonObject) tool).string("name").orElseThrow();
      for (JsonObject hostile : hostile((JsonObject) tool, large)) {
        JsonObject result = call(small, name, hostile);
        assertThat(size(result)).as(name).isLessThanOrEqualTo(SMALL);
      }
    }
    small.close();
  }

  private static int size(JsonObject result) {
    return result.toJson().getBytes(StandardCharsets.UTF_8).length;
  }

  private static List<JsonValue> listed(McpSession session) {
    return session
        .handle(json("{'jsonrpc':'2.0','id':1,'method':'tools/list'}"))
        .orElseThrow()
        .object("result")
        .orElseThrow()
        .array("tools")
        .orElseThrow()
        .items();
  }

  /** A large text in every argument, and in the name of one that there is not. */
  private static List<JsonObject> hostile(JsonObject tool, String large) {
    JsonObject properties =
        tool.object("inputSchema").orElseThrow().object("properties").orElseThrow();
    JsonObject.Builder texts = JsonObject.builder();
    properties.members().keySet().forEach(name -> texts.put(name, large));
    List<JsonObject> hostile = new ArrayList<>();
    hostile.add(texts.build());
    hostile.add(JsonObject.of(large, JsonValue.of(1)));
    properties
        .members()
        .keySet()
        .forEach(name -> hostile.add(JsonObject.of(name, JsonValue.of(large))));
    return hostile;
  }

  private void fill() {
    String text = "word \"\\ é ".repeat(1_000);
    BlockSpec big = BlockSpec.of("big", MemoryBlockType.WORKING).charLimit(400_000).user("ann");
    engine.memory(SCOPE).createBlock("atlas", big.content(text.repeat(5) + "THE END"));
    for (int i = 0; i < 60; i++) {
      engine
          .memory(SCOPE)
          .createBlock("atlas", BlockSpec.of("block:" + i, MemoryBlockType.WORKING).user("ann"));
      done("remember", JsonObject.of("content", JsonValue.of(i + " " + text)).toJson());
      talk("ann", "c" + i, "word", "answer");
      done(
          "create_entities",
          "{'entities':[{'name':'n%d','entityType':'t','observations':['%s']}]}"
              .formatted(i, "word ".repeat(i == 0 ? 9_000 : 50)));
      done(
          "create_relations",
          "{'relations':[{'from':'n%d','to':'n%d','relationType':'r'}]}".formatted(i, i + 1));
    }
    engine
        .memory(SCOPE)
        .createBlock("atlas", BlockSpec.of("many", MemoryBlockType.WORKING).user("ann"));
    for (int i = 0; i < 60; i++) {
      done("memory_append", "{'label':'many','content':'x'}");
    }
    talk("ann", "long", text, text);
  }

  private String longPath() {
    JsonObject turns = json(done("conversation_read", "{'conversation':'long'}"));
    return ToolInput.texts(
            (JsonObject) turns.array("turns").orElseThrow().items().getFirst(), "paths")
        .getFirst();
  }
}
