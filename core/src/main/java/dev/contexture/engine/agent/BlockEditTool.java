package dev.contexture.engine.agent;

import dev.contexture.engine.memory.MemoryStore;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.memory.StructuredDocument;
import dev.contexture.memory.textedit.LineRange;
import dev.contexture.memory.textedit.TextPatch;
import dev.contexture.memory.textedit.TextReplacement;
import dev.contexture.turn.ToolAnswer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/** The tool {@code block_edit}: changes the content of a block, one commit a call. */
final class BlockEditTool {
  private final MemoryBlocks blocks;
  private final MemoryStore memory;
  private final String agent;

  BlockEditTool(MemoryBlocks blocks) {
    this.blocks = blocks;
    this.memory = blocks.memory();
    this.agent = blocks.agent();
  }

  ToolAnswer run(ToolParams params) {
    String op = params.requiredText("op");
    String address = blocks.address(params.requiredText("label"));
    return switch (op) {
      case "undo" -> restored(address, op, memory.undoBlock(agent, address));
      case "redo" -> restored(address, op, memory.redoBlock(agent, address));
      default -> edited(address, op, edit(op, params), params);
    };
  }

  private ToolAnswer edited(
      String address, String op, Function<StructuredDocument, JsonObject> edit, ToolParams params) {
    String section = params.choice("section").orElse(null);
    MemoryStore.Edited<JsonObject> done =
        memory.edit(
            agent,
            address,
            "block_edit " + op,
            document -> edit.apply(section == null ? document : document.section(section)));
    return ToolResults.done(
        op + " done in block " + address,
        JsonObject.builder()
            .put("label", address)
            .put("version", done.version())
            .putAll(done.result())
            .build());
  }

  private static Function<StructuredDocument, JsonObject> edit(String op, ToolParams params) {
    return switch (op) {
      case "append" -> append(params.requiredText("content"));
      case "replace" -> replace(params);
      case "patch" -> patch(params.requiredText("patch"));
      case "edit_range" -> range(params);
      case "set_field" -> setField(params);
      case "insert_item" -> insertItem(params);
      case "delete_item" -> deleteItem(params.requiredIndex("index"));
      case "increment" -> increment(params);
      default ->
          throw ToolParams.invalid(
              "op", op, String.join(", ", AgentToolSpecs.BLOCK_EDIT.operations()));
    };
  }

  private static Function<StructuredDocument, JsonObject> append(String content) {
    return document -> {
      document.append(content);
      return JsonObject.EMPTY;
    };
  }

  private static Function<StructuredDocument, JsonObject> replace(ToolParams params) {
    TextReplacement.Mode mode =
        params.choice("mode").map(TextReplacement.Mode::named).orElse(TextReplacement.Mode.FIRST);
    boolean nth = mode == TextReplacement.Mode.NTH;
    if (nth) {
      params.requiredNumber("n");
    }
    int n = nth ? params.number("n", 1, 1, Integer.MAX_VALUE) : 0;
    TextReplacement replacement =
        new TextReplacement(params.requiredText("old"), params.requiredText("new"), mode, n);
    return document -> JsonObject.builder().put("replaced", document.editText(replacement)).build();
  }

  private static Function<StructuredDocument, JsonObject> patch(String diff) {
    TextPatch patch = TextPatch.parse(diff);
    return document -> {
      document.editText(patch);
      return JsonObject.EMPTY;
    };
  }

  private static Function<StructuredDocument, JsonObject> range(ToolParams params) {
    LineRange range =
        new LineRange(
            params.requiredNumber("start_line"),
            params.requiredNumber("end_line"),
            params.requiredText("content"));
    return document -> {
      document.editText(range);
      return JsonObject.EMPTY;
    };
  }

  private static Function<StructuredDocument, JsonObject> setField(ToolParams params) {
    String field = params.requiredText("field");
    var value = params.requiredValue("value");
    return document -> {
      document.setField(field, value);
      return JsonObject.builder().put("field", field).build();
    };
  }

  private static Function<StructuredDocument, JsonObject> insertItem(ToolParams params) {
    int index = params.requiredIndex("index");
    var value = params.requiredValue("value");
    return document -> {
      document.insertItem(index, value);
      return JsonObject.builder().put("items", document.listItems().size()).build();
    };
  }

  private static Function<StructuredDocument, JsonObject> deleteItem(int index) {
    return document -> {
      document.deleteItem(index);
      return JsonObject.builder().put("items", document.listItems().size()).build();
    };
  }

  private static Function<StructuredDocument, JsonObject> increment(ToolParams params) {
    String field = params.requiredText("field");
    long by = params.number("by").orElse(1);
    return document ->
        JsonObject.builder()
            .put("field", field)
            .put("value", document.incrementCounter(field, by))
            .build();
  }

  private static ToolAnswer restored(String address, String op, MemoryStore.Undone undone) {
    if (!undone.done()) {
      Map<String, Object> details = new LinkedHashMap<>();
      details.put("undo_depth", undone.undoDepth());
      details.put("redo_depth", undone.redoDepth());
      throw new ContextureException(
          ErrorCode.NOTHING_TO_DO, "block \"" + address + "\" has no step to " + op, details, null);
    }
    return ToolResults.done(
        op + " done in block " + address,
        JsonObject.builder()
            .put("label", address)
            .put("undo_depth", undone.undoDepth())
            .put("redo_depth", undone.redoDepth())
            .put("version", undone.version())
            .build());
  }
}
