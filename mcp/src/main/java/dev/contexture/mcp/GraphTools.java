package dev.contexture.mcp;

import static dev.contexture.mcp.McpTool.Effect.READS;
import static dev.contexture.mcp.McpTool.Effect.REPLACES;
import static dev.contexture.mcp.McpTool.Effect.WRITES;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.mcp.GraphEntity.Relation;
import dev.contexture.memory.schema.EntityShape;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** The nine tools of the reference memory server, over blocks. */
final class GraphTools {
  private static final String TEXTS = "{\"type\":\"array\",\"items\":{\"type\":\"string\"}}";
  private static final String ENTITY =
      "{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"},"
          + "\"entityType\":{\"type\":\"string\"},\"observations\":"
          + TEXTS
          + "},\"required\":[\"name\",\"entityType\",\"observations\"]}";
  private static final String RELATION =
      "{\"type\":\"object\",\"properties\":{\"from\":{\"type\":\"string\"},"
          + "\"to\":{\"type\":\"string\"},\"relationType\":{\"type\":\"string\"}},"
          + "\"required\":[\"from\",\"to\",\"relationType\"]}";
  private static final String DONE =
      "{\"success\":{\"type\":\"boolean\"},\"message\":{\"type\":\"string\"}},"
          + "\"required\":[\"success\",\"message\"]";
  private static final String CURSOR =
      "\"cursor\":{\"type\":\"string\",\"description\":\"next_cursor of the page before.\"}";
  private static final String GRAPH =
      "{\"entities\":"
          + array(ENTITY)
          + ",\"relations\":"
          + array(RELATION)
          + ",\"left_out\":{\"type\":\"integer\"},\"next_cursor\":{\"type\":\"string\"},"
          + "\"note\":{\"type\":\"string\"}},\"required\":[\"entities\",\"relations\"]";

  private final KnowledgeGraph graph;
  private final ResultLimit limit;

  GraphTools(AgentMemory memory, ResultLimit limit) {
    this.graph = new KnowledgeGraph(memory);
    this.limit = limit;
  }

  private static String array(String items) {
    return "{\"type\":\"array\",\"items\":" + items + "}";
  }

  List<McpTool> all() {
    List<McpTool> tools = new ArrayList<>(adding());
    tools.addAll(deleting());
    tools.addAll(reading());
    return tools;
  }

  private List<McpTool> adding() {
    return List.of(
        McpTool.of(
                "create_entities",
                "Create entities",
                WRITES,
                "Adds entities to the knowledge graph; those whose name is there stay as they are."
                    + " Answers which are new.",
                "{\"entities\":" + array(ENTITY) + "},\"required\":[\"entities\"]",
                this::createEntities)
            .giving("{\"entities\":" + array(ENTITY) + "},\"required\":[\"entities\"]"),
        McpTool.of(
                "create_relations",
                "Create relations",
                WRITES,
                "Adds relations between entities, in the active voice: Ann works_at Harbour.",
                "{\"relations\":" + array(RELATION) + "},\"required\":[\"relations\"]",
                this::createRelations)
            .giving("{\"relations\":" + array(RELATION) + "},\"required\":[\"relations\"]"),
        McpTool.of(
                "add_observations",
                "Add observations",
                WRITES,
                "Adds facts to entities that exist, a sentence each.",
                "{\"observations\":"
                    + array(
                        "{\"type\":\"object\",\"properties\":{\"entityName\":{\"type\":\"string\"},"
                            + "\"contents\":"
                            + TEXTS
                            + "},\"required\":[\"entityName\",\"contents\"]}")
                    + "},\"required\":[\"observations\"]",
                this::addObservations)
            .giving(
                "{\"results\":"
                    + array(
                        "{\"type\":\"object\",\"properties\":{\"entityName\":{\"type\":\"string\"},"
                            + "\"addedObservations\":"
                            + TEXTS
                            + "},\"required\":[\"entityName\",\"addedObservations\"]}")
                    + "},\"required\":[\"results\"]"));
  }

  private List<McpTool> deleting() {
    return List.of(
        McpTool.of(
                "delete_entities",
                "Delete entities",
                REPLACES,
                "Deletes entities with all relations from them and to them.",
                "{\"entityNames\":" + TEXTS + "},\"required\":[\"entityNames\"]",
                input -> {
                  graph.delete(input.texts("entityNames"));
                  return done("entities");
                })
            .giving(DONE),
        McpTool.of(
                "delete_observations",
                "Delete observations",
                REPLACES,
                "Deletes facts of entities, each given word for word.",
                "{\"deletions\":"
                    + array(
                        "{\"type\":\"object\",\"properties\":{\"entityName\":{\"type\":\"string\"},"
                            + "\"observations\":"
                            + TEXTS
                            + "},\"required\":[\"entityName\",\"observations\"]}")
                    + "},\"required\":[\"deletions\"]",
                input -> {
                  for (JsonObject one : input.objects("deletions")) {
                    graph.forget(
                        one.string("entityName").orElse(""), ToolInput.texts(one, "observations"));
                  }
                  return done("observations");
                })
            .giving(DONE),
        McpTool.of(
                "delete_relations",
                "Delete relations",
                REPLACES,
                "Deletes relations.",
                "{\"relations\":" + array(RELATION) + "},\"required\":[\"relations\"]",
                input -> {
                  relations(input).forEach(graph::unrelate);
                  return done("relations");
                })
            .giving(DONE));
  }

  private List<McpTool> reading() {
    return List.of(
        McpTool.of(
                "read_graph",
                "Read the graph",
                READS,
                "Shows the knowledge graph: all entities with their observations, and the relations"
                    + " from them.",
                "{" + CURSOR + "}",
                input -> page(input, unused -> true))
            .giving(GRAPH),
        McpTool.of(
                "search_nodes",
                "Search entities",
                READS,
                "Finds entities whose name, type or an observation contains a text, with the"
                    + " relations from them and to them.",
                "{\"query\":{\"type\":\"string\"}," + CURSOR + "},\"required\":[\"query\"]",
                input -> page(input, node -> node.contains(input.text("query"))))
            .giving(GRAPH),
        McpTool.of(
                "open_nodes",
                "Open entities",
                READS,
                "Shows entities by their names, with the relations from them and to them.",
                "{\"names\":" + TEXTS + "," + CURSOR + "},\"required\":[\"names\"]",
                input -> {
                  Set<String> names = Set.copyOf(new HashSet<>(input.texts("names")));
                  return page(input, node -> names.contains(node.name()));
                })
            .giving(GRAPH));
  }

  /** The graph from its beginning, as much as fits. */
  ToolReply whole() {
    return page(ToolInput.of(JsonObject.EMPTY, JsonObject.EMPTY), unused -> true);
  }

  private static ToolReply done(String what) {
    return ToolReply.of(
        JsonObject.builder().put("success", true).put("message", what + " deleted").build());
  }

  private ToolReply createEntities(ToolInput input) {
    List<JsonObject> wanted = input.objects("entities");
    wanted.forEach(one -> EntityShape.label(one.string("name").orElse(""))); // all, before any
    List<JsonObject> made = new ArrayList<>();
    for (JsonObject one : wanted) {
      boolean isNew =
          graph.create(
              one.string("name").orElse(""),
              one.string("entityType").orElse(""),
              ToolInput.texts(one, "observations"));
      if (isNew) {
        made.add(one);
      }
    }
    return told("entities", made);
  }

  private static List<Relation> relations(ToolInput input) {
    return input.objects("relations").stream().map(Relation::read).toList();
  }

  private ToolReply createRelations(ToolInput input) {
    return told(
        "relations", relations(input).stream().filter(graph::relate).map(Relation::json).toList());
  }

  private ToolReply addObservations(ToolInput input) {
    List<JsonObject> wanted = input.objects("observations");
    wanted.forEach(one -> graph.requireEntity(one.string("entityName").orElse("")));
    List<JsonObject> results = new ArrayList<>();
    for (JsonObject one : wanted) {
      String name = one.string("entityName").orElse("");
      results.add(
          JsonObject.builder()
              .put("entityName", name)
              .put(
                  "addedObservations",
                  JsonArray.ofStrings(graph.observe(name, ToolInput.texts(one, "contents"))))
              .build());
    }
    return told("results", results);
  }

  /** What was done: the host knows what it sent, so that what does not fit is only counted. */
  private ToolReply told(String name, List<JsonObject> entries) {
    return limit.page(
        entries,
        (shown, left) -> {
          JsonObject.Builder result = JsonObject.builder().put(name, MemoryTools.array(shown));
          if (left > 0) {
            result
                .put("left_out", left)
                .put("note", "all were done; the answer was cut, read_graph shows them");
          }
          return ToolReply.of(result.build());
        });
  }

  /** Some entities, with the relations from them and, of those that lead to them, from others. */
  private ToolReply page(ToolInput input, Predicate<GraphEntity> which) {
    List<GraphEntity> nodes = graph.nodes();
    List<JsonObject> parts = new ArrayList<>();
    Set<String> found = new HashSet<>();
    nodes.stream()
        .filter(node -> node.isEntity() && which.test(node))
        .forEach(node -> found.add(node.name()));
    for (GraphEntity node : nodes) {
      boolean shown = found.contains(node.name());
      List<JsonValue> relations = new ArrayList<>();
      node.relations().stream()
          .filter(one -> shown || found.contains(one.to()) || isDangling(node, input))
          .forEach(one -> relations.add(one.json()));
      if (shown || !relations.isEmpty()) {
        JsonObject part = JsonObject.of("relations", new JsonArray(relations));
        parts.add(shown ? part.with("entity", node.json()) : part);
      }
    }
    int start = Cursors.index(input.find("cursor"), parts.size());
    return limit.page(
        parts.subList(start, parts.size()), (some, left) -> graph(some, start + some.size(), left));
  }

  /** Relations from names that are no entity belong to the whole graph only. */
  private static boolean isDangling(GraphEntity node, ToolInput input) {
    return !node.isEntity() && input.find("query").isEmpty() && !input.all().has("names");
  }

  private static ToolReply graph(List<JsonObject> parts, int end, int left) {
    List<JsonObject> entities = new ArrayList<>();
    List<JsonObject> relations = new ArrayList<>();
    for (JsonObject part : parts) {
      Optional<JsonObject> entity = part.object("entity");
      boolean truncated = part.isTrue("truncated");
      entity.ifPresent(
          one -> entities.add(truncated ? one.with("truncated", JsonValue.of(true)) : one));
      part.array("relations")
          .ifPresent(all -> all.items().forEach(one -> relations.add((JsonObject) one)));
    }
    return ToolReply.of(
        Cursors.next(
            JsonObject.builder()
                .put("entities", MemoryTools.array(entities))
                .put("relations", MemoryTools.array(relations)),
            end,
            left));
  }
}
