package dev.contexture.provider.foreign;

import dev.contexture.error.ContextureException;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.json.SendableText;
import dev.contexture.memory.permission.MemoryPermission;
import dev.contexture.memory.schema.EntityShape;
import dev.contexture.request.history.ImportedFile.ImportedMemory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The knowledge graph that the reference memory server of MCP keeps in a file of JSON lines. What
 * is in the file twice is here once: the first line of an entity says its type, all of them what is
 * known of it.
 *
 * @param entities in the order of the file, each name once
 * @param relations in the order of the file, each once
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.2")
public record McpMemoryFile(List<Entity> entities, List<Relation> relations) {
  public McpMemoryFile {
    entities = List.copyOf(entities);
    relations = List.copyOf(relations);
  }

  /**
   * The known facts about a name.
   *
   * @param observations each once
   */
  public record Entity(String name, String type, List<String> observations) {
    public Entity {
      observations = List.copyOf(observations);
    }
  }

  /** A relation from one name to another, of which there need not be entities. */
  public record Relation(String from, String to, String type) {}

  /**
   * Reads a file as a whole.
   *
   * @throws ContextureException {@code malformed_json}, or {@code import_malformed} that names the
   *     first line that is neither an entity nor a relation
   */
  public static McpMemoryFile read(String text) {
    ForeignFormat format = ForeignFormat.MCP_MEMORY;
    if (text.isBlank()) {
      throw ChatUnit.malformed("", "empty", format.shape());
    }
    FileUnits file = FileUnits.of(SendableText.paired(text));
    if (file.lines() != FileUnits.Lines.GRAPH) {
      throw ChatUnit.malformed("", "of another format", format.shape());
    }
    return of(file.units());
  }

  static McpMemoryFile of(List<ChatUnit> lines) {
    Map<String, Found> entities = new LinkedHashMap<>();
    Set<Relation> relations = new LinkedHashSet<>();
    for (ChatUnit unit : lines) {
      JsonObject line = unit.object();
      String place = unit.place();
      switch (line.string("type").orElse("")) {
        case "entity" -> {
          String type = text(line, "entityType", place);
          List<String> observations = observations(line, place);
          entities
              .computeIfAbsent(name(line, "name", place), unused -> new Found(type))
              .observations
              .addAll(observations);
        }
        case "relation" ->
            relations.add(
                new Relation(
                    name(line, "from", place),
                    name(line, "to", place),
                    text(line, "relationType", place)));
        default ->
            throw ChatUnit.malformed(
                place + "/type", line.string("type").orElse("none"), "entity or relation");
      }
    }
    List<Entity> found = new ArrayList<>();
    entities.forEach(
        (name, one) -> found.add(new Entity(name, one.type, List.copyOf(one.observations))));
    return new McpMemoryFile(found, List.copyOf(relations));
  }

  private static String name(JsonObject line, String name, String place) {
    String text = text(line, name, place);
    if (text.isBlank() || text.length() > EntityShape.NAME_CHARS) {
      throw ChatUnit.malformed(
          place + "/" + name,
          text.isBlank() ? "blank" : text.length() + " characters",
          "1 to " + EntityShape.NAME_CHARS + " characters");
    }
    return text;
  }

  private static String text(JsonObject line, String name, String place) {
    return line.string(name)
        .orElseThrow(
            () ->
                ChatUnit.malformed(place + "/" + name, kind(line.find(name).orElse(null)), "text"));
  }

  private static List<String> observations(JsonObject line, String place) {
    String name = EntityShape.OBSERVATIONS;
    JsonValue value = line.find(name).orElse(JsonNull.NULL);
    List<String> texts = new ArrayList<>();
    if (value instanceof JsonArray array) {
      array.items().stream()
          .filter(JsonString.class::isInstance)
          .forEach(text -> texts.add(((JsonString) text).value()));
      if (texts.size() == array.size()) {
        return texts;
      }
    }
    throw ChatUnit.malformed(place + "/" + name, kind(line.find(name).orElse(null)), "texts");
  }

  private static String kind(@Nullable JsonValue value) {
    return value == null ? "none" : value.kind();
  }

  /** The blocks of the graph, as the tools of the reference memory server keep it here. */
  public List<ImportedMemory> blocks() {
    Map<String, List<JsonObject>> from = new LinkedHashMap<>();
    entities.forEach(entity -> from.put(entity.name(), new ArrayList<>()));
    for (Relation relation : relations) {
      from.computeIfAbsent(relation.from(), unused -> new ArrayList<>())
          .add(EntityShape.relation(relation.to(), relation.type()));
    }
    Map<String, Entity> known = new LinkedHashMap<>();
    entities.forEach(entity -> known.put(entity.name(), entity));
    List<ImportedMemory> blocks = new ArrayList<>();
    from.forEach((name, leading) -> blocks.add(block(name, known.get(name), leading)));
    return blocks;
  }

  private static ImportedMemory block(
      String name, @Nullable Entity entity, List<JsonObject> relations) {
    return new ImportedMemory(
        ForeignFormat.MCP_MEMORY,
        null,
        EntityShape.label(name),
        EntityShape.description(name),
        MemoryPermission.ADMIN, // agents may delete entities
        EntityShape.BLOCK_CHARS,
        EntityShape.SCHEMA,
        EntityShape.content(
            name,
            entity == null ? null : entity.type(),
            entity == null ? List.of() : entity.observations(),
            relations));
  }

  /** The known facts about an entity while the file is read. */
  private static final class Found {
    private final String type;
    private final Set<String> observations = new LinkedHashSet<>();

    Found(String type) {
      this.type = type;
    }
  }
}
