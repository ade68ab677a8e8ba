package dev.contexture.mcp;

import dev.contexture.engine.memory.BlockMetadata;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import java.util.ArrayList;
import java.util.List;

/** Prompts that people pick in a host, and completions of their arguments. */
final class McpPrompts {
  private static final int MAX_VALUES = 100;
  private static final String MEMORY = "memory";
  private static final String CONVERSATION = "conversation";
  private static final String LABEL = "label";
  private static final String AGENT = "agent";
  private static final String PATH = "path";

  private final AgentMemory memory;
  private final McpResources resources;

  McpPrompts(AgentMemory memory, McpResources resources) {
    this.memory = memory;
    this.resources = resources;
  }

  JsonObject list() {
    return JsonObject.of(
        "prompts",
        JsonArray.of(
            prompt(
                MEMORY,
                "What is remembered",
                "Gives the model the memory blocks that are pinned, or one block.",
                LABEL,
                "The block; without it all that are pinned.",
                false),
            prompt(
                CONVERSATION,
                "An earlier conversation",
                "Gives the model the turns of an earlier conversation.",
                CONVERSATION,
                "Its id.",
                true)));
  }

  private static JsonObject prompt(
      String name,
      String title,
      String description,
      String argument,
      String meaning,
      boolean need) {
    return JsonObject.builder()
        .put("name", name)
        .put("title", title)
        .put("description", description)
        .put(
            "arguments",
            JsonArray.of(
                JsonObject.builder()
                    .put("name", argument)
                    .put("description", meaning)
                    .put("required", need)
                    .build()))
        .build();
  }

  JsonObject get(String name, JsonObject arguments) {
    return switch (name) {
      case MEMORY -> messages(memoryBlocks(arguments));
      case CONVERSATION -> {
        String id =
            arguments
                .string(CONVERSATION)
                .orElseThrow(() -> refused("the prompt needs the argument " + CONVERSATION));
        yield messages(
            List.of(
                text("This is an earlier conversation, " + id + "."),
                resource(ResourceAddress.conversation(id))));
      }
      default -> throw refused("there is no prompt " + name + "; prompts are memory, conversation");
    };
  }

  private List<JsonObject> memoryBlocks(JsonObject arguments) {
    String label = arguments.string(LABEL).orElse("");
    if (!label.isEmpty()) {
      return List.of(resource(ResourceAddress.block(memory.agent(), label)));
    }
    List<JsonObject> contents = new ArrayList<>();
    List<BlockMetadata> shown = resources.shownBlocks();
    contents.add(
        text(
            shown.isEmpty()
                ? "No memory block of agent " + memory.agent() + " is pinned."
                : "This is what agent " + memory.agent() + " remembers."));
    shown.stream()
        .limit(MAX_VALUES)
        .forEach(
            block -> contents.add(resource(ResourceAddress.block(block.owner(), block.label()))));
    return contents;
  }

  private static RpcException refused(String message) {
    return new RpcException(RpcException.INVALID_PARAMS, message);
  }

  private static JsonObject text(String text) {
    return JsonObject.builder().put("type", "text").put("text", text).build();
  }

  private JsonObject resource(String uri) {
    JsonValue contents = resources.read(uri).array("contents").orElseThrow().items().getFirst();
    return JsonObject.builder().put("type", "resource").put("resource", contents).build();
  }

  private static JsonObject messages(List<JsonObject> contents) {
    List<JsonValue> messages = new ArrayList<>();
    for (JsonObject content : contents) {
      messages.add(JsonObject.builder().put("role", "user").put("content", content).build());
    }
    return JsonObject.of("messages", new JsonArray(messages));
  }

  /**
   * What an argument of a prompt, or a part of a template, may be; with what was chosen for the
   * others, where a host says so.
   */
  JsonObject complete(JsonObject params) {
    JsonObject argument = params.object("argument").orElse(JsonObject.EMPTY);
    JsonObject chosen =
        params
            .object("context")
            .flatMap(context -> context.object("arguments"))
            .orElse(JsonObject.EMPTY);
    String value = argument.string("value").orElse("");
    List<String> found =
        switch (argument.string("name").orElse("")) {
          case LABEL -> resources.labels(chosen.string(AGENT).orElse(memory.agent()));
          case CONVERSATION -> resources.recentIds(value);
          case PATH -> resources.paths(chosen.string(CONVERSATION).orElse(""));
          case AGENT -> resources.owners();
          default -> List.of();
        };
    List<String> fitting = found.stream().filter(each -> each.startsWith(value)).toList();
    List<JsonValue> values =
        fitting.stream().limit(MAX_VALUES).<JsonValue>map(JsonString::new).toList();
    return JsonObject.of(
        "completion",
        JsonObject.builder()
            .put("values", new JsonArray(values))
            .put("total", fitting.size())
            .put("hasMore", fitting.size() > MAX_VALUES)
            .build());
  }
}
