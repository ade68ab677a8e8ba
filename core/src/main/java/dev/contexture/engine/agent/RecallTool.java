package dev.contexture.engine.agent;

import dev.contexture.engine.memory.ArchivalEntry;
import dev.contexture.engine.memory.MemoryStore;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.search.MemorySearchResult;
import dev.contexture.search.SearchContentType;
import dev.contexture.search.SearchOptions;
import dev.contexture.search.SearchResults;
import dev.contexture.turn.ToolAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The tool {@code recall}: keeps texts for good and finds them again. */
final class RecallTool {
  private static final int DEFAULT_LIMIT = 10;
  private static final int MAX_LIMIT = 100;

  private final MemoryBlocks blocks;
  private final MemoryStore memory;
  private final String agent;

  RecallTool(MemoryBlocks blocks) {
    this.blocks = blocks;
    this.memory = blocks.memory();
    this.agent = blocks.agent();
  }

  ToolAnswer run(ToolParams params) {
    String op = params.requiredText("op");
    return switch (op) {
      case "insert" -> insert(params);
      case "search" -> search(params);
      default ->
          throw ToolParams.invalid("op", op, String.join(", ", AgentToolSpecs.RECALL.operations()));
    };
  }

  private ToolAnswer insert(ToolParams params) {
    String content = params.requiredWords("content");
    JsonValue metadata = params.value("metadata").orElse(null);
    String id = blocks.forNew(params).insertArchival(agent, content, metadata);
    return ToolResults.done("kept", JsonObject.builder().put("id", id).build());
  }

  private ToolAnswer search(ToolParams params) {
    SearchOptions options =
        SearchOptions.builder()
            .limit(params.number("limit", DEFAULT_LIMIT, 1, MAX_LIMIT))
            .contentTypes(Set.of(SearchContentType.ARCHIVAL))
            .build();
    SearchResults found = memory.search(agent, params.requiredText("query"), options).byRank();
    List<JsonValue> entries = new ArrayList<>();
    for (MemorySearchResult hit : found) {
      memory.getArchival(agent, hit.id()).ifPresent(entry -> entries.add(json(entry, hit)));
    }
    return ToolResults.found(
        entries.size(),
        "entry",
        "entries",
        SearchTool.how(found).put("hits", new JsonArray(entries)).build());
  }

  private static JsonObject json(ArchivalEntry entry, MemorySearchResult hit) {
    JsonObject.Builder json = JsonObject.builder().put("id", entry.id());
    ToolResults.putText(json, entry.content()).put("ts", entry.at().toString());
    JsonValue metadata = entry.metadata();
    if (metadata != null) {
      json.put("metadata", metadata);
    }
    return json.put("score", SearchTool.number(hit.score())).build();
  }
}
