package dev.contexture.memory;

import dev.contexture.crdt.SharedList;
import dev.contexture.error.ContextureException;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.content.ContentReader;
import dev.contexture.memory.schema.ListSchema;
import dev.contexture.memory.schema.MemoryErrors;
import dev.contexture.memory.schema.TextSchema;
import dev.contexture.memory.textedit.BaseEdit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

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
    String item = accept(given).toJson();
    change(items -> items.add(index, item), () -> list().insert(index, item));
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
    JsonValue item = accept(given);
    JsonValue before = ContentReader.parse(list().get(index));
    checkReadOnly(before, item);
    String text = item.toJson();
    boolean same = before.toJson().equals(text);
    change(
        items -> items.set(index, text),
        () -> {
          if (!same) {
            list().set(index, text);
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
    change(items -> items.remove(index), () -> list().delete(index, 1));
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

  /** Checks what a list will be, then makes it that. */
  private void change(Consumer<List<String>> preview, Runnable change) {
    List<String> before = list().values();
    List<String> after = new ArrayList<>(before);
    preview.accept(after);
    if (ReadOnlyItems.has(schema)) {
      part.checkProtected(ContentReader.array(before), ContentReader.array(after));
    }
    part.changeItems(schema, before, after, document -> change.run());
  }

  private SharedList list() {
    return part.document().list(container);
  }
}
