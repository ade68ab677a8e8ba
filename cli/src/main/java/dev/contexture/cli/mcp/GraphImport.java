package dev.contexture.cli.mcp;

import dev.contexture.cli.support.JsonFile;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.mcp.McpSession;
import dev.contexture.provider.foreign.McpMemoryFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Takes a file of the reference memory server into the knowledge graph, by the tools that hosts
 * call. What is there already stays, so that the same file again adds nothing.
 */
public final class GraphImport {
  private static final int AT_ONCE = 20;

  private final McpLink link;
  private int asked;

  public GraphImport(McpLink link) {
    this.link = link;
  }

  /**
   * The result of importing a file.
   *
   * @param entities that were new
   * @param observations that were new for entities that were there
   * @param relations that were new
   * @param known entities and relations that were there
   */
  public record Imported(int entities, int observations, int relations, int known) {}

  /**
   * Imports a file.
   *
   * @throws ContextureException {@code malformed_json}, or {@code import_malformed} for a file of
   *     another form
   */
  public Imported run(Path file) {
    McpMemoryFile graph =
        McpMemoryFile.read(JsonFile.text(file)); // as a whole, before anything is written
    begin();
    int entities = 0;
    int observations = 0;
    for (McpMemoryFile.Entity entity : graph.entities()) {
      int made = call("create_entities", "entities", List.of(json(entity)), "entities");
      entities += made;
      observations += made > 0 ? 0 : observe(entity);
    }
    int relations = 0;
    for (int i = 0; i < graph.relations().size(); i += AT_ONCE) {
      List<JsonObject> some =
          graph.relations().subList(i, Math.min(graph.relations().size(), i + AT_ONCE)).stream()
              .map(GraphImport::json)
              .toList();
      relations += call("create_relations", "relations", some, "relations");
    }
    int all = graph.entities().size() + graph.relations().size();
    return new Imported(entities, observations, relations, all - entities - relations);
  }

  private static JsonObject json(McpMemoryFile.Entity entity) {
    return JsonObject.builder()
        .put("name", entity.name())
        .put("entityType", entity.type())
        .put("observations", JsonArray.ofStrings(entity.observations()))
        .build();
  }

  private static JsonObject json(McpMemoryFile.Relation relation) {
    return JsonObject.builder()
        .put("from", relation.from())
        .put("to", relation.to())
        .put("relationType", relation.type())
        .build();
  }

  private int observe(McpMemoryFile.Entity entity) {
    if (entity.observations().isEmpty()) {
      return 0;
    }
    JsonObject wanted =
        JsonObject.builder()
            .put("entityName", entity.name())
            .put("contents", JsonArray.ofStrings(entity.observations()))
            .build();
    JsonObject result = called("add_observations", "observations", List.of(wanted));
    return result.array("results").stream()
        .flatMap(results -> results.items().stream())
        .mapToInt(
            one -> ((JsonObject) one).array("addedObservations").map(JsonArray::size).orElse(0))
        .sum();
  }

  private void begin() {
    answer(
        request(
            "initialize",
            JsonObject.builder()
                .put("protocolVersion", McpSession.VERSIONS.getFirst())
                .put("capabilities", JsonObject.EMPTY)
                .put(
                    "clientInfo",
                    JsonObject.builder().put("name", "contexture").put("version", "1").build())
                .build()));
  }

  private int call(String tool, String argument, List<JsonObject> entries, String result) {
    return called(tool, argument, entries).array(result).map(JsonArray::size).orElse(0);
  }

  private JsonObject called(String tool, String argument, List<JsonObject> entries) {
    JsonArray array = new JsonArray(List.<JsonValue>copyOf(entries));
    JsonObject result =
        answer(
            request(
                "tools/call",
                JsonObject.builder()
                    .put("name", tool)
                    .put("arguments", JsonObject.of(argument, array))
                    .build()));
    if (result.isTrue("isError")) {
      String text =
          result
              .array("content")
              .map(content -> ((JsonObject) content.items().getFirst()).string("text").orElse(""))
              .orElse("");
      throw new ContextureException(ErrorCode.IMPORT_MALFORMED, tool + " was refused: " + text);
    }
    return result.object("structuredContent").orElse(JsonObject.EMPTY);
  }

  private JsonObject request(String method, JsonObject params) {
    return JsonObject.builder()
        .put("jsonrpc", "2.0")
        .put("id", ++asked)
        .put("method", method)
        .put("params", params)
        .build();
  }

  private JsonObject answer(JsonObject request) {
    JsonObject answer = (JsonObject) JsonValue.parse(link.send(request).orElse("{}"));
    return answer
        .object("result")
        .orElseThrow(
            () ->
                new ContextureException(
                    ErrorCode.STORE_UNAVAILABLE,
                    "the server refused "
                        + request.string("method").orElse("")
                        + ": "
                        + answer
                            .object("error")
                            .flatMap(error -> error.string("message"))
                            .orElse("without a reason"),
                    Map.of(),
                    null));
  }
}
