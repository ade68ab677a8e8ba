package dev.contexture.engine.agent;

import dev.contexture.engine.agent.MemoryBlocks.Reached;
import dev.contexture.engine.memory.BlockMetadata;
import dev.contexture.engine.memory.BlockSpec;
import dev.contexture.engine.memory.MemoryStore;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.permission.MemoryPermission;
import dev.contexture.memory.schema.BlockSchema;
import dev.contexture.memory.schema.MemoryBlockType;
import dev.contexture.memory.schema.TextSchema;
import dev.contexture.memory.textedit.TextLines;
import dev.contexture.store.memory.AgentRow;
import dev.contexture.turn.ToolAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** The tool {@code block}: which blocks there are, and how they are kept. */
final class BlockTool {
  private static final int PAGE = 500;

  private final MemoryBlocks blocks;
  private final MemoryStore memory;
  private final String agent;

  BlockTool(MemoryBlocks blocks) {
    this.blocks = blocks;
    this.memory = blocks.memory();
    this.agent = blocks.agent();
  }

  ToolAnswer run(ToolParams params) {
    String op = params.requiredText("op");
    return switch (op) {
      case "list" -> list();
      case "info" -> info(find(params));
      case "load" -> load(find(params), params);
      case "create" -> create(params);
      case "delete" -> delete(find(params));
      case "pin" -> pin(find(params), true);
      case "unpin" -> pin(find(params), false);
      case "archive" -> move(find(params), MemoryBlockType.ARCHIVAL);
      case "restore" -> move(find(params), MemoryBlockType.WORKING);
      case "viewport" -> viewport(find(params), params);
      case "share" -> share(find(params), params);
      case "unshare" -> unshare(find(params), params);
      default ->
          throw ToolParams.invalid("op", op, String.join(", ", AgentToolSpecs.BLOCK.operations()));
    };
  }

  private Reached find(ToolParams params) {
    return blocks.find(params.requiredText("label"));
  }

  private ToolAnswer list() {
    List<JsonValue> rows = new ArrayList<>();
    blocks.all().forEach(reached -> rows.add(reached.json().build()));
    return ToolResults.found(
        rows.size(), "block", "blocks", JsonObject.of("blocks", new JsonArray(rows)));
  }

  private static ToolAnswer info(Reached reached) {
    BlockMetadata block = reached.block();
    return ToolResults.done(
        "block " + block.label(),
        reached
            .json()
            .put("id", block.id())
            .put("description", block.description())
            .put("schema", block.schema().toJson())
            .put("char_limit", block.charLimit())
            .put("version", block.version())
            .put("created_at", block.created().toString())
            .put("updated_at", block.updated().toString())
            .build());
  }

  /** All of the content, or some lines of it; the viewport is for the prompt. */
  private ToolAnswer load(Reached reached, ToolParams params) {
    String content =
        memory
            .getSnapshot(agent, reached.address())
            .map(snapshot -> snapshot.renderWithoutViewport())
            .orElse("");
    JsonObject.Builder data =
        JsonObject.builder()
            .put("label", reached.block().label())
            .put("owner", reached.block().owner())
            .putIfPresent("user", reached.block().user())
            .put("description", reached.block().description())
            .put("type", reached.block().type().identifier())
            .put("permission", reached.level().identifier());
    List<String> lines = TextLines.of(content).lines();
    OptionalLong start = params.number("start_line");
    OptionalLong count = params.number("display_lines");
    if (start.isEmpty() && count.isEmpty()) {
      data.put("content", content);
    } else {
      int first = params.number("start_line", 1, 1, Math.max(1, lines.size()));
      int most = params.number("display_lines", Integer.MAX_VALUE, 1, Integer.MAX_VALUE);
      int end = (int) Math.min(lines.size(), (long) first - 1 + most);
      data.put("content", String.join("\n", lines.subList(Math.min(first - 1, end), end)));
      data.put("start_line", first).put("end_line", end);
    }
    data.put("total_lines", lines.size()).put("version", reached.block().version());
    return ToolResults.done("content of block " + reached.block().label(), data.build());
  }

  /** As editing counts them: only a line feed ends a line. */
  private ToolAnswer create(ToolParams params) {
    String label = params.requiredText("label");
    MemoryBlockType type =
        params.choice("type").map(MemoryBlockType::named).orElse(MemoryBlockType.WORKING);
    if (type != MemoryBlockType.WORKING && type != MemoryBlockType.ARCHIVAL) {
      throw ToolParams.invalid("type", type.identifier(), "Working or Archival");
    }
    BlockSpec spec = BlockSpec.of(label, type).description(params.requiredText("description"));
    JsonValue schema = params.value("schema").orElse(null);
    spec = schema == null ? spec : spec.schema(BlockSchema.fromJson(parsed(schema)));
    String id = blocks.forNew(params).createBlock(agent, spec);
    return ToolResults.done(
        "created block " + label,
        JsonObject.builder()
            .put("id", id)
            .put("label", label)
            .put("type", type.identifier())
            .build());
  }

  /** Some models write an object as a text that holds it. */
  private static JsonValue parsed(JsonValue schema) {
    return schema instanceof JsonString text ? JsonValue.parse(text.value()) : schema;
  }

  private ToolAnswer delete(Reached reached) {
    memory.deleteBlock(agent, reached.address());
    return changed("deleted", reached, JsonObject.builder());
  }

  private ToolAnswer pin(Reached reached, boolean pinned) {
    memory.setBlockPinned(agent, reached.address(), pinned);
    JsonObject.Builder data = JsonObject.builder().put("pinned", pinned);
    return changed(pinned ? "pinned" : "unpinned", reached, data);
  }

  private ToolAnswer move(Reached reached, MemoryBlockType type) {
    MemoryBlockType before = reached.block().type();
    if (before == MemoryBlockType.CORE) {
      throw new ContextureException(
          ErrorCode.PERMISSION_DENIED,
          "block \"" + reached.block().label() + "\" is of type Core and stays in the prompt",
          Map.of("label", reached.block().label(), "type", before.identifier()),
          null);
    }
    if (before != type) {
      memory.setBlockType(agent, reached.address(), type);
    }
    JsonObject.Builder data = JsonObject.builder().put("type", type.identifier());
    return changed("moved to " + type.identifier(), reached, data);
  }

  private ToolAnswer viewport(Reached reached, ToolParams params) {
    if (!(reached.block().schema() instanceof TextSchema)) {
      throw new ContextureException(
          ErrorCode.WRONG_SCHEMA,
          "viewport does not fit a block of kind "
              + reached.block().schema().kind()
              + "; it needs text",
          Map.of("operation", "viewport", "kind", reached.block().schema().kind()),
          null);
    }
    boolean clear =
        params.number("start_line").isEmpty() && params.number("display_lines").isEmpty();
    if (clear) {
      memory.updateBlockSchema(agent, reached.address(), TextSchema.PLAIN);
      return changed("shows all lines of", reached, JsonObject.builder());
    }
    int start = params.number("start_line", 1, 1, Integer.MAX_VALUE);
    params.requiredNumber("display_lines");
    int lines = params.number("display_lines", 1, 1, Integer.MAX_VALUE);
    TextSchema schema = new TextSchema(new TextSchema.Viewport(start, lines));
    memory.updateBlockSchema(agent, reached.address(), schema);
    JsonObject.Builder data =
        JsonObject.builder().put("start_line", start).put("display_lines", lines);
    return changed("set the viewport of", reached, data);
  }

  private ToolAnswer share(Reached reached, ToolParams params) {
    String with = target(params);
    MemoryPermission level =
        params.choice("permission").map(MemoryPermission::named).orElse(MemoryPermission.APPEND);
    memory.shareBlock(agent, reached.address(), with, level);
    JsonObject.Builder data =
        JsonObject.builder().put("target_agent", with).put("permission", level.identifier());
    return changed("shared", reached, data);
  }

  private ToolAnswer unshare(Reached reached, ToolParams params) {
    String with = target(params);
    memory.unshareBlock(agent, reached.address(), with);
    return changed("ended the share of", reached, JsonObject.builder().put("target_agent", with));
  }

  /** The id of the agent that is named, by its id or its name. */
  private String target(ToolParams params) {
    String given = params.requiredWords("target_agent");
    List<String> named = new ArrayList<>();
    String after = null;
    List<AgentRow> page;
    do {
      page = memory.agents(after, PAGE);
      for (AgentRow row : page) {
        after = row.agent();
        if (row.agent().equals(given)) {
          return given;
        }
        if (row.name().equals(given)) {
          named.add(row.agent());
        }
      }
    } while (page.size() == PAGE);
    if (named.size() > 1) {
      throw ToolParams.invalid(
          "target_agent", given, "an id, since several have that name: " + named);
    }
    return named.isEmpty() ? given : named.getFirst();
  }

  private ToolAnswer changed(String what, Reached reached, JsonObject.Builder data) {
    BlockMetadata block = reached.block();
    return ToolResults.done(
        what + " block " + block.label(),
        JsonObject.builder()
            .put("label", block.label())
            .put("owner", block.owner())
            .putIfPresent("user", block.user())
            .putAll(data.build())
            .build());
  }
}
