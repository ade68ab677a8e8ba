package dev.contexture.mcp;

import static dev.contexture.mcp.McpTool.Effect.READS;
import static dev.contexture.mcp.McpTool.Effect.REPLACES;
import static dev.contexture.mcp.McpTool.Effect.WRITES;

import dev.contexture.block.CallId;
import dev.contexture.engine.memory.BlockVersion;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.DocumentSnapshot;
import dev.contexture.turn.ToolAnswer;
import dev.contexture.turn.ToolCall;
import java.util.ArrayList;
import java.util.List;

/** Tools of an agent's memory: what the built-in tools do, one thing each. */
final class MemoryTools {
  private static final int HISTORY_PAGE = 50;
  private static final int MAX_PAGE = 200;
  private static final CallId NO_CALL = CallId.of("mcp"); // nothing is stored of the call

  private static final String LABEL =
      "\"label\":{\"type\":\"string\",\"description\":\"The block, or owner/label.\"}";
  private static final String SECTION =
      "\"section\":{\"type\":\"string\",\"description\":\"The section, if the block has some.\"}";
  private static final String OFFSET =
      "\"offset\":{\"type\":\"integer\",\"minimum\":0,"
          + "\"description\":\"Go on at this character, as a cut result says.\"}";
  private static final String CURSOR =
      "\"cursor\":{\"type\":\"string\",\"description\":\"next_cursor of the page before.\"}";

  private final AgentMemory memory;
  private final ResultLimit limit;

  MemoryTools(AgentMemory memory, ResultLimit limit) {
    this.memory = memory;
    this.limit = limit;
  }

  List<McpTool> all() {
    List<McpTool> tools = new ArrayList<>(reading());
    tools.addAll(writing());
    tools.addAll(archive());
    return tools;
  }

  private List<McpTool> reading() {
    return List.of(
        McpTool.of(
            "memory_list",
            "List memory blocks",
            READS,
            "Lists your memory blocks, and those that other agents share with you.",
            "{" + CURSOR + "}",
            this::list),
        McpTool.of(
            "memory_read",
            "Read a memory block",
            READS,
            "Shows the content of a memory block, or some lines of it, or as it was at a version of"
                + " its history.",
            "{"
                + LABEL
                + ",\"start_line\":{\"type\":\"integer\",\"minimum\":1},"
                + "\"display_lines\":{\"type\":\"integer\",\"minimum\":1,"
                + "\"description\":\"How many lines.\"},"
                + "\"version\":{\"type\":\"integer\",\"minimum\":0},"
                + OFFSET
                + "},\"required\":[\"label\"]",
            this::read),
        McpTool.of(
            "memory_history",
            "History of a memory block",
            READS,
            "Tells who changed a memory block when and how, oldest first.",
            "{"
                + LABEL
                + ",\"after\":{\"type\":\"integer\",\"minimum\":0,"
                + "\"description\":\"Only versions behind this one.\"},"
                + "\"limit\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":"
                + MAX_PAGE
                + "}},\"required\":[\"label\"]",
            this::history));
  }

  private List<McpTool> writing() {
    return List.of(
        McpTool.of(
            "memory_create",
            "Create a memory block",
            WRITES,
            "Makes a new memory block. It holds text unless a schema says otherwise, for example"
                + " {\"kind\":\"list\"}.",
            "{\"label\":{\"type\":\"string\",\"description\":\"1 to 64 of A-Z a-z 0-9 _ . : -\"},"
                + "\"description\":{\"type\":\"string\",\"description\":\"What it is for.\"},"
                + "\"content\":{\"type\":\"string\",\"description\":\"The first text.\"},"
                + "\"type\":{\"type\":\"string\",\"enum\":[\"Working\",\"Archival\"]},"
                + "\"schema\":{\"type\":\"object\"}},\"required\":[\"label\",\"description\"]",
            this::create),
        McpTool.of(
            "memory_append",
            "Append to a memory block",
            WRITES,
            "Adds text, an item or an entry at the end of a memory block; a text gets no line feed"
                + " of its own.",
            "{"
                + LABEL
                + ","
                + SECTION
                + ",\"content\":{\"type\":\"string\"}},\"required\":[\"label\",\"content\"]",
            edit("append")),
        McpTool.of(
            "memory_replace",
            "Replace text in a memory block",
            WRITES,
            "Replaces text in a memory block; old must be exactly what stands there. With mode"
                + " regex old is an expression and $1 in new a group.",
            "{"
                + LABEL
                + ","
                + SECTION
                + ",\"old\":{\"type\":\"string\"},\"new\":{\"type\":\"string\"},"
                + "\"mode\":{\"type\":\"string\",\"enum\":[\"first\",\"all\",\"nth\",\"regex\"]},"
                + "\"n\":{\"type\":\"integer\",\"minimum\":1}},\"required\":[\"label\",\"old\",\"new\"]",
            edit("replace")),
        McpTool.of(
            "memory_edit",
            "Edit a memory block",
            WRITES,
            "Changes a memory block in other ways: edit_range puts content in the place of lines"
                + " start_line to end_line; patch applies a unified diff; set_field and increment"
                + " are for fields of a map; insert_item and delete_item for items of a list.",
            "{\"op\":{\"type\":\"string\",\"enum\":[\"edit_range\",\"patch\",\"set_field\","
                + "\"insert_item\",\"delete_item\",\"increment\"]},"
                + LABEL
                + ","
                + SECTION
                + ",\"content\":{\"type\":\"string\"},\"patch\":{\"type\":\"string\"},"
                + "\"start_line\":{\"type\":\"integer\",\"minimum\":1},"
                + "\"end_line\":{\"type\":\"integer\",\"minimum\":1},"
                + "\"field\":{\"type\":\"string\"},\"value\":{},"
                + "\"index\":{\"type\":\"integer\",\"minimum\":0},"
                + "\"by\":{\"type\":\"integer\"}},\"required\":[\"op\",\"label\"]",
            input -> run("block_edit", input.all())),
        McpTool.of(
            "memory_undo",
            "Undo in a memory block",
            WRITES,
            "Takes back your newest change of a memory block; with redo it brings the newest undone"
                + " one back. What others wrote since stays.",
            "{" + LABEL + ",\"redo\":{\"type\":\"boolean\"}},\"required\":[\"label\"]",
            input -> {
              String op = input.all().isTrue("redo") ? "redo" : "undo";
              return run("block_edit", input.all().without("redo").with("op", JsonValue.of(op)));
            }),
        McpTool.of(
            "memory_delete",
            "Delete a memory block",
            REPLACES,
            "Deletes a memory block, if your level at it is Admin. People can bring it back, you"
                + " cannot.",
            "{" + LABEL + "},\"required\":[\"label\"]",
            this::delete));
  }

  private List<McpTool> archive() {
    return List.of(
        McpTool.of(
            "remember",
            "Remember a text",
            WRITES,
            "Keeps a text for good in the archive, where recall and search find it.",
            "{\"content\":{\"type\":\"string\"},\"metadata\":{\"type\":\"object\"}},"
                + "\"required\":[\"content\"]",
            input -> run("recall", input.all().with("op", JsonValue.of("insert")))),
        McpTool.of(
            "recall",
            "Recall remembered texts",
            READS,
            "Finds texts in the archive that remember kept, best first.",
            "{\"query\":{\"type\":\"string\"},"
                + "\"limit\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":100}},"
                + "\"required\":[\"query\"]",
            input -> hits("recall", input.all().with("op", JsonValue.of("search")))),
        McpTool.of(
            "search",
            "Search",
            READS,
            "Finds memory blocks, archived texts and messages of the user by words and, where that"
                + " is set up, by meaning; best first.",
            "{\"query\":{\"type\":\"string\"},"
                + "\"domain\":{\"type\":\"string\",\"enum\":[\"all\",\"blocks\",\"archival\","
                + "\"conversations\"]},"
                + "\"limit\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":100},\"role\":{\"type\":\"string\",\"description\":\"Only"
                + " messages of this"
                + " role.\"},\"start_time\":{\"type\":\"string\",\"description\":\"Nothing older:"
                + " ISO-8601, or -30m, -24h,"
                + " -7d.\"},\"end_time\":{\"type\":\"string\",\"description\":\"Nothing as"
                + " new.\"}},\"required\":[\"query\"]",
            input -> hits("search", input.all())));
  }

  private McpTool.Handler edit(String op) {
    return input -> run("block_edit", input.all().with("op", JsonValue.of(op)));
  }

  /** Runs a built-in tool; its data is the result, its refusal the error. */
  private ToolReply run(String tool, JsonObject arguments) {
    return reply(answer(tool, arguments));
  }

  private JsonObject answer(String tool, JsonObject arguments) {
    ToolAnswer answer = memory.tools().run(new ToolCall(NO_CALL, null, tool, arguments.toJson()));
    return answer.json();
  }

  private static ToolReply reply(JsonObject answer) {
    return answer.isTrue("success") ? ToolReply.of(data(answer)) : refused(answer);
  }

  private static JsonObject data(JsonObject answer) {
    return answer.object("data").orElse(JsonObject.EMPTY);
  }

  private static ToolReply refused(JsonObject answer) {
    JsonObject error = answer.object("error").orElse(JsonObject.EMPTY);
    String text = error.string("code").orElse("") + ": " + error.string("message").orElse("");
    return ToolReply.failed(
        error.string("hint").map(hint -> text + "; " + ours(hint)).orElse(text));
  }

  /** A hint with the names that the tools have here. */
  private static String ours(String hint) {
    return hint.replace("block with op list to see your blocks", "memory_list to see your blocks")
        .replace("block with op load", "memory_read")
        .replace("block with op info", "memory_list")
        .replace("or create it", "or create it with memory_create");
  }

  private ToolReply list(ToolInput input) {
    JsonObject answer = answer("block", JsonObject.of("op", JsonValue.of("list")));
    if (!answer.isTrue("success")) {
      return refused(answer);
    }
    List<JsonObject> blocks = objects(data(answer), "blocks");
    int start = Cursors.index(input.find("cursor"), blocks.size());
    return limit.page(
        blocks.subList(start, blocks.size()),
        (shown, left) ->
            ToolReply.of(
                Cursors.next(
                    JsonObject.builder().put("blocks", array(shown)), start + shown.size(), left)));
  }

  private ToolReply read(ToolInput input) {
    long offset = input.number("offset", 0);
    long version = input.number("version", -1);
    if (version >= 0) {
      String address = memory.address(input.text("label"));
      return memory
          .store()
          .getBlockAt(memory.agent(), address, version)
          .map(DocumentSnapshot::renderWithoutViewport)
          .map(text -> limit.text(text, offset))
          .orElseThrow(() -> AgentMemory.noBlock(address));
    }
    JsonObject wanted = input.all().without("offset").with("op", JsonValue.of("load"));
    JsonObject answer = answer("block", wanted);
    return answer.isTrue("success")
        ? limit.text(data(answer).string("content").orElse(""), offset)
        : refused(answer);
  }

  private ToolReply create(ToolInput input) {
    JsonObject wanted = input.all().without("content").with("op", JsonValue.of("create"));
    JsonObject made = answer("block", wanted);
    String content = input.find("content").orElse("");
    if (!made.isTrue("success") || content.isEmpty()) {
      return reply(made);
    }
    JsonObject filled =
        answer(
            "block_edit",
            JsonObject.builder()
                .put("op", "append")
                .put("label", input.text("label"))
                .put("content", content)
                .build());
    return filled.isTrue("success")
        ? ToolReply.of(data(made).toBuilder().putAll(data(filled)).build())
        : ToolReply.failed(
            "the block was made, but is empty: "
                + refused(filled).content().getFirst().string("text").orElse(""));
  }

  private ToolReply delete(ToolInput input) {
    String address = memory.address(input.text("label"));
    memory.delete(address);
    return ToolReply.of(JsonObject.builder().put("deleted", address).build());
  }

  private ToolReply history(ToolInput input) {
    String address = memory.address(input.text("label"));
    int most = (int) input.number("limit", HISTORY_PAGE);
    List<BlockVersion> page =
        memory.store().history(memory.agent(), address, input.number("after", 0), most + 1);
    List<JsonObject> versions = page.stream().limit(most).map(MemoryTools::json).toList();
    boolean more = page.size() > most;
    return limit.page(
        versions,
        (shown, left) -> {
          JsonObject.Builder result = JsonObject.builder().put("versions", array(shown));
          if ((more || left > 0) && !shown.isEmpty()) {
            result.put("next_after", page.get(shown.size() - 1).version());
          }
          return ToolReply.of(result.build());
        });
  }

  private static JsonObject json(BlockVersion version) {
    return JsonObject.builder()
        .put("version", version.version())
        .put("ts", version.at().toString())
        .put("actor", version.actor().toString())
        .put("operation", version.operation())
        .put("message", version.message())
        .build();
  }

  /** What a search found, as many hits as fit. */
  private ToolReply hits(String tool, JsonObject arguments) {
    JsonObject answer = answer(tool, arguments);
    if (!answer.isTrue("success")) {
      return refused(answer);
    }
    JsonObject found = data(answer);
    return limit.page(
        objects(found, "hits"),
        (shown, left) -> {
          JsonObject.Builder result = found.with("hits", array(shown)).toBuilder();
          if (left > 0) {
            result.put("left_out", left);
            result.put("note", "the result was cut; search with other words or a smaller limit");
          }
          return ToolReply.of(result.build());
        });
  }

  static JsonArray array(List<JsonObject> entries) {
    return new JsonArray(List.<JsonValue>copyOf(entries));
  }

  private static List<JsonObject> objects(JsonObject object, String name) {
    return object.array(name).stream()
        .flatMap(array -> array.items().stream())
        .map(JsonObject.class::cast)
        .toList();
  }
}
