package dev.contexture.mcp;

import dev.contexture.engine.memory.BlockMetadata;
import dev.contexture.engine.memory.BlockSpec;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.mcp.GraphEntity.Relation;
import dev.contexture.memory.StructuredDocument;
import dev.contexture.memory.permission.MemoryPermission;
import dev.contexture.memory.schema.EntityShape;
import dev.contexture.memory.schema.MemoryBlockType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Entities, relations and observations, kept in blocks: one for each entity, so that edits of
 * several hosts merge, and undo, history and permissions are those of blocks. Each change of an
 * entity is one commit.
 */
final class KnowledgeGraph {
  private final AgentMemory memory;

  KnowledgeGraph(AgentMemory memory) {
    this.memory = memory;
  }

  /** All nodes, by label. */
  List<GraphEntity> nodes() {
    List<GraphEntity> nodes = new ArrayList<>();
    for (BlockMetadata block : memory.own()) {
      if (block.label().startsWith(EntityShape.PREFIX)) {
        read(block.label()).ifPresent(nodes::add);
      }
    }
    return nodes;
  }

  /** A node, unless its block is of another shape. */
  private Optional<GraphEntity> read(String label) {
    return memory
        .store()
        .getSnapshot(memory.agent(), label)
        .filter(found -> found.schema().equals(EntityShape.SCHEMA))
        .map(found -> GraphEntity.read(label, (JsonObject) found.value()));
  }

  private Optional<GraphEntity> find(String name) {
    return read(EntityShape.label(name));
  }

  /** Makes an entity; false if there is one of that name. */
  boolean create(String name, String type, List<String> observations) {
    String label = EntityShape.label(name);
    GraphEntity known = find(name).orElse(null);
    if (known == null) {
      return made(label, name, type, observations);
    }
    if (known.isEntity()) {
      return false;
    }
    return edit(
        label,
        "create_entities",
        document -> {
          StructuredDocument entity = document.section(EntityShape.ENTITY);
          if (entity.getField(EntityShape.TYPE).isPresent()) {
            return false;
          }
          entity.setField(EntityShape.TYPE, JsonValue.of(type));
          add(document, observations);
          return true;
        });
  }

  private boolean made(
      String label, String name, @Nullable String type, List<String> observations) {
    try {
      memory
          .store()
          .createBlock(
              memory.agent(),
              BlockSpec.of(label, MemoryBlockType.ARCHIVAL)
                  .description(EntityShape.description(name))
                  .schema(EntityShape.SCHEMA)
                  .charLimit(EntityShape.BLOCK_CHARS)
                  .permission(MemoryPermission.ADMIN) // it may delete what it keeps
                  .content(EntityShape.content(name, type, observations, List.of())));
      return true;
    } catch (ContextureException taken) {
      if (taken.code() == ErrorCode.LABEL_TAKEN && find(name).isPresent()) {
        return false; // another host was faster
      }
      throw taken;
    }
  }

  /**
   * Adds observations that are not there yet.
   *
   * @return those that were added
   * @throws ContextureException {@code not_found} if there is no such entity
   */
  List<String> observe(String name, List<String> contents) {
    requireEntity(name);
    return edit(EntityShape.label(name), "add_observations", document -> add(document, contents));
  }

  void requireEntity(String name) {
    if (find(name).filter(GraphEntity::isEntity).isEmpty()) {
      throw new ContextureException(
          ErrorCode.NOT_FOUND,
          "there is no entity '" + name + "'; nothing was changed; make it with create_entities",
          Map.of("field", "entityName"),
          null);
    }
  }

  private static List<String> add(StructuredDocument document, List<String> contents) {
    StructuredDocument list = document.section(EntityShape.OBSERVATIONS);
    List<JsonValue> known = new ArrayList<>(list.listItems());
    List<String> added = new ArrayList<>();
    for (String content : contents) {
      JsonValue item = JsonValue.of(content);
      if (!known.contains(item)) {
        list.pushItem(item);
        known.add(item);
        added.add(content);
      }
    }
    return added;
  }

  /** Adds a relation; false if it is there. */
  boolean relate(Relation relation) {
    String label = EntityShape.label(relation.from());
    if (find(relation.from()).isEmpty()) {
      made(label, relation.from(), null, List.of());
    }
    return edit(
        label,
        "create_relations",
        document -> {
          StructuredDocument list = document.section(EntityShape.RELATIONS);
          boolean known = list.listItems().contains(relation.stored());
          if (!known) {
            list.pushItem(relation.stored());
          }
          return !known;
        });
  }

  /** Deletes entities, and the relations that lead from them or to them. */
  void delete(List<String> names) {
    for (GraphEntity node : nodes()) {
      if (names.contains(node.name())) {
        memory.delete(node.label());
      } else {
        drop(node, relation -> names.contains(relation.to()), "delete_entities");
      }
    }
  }

  void forget(String name, List<String> observations) {
    if (find(name).isPresent()) {
      edit(
          EntityShape.label(name),
          "delete_observations",
          document ->
              remove(
                  document.section(EntityShape.OBSERVATIONS),
                  item -> item instanceof JsonString text && observations.contains(text.value())));
    }
  }

  void unrelate(Relation relation) {
    find(relation.from()).ifPresent(node -> drop(node, relation::equals, "delete_relations"));
  }

  private void drop(GraphEntity node, Predicate<Relation> which, String message) {
    List<JsonObject> gone = node.relations().stream().filter(which).map(Relation::stored).toList();
    if (gone.isEmpty()) {
      return;
    }
    edit(
        node.label(),
        message,
        document ->
            remove(
                document.section(EntityShape.RELATIONS),
                item -> item instanceof JsonObject stored && gone.contains(stored)));
  }

  private static boolean remove(StructuredDocument list, Predicate<JsonValue> which) {
    List<JsonValue> items = list.listItems();
    for (int i = items.size() - 1; i >= 0; i--) {
      if (which.test(items.get(i))) {
        list.deleteItem(i);
      }
    }
    return true;
  }

  private <T> T edit(
      String label, String message, java.util.function.Function<StructuredDocument, T> edits) {
    return memory.store().edit(memory.agent(), label, message, edits).result();
  }
}
