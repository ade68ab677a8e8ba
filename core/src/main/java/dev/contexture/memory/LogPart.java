package dev.contexture.memory;

import dev.contexture.crdt.SharedList;
import dev.contexture.error.ContextureException;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.content.ContentReader;
import dev.contexture.memory.schema.FieldDef;
import dev.contexture.memory.schema.FieldType;
import dev.contexture.memory.schema.LogSchema;
import dev.contexture.memory.schema.MemoryErrors;
import dev.contexture.memory.schema.ValueRules;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The operations of a Log. Adding an entry does not read the others. */
final class LogPart {
  private static final String MESSAGE = "message";

  private final DocumentPart part;
  private final LogSchema schema;
  private final String container;

  LogPart(DocumentPart part, LogSchema schema) {
    this.part = part;
    this.schema = schema;
    this.container = part.prefix() + ContentReader.ENTRIES;
  }

  void append(String content) {
    if (!content.isEmpty()) {
      add(entry(content));
    }
  }

  private JsonValue entry(String content) {
    try {
      if (JsonValue.parse(content) instanceof JsonObject object) {
        return object;
      }
    } catch (ContextureException noJson) {
      // Then it is the text of an entry.
      return message(content);
    }
    return message(content);
  }

  private JsonObject message(String content) {
    String field =
        schema.entry().fields().stream()
            .filter(declared -> declared.type() == FieldType.TEXT)
            .map(FieldDef::name)
            .findFirst()
            .orElse(MESSAGE);
    return JsonObject.of(field, new JsonString(content));
  }

  void add(JsonValue given) {
    JsonObject checked = part.rules().logEntry(schema, given);
    checkReadOnly(checked);
    JsonObject entry = ValueRules.stamped(schema, checked, part.actor(), part.handle().host.now());
    int limit = part.settings().charLimit();
    MemoryErrors.atMost("entry", limit, DocumentRules.entryLength(schema, entry), "code points");
    SharedList list = part.document().list(container);
    MemoryErrors.atMost(
        "entries", part.settings().limits().logEntries(), list.size() + 1L, "entries");
    part.apply(document -> document.list(container).add(entry.toJson()));
  }

  private void checkReadOnly(JsonObject entry) {
    if (part.actor().isSystem()) {
      return;
    }
    for (FieldDef field : schema.entry().fields()) {
      JsonValue given = entry.find(field.name()).orElse(null);
      JsonValue unset = field.defaultValue();
      boolean same = given == null || (unset != null && unset.toJson().equals(given.toJson()));
      if (field.readOnly() && !same) {
        throw MemoryErrors.readOnly(
            part.settings(), part.actor(), "field " + field.name() + " of an entry");
      }
    }
  }

  /** Newest first; the display limit unless another is given. */
  List<JsonValue> newest(@Nullable Integer limit) {
    if (limit != null && limit < 0) {
      throw MemoryErrors.argument("limit", limit, "0 or more");
    }
    int most = limit == null ? schema.displayLimit() : limit;
    SharedList list = part.document().list(container);
    List<JsonValue> entries = new ArrayList<>();
    for (int i = list.size() - 1; i >= 0 && entries.size() < most; i--) {
      entries.add(ContentReader.parse(list.get(i)));
    }
    return entries;
  }
}
