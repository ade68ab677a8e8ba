package dev.contexture.mcp;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.memory.schema.EntityShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A node of the graph, which is one block: what is known of it, and its relations to others. A node
 * without a type is only the beginning of relations.
 *
 * @param label of its block
 * @param type null: no entity of this name was made
 */
record GraphEntity(
    String label,
    String name,
    @Nullable String type,
    List<String> observations,
    List<Relation> relations) {
  GraphEntity {
    observations = List.copyOf(observations);
    relations = List.copyOf(relations);
  }

  /** A relation from the node that has it. */
  record Relation(String from, String to, String type) {
    JsonObject json() {
      return JsonObject.builder().put("from", from).put("to", to).put("relationType", type).build();
    }

    /** As it is kept, where the node says from which one. */
    JsonObject stored() {
      return EntityShape.relation(to, type);
    }

    static Relation read(JsonObject json) {
      return new Relation(
          EntityShape.checked(json.string("from").orElse("")),
          EntityShape.checked(json.string("to").orElse("")),
          json.string("relationType").orElse(""));
    }
  }

  /** Reads the content of a block. */
  static GraphEntity read(String label, JsonObject content) {
    JsonObject entity = content.object(EntityShape.ENTITY).orElse(JsonObject.EMPTY);
    String name = entity.string(EntityShape.NAME).orElse("");
    List<Relation> relations = new ArrayList<>();
    content
        .array(EntityShape.RELATIONS)
        .ifPresent(
            all ->
                all.items().stream()
                    .filter(JsonObject.class::isInstance)
                    .map(JsonObject.class::cast)
                    .forEach(
                        one ->
                            relations.add(
                                new Relation(
                                    name,
                                    one.string("to").orElse(""),
                                    one.string("type").orElse("")))));
    return new GraphEntity(
        label,
        name,
        entity.string(EntityShape.TYPE).orElse(null),
        ToolInput.texts(content, EntityShape.OBSERVATIONS),
        relations);
  }

  boolean isEntity() {
    return type != null;
  }

  /** Whether name, type or an observation contains a text, in whatever case. */
  boolean contains(String text) {
    String wanted = text.toLowerCase(Locale.ROOT);
    return name.toLowerCase(Locale.ROOT).contains(wanted)
        || (type != null && type.toLowerCase(Locale.ROOT).contains(wanted))
        || observations.stream().anyMatch(one -> one.toLowerCase(Locale.ROOT).contains(wanted));
  }

  JsonObject json() {
    return JsonObject.builder()
        .put("name", name)
        .putIfPresent("entityType", type)
        .put("observations", JsonArray.ofStrings(observations))
        .build();
  }
}
