package dev.contexture.memory;

import dev.contexture.crdt.SharedList;
import dev.contexture.error.ContextureException;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.schema.ListSchema;
import dev.contexture.memory.schema.MemoryErrors;
import dev.contexture.memory.schema.TextSchema;
import dev.contexture.memory.textedit.BaseEdit;
import java.util.ArrayList;
import java.util.List;

/** The operations of a List. */
final class ListPart {
  private final DocumentPart part;
  private final ListSchema schema;
  private final String container;

  ListPart(DocumentPart part, ListSchema schema) {
    this.part = part;
    this.schema = schema;
    this.container = part.prefix() + ContentReader.ITEMS;
  }

  void append(String content) {
    if (!content.isEmpty()) {
      push(schema.item() instanceof TextSchema ? new JsonString(content) : parsed(content));
    }
  }

  /** The JSON that a text is, else the text. */
  static JsonValue parsed(String content) {
    try {
      return JsonValue.parse(content);
    } catch (ContextureException noJson) {
      return new JsonString(content);
    }
  }

  void push(JsonValue given) {
    insert(list().size(), given);
  }

  void insert(int index, JsonValue given) {
    checkIndex(list(), index, true);
    JsonArray before = now();
    JsonValue item = accept(given);
    List<JsonValue> items = new ArrayList<>(before.items());
    items.add(index, item);
    change(before, items, () -> list().insert(index, item.toJson()));
  }

  void insertAt(int index, JsonValue given, long base) {
    JsonValue item = accept(given);
    part.changeAt(
        base,
        fork -> {
          SharedList list = fork.list(container);
          checkIndex(list, index, true);
          list.insert(index, item.toJson());
          return null;
        });
  }

  void set(int index, JsonValue given) {
    checkIndex(list(), index, false);
    JsonArray before = now();
    JsonValue item = accept(given);
    checkReadOnly(before.items().get(index), item);
    List<JsonValue> items = new ArrayList<>(before.items());
    items.set(index, item);
    boolean same = before.items().get(index).toJson().equals(item.toJson());
    change(
        before,
        items,
        () -> {
          if (!same) {
            list().set(index, item.toJson());
          }
        });
  }

  BaseEdit setAt(int index, JsonValue given, long base) {
    JsonValue item = accept(given);
    return part.changeAt(
        base,
        fork -> {
          SharedList list = fork.list(container);
          checkIndex(list, index, false);
          String old = list.get(index);
          checkReadOnly(ContentReader.parse(old), item);
          if (!old.equals(item.toJson())) {
            list.set(index, item.toJson());
          }
          return old;
        });
  }

  void delete(int index) {
    checkIndex(list(), index, false);
    JsonArray before = now();
    List<JsonValue> items = new ArrayList<>(before.items());
    items.remove(index);
    change(before, items, () -> list().delete(index, 1));
  }

  BaseEdit deleteAt(int index, long base) {
    return part.changeAt(base, fork -> deleteSeen(fork.list(container), index));
  }

  /** Deletes an item and returns what it was. */
  static String deleteSeen(SharedList list, int index) {
    checkIndex(list, index, false);
    String seen = list.get(index);
    list.delete(index, 1);
    return seen;
  }

  static void checkIndex(SharedList list, int index, boolean endAllowed) {
    int size = list.size();
    if (index < 0 || index > size || (index == size && !endAllowed)) {
      throw MemoryErrors.index("list", index, size, endAllowed);
    }
  }

  private JsonValue accept(JsonValue given) {
    return part.rules().item(schema.item(), given, "item");
  }

  private void checkReadOnly(JsonValue before, JsonValue after) {
    if (!part.actor().isSystem() && !ReadOnlyItems.agree(schema, before, after)) {
      throw MemoryErrors.readOnly(part.settings(), part.actor(), "a read-only field of an item");
    }
  }

  private void change(JsonArray before, List<JsonValue> items, Runnable change) {
    JsonArray after = new JsonArray(items);
    part.checkProtected(before, after);
    part.change(before, after, document -> change.run());
  }

  private SharedList list() {
    return part.document().list(container);
  }

  private JsonArray now() {
    return ContentReader.array(list().values());
  }
}
