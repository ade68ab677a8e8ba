package dev.contexture.memory;

import dev.contexture.json.JsonBoolean;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.schema.MemoryErrors;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * One operation on a document as data, as HTTP and tools bring it. Closed. Immutable.
 *
 * <p>In JSON it is an object whose member {@code op} has the name, beside the members of the record
 * and, for one section of a Composite, {@code section}.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public sealed interface MemoryOp {
  /**
   * Reads an operation.
   *
   * @throws dev.contexture.error.ContextureException {@code invalid_argument} for an unknown name,
   *     {@code unknown_field}, {@code field_required} or {@code field_type} for wrong members
   */
  static MemoryOp fromJson(JsonValue json) {
    return MemoryOpJson.read(json);
  }

  /** The operation as JSON. */
  default JsonObject toJson() {
    return MemoryOpJson.write(this);
  }

  /** The operation of the document that this one calls. */
  MemoryOperation operation();

  /**
   * Does it, and says what it gave: {@code {"replaced":…}}, {@code {"value":…}}, {@code
   * {"applied":false,"reason":…}} for an item that others have changed since, or nothing.
   *
   * @param base the version that the author saw; operations without positions ignore it
   */
  JsonObject apply(StructuredDocument document, @Nullable Long base);

  /** Does it on the document as it is now. */
  default JsonObject apply(StructuredDocument document) {
    return apply(document, null);
  }

  /** The same operation in one section. */
  default MemoryOp in(String section) {
    return new InSection(section, this);
  }

  /** An operation in one section of a Composite. */
  record InSection(String section, MemoryOp op) implements MemoryOp {
    public InSection {
      if (op instanceof InSection
          || op instanceof SetTextInSection
          || op instanceof SetFieldInSection) {
        throw MemoryErrors.argument("section", section, "one section for an operation");
      }
    }

    @Override
    public MemoryOperation operation() {
      return op.operation();
    }

    @Override
    public JsonObject apply(StructuredDocument document, @Nullable Long base) {
      return op.apply(document.section(section), base);
    }
  }

  /** {@link StructuredDocument#setText(String)}. */
  record SetText(String text) implements MemoryOp {
    @Override
    public MemoryOperation operation() {
      return MemoryOperation.SET_TEXT;
    }

    @Override
    public JsonObject apply(StructuredDocument document, @Nullable Long base) {
      if (base == null) {
        document.setText(text);
      } else {
        document.setText(text, base);
      }
      return JsonObject.EMPTY;
    }
  }

  /** {@link StructuredDocument#append}. */
  record Append(String content) implements MemoryOp {
    @Override
    public MemoryOperation operation() {
      return MemoryOperation.APPEND;
    }

    @Override
    public JsonObject apply(StructuredDocument document, @Nullable Long base) {
      document.append(content);
      return JsonObject.EMPTY;
    }
  }

  /** {@link StructuredDocument#appendText}. */
  record AppendText(String text) implements MemoryOp {
    @Override
    public MemoryOperation operation() {
      return MemoryOperation.APPEND_TEXT;
    }

    @Override
    public JsonObject apply(StructuredDocument document, @Nullable Long base) {
      document.appendText(text);
      return JsonObject.EMPTY;
    }
  }

  /** {@link StructuredDocument#replaceText}. */
  record ReplaceText(String find, String replace) implements MemoryOp {
    @Override
    public MemoryOperation operation() {
      return MemoryOperation.REPLACE_TEXT;
    }

    @Override
    public JsonObject apply(StructuredDocument document, @Nullable Long base) {
      return JsonObject.of("replaced", new JsonBoolean(document.replaceText(find, replace)));
    }
  }

  /** {@link StructuredDocument#splice(int, int, String)}. */
  record SpliceText(int at, int delete, String insert) implements MemoryOp {
    @Override
    public MemoryOperation operation() {
      return MemoryOperation.SPLICE;
    }

    @Override
    public JsonObject apply(StructuredDocument document, @Nullable Long base) {
      if (base == null) {
        document.splice(at, delete, insert);
      } else {
        document.splice(at, delete, insert, base);
      }
      return JsonObject.EMPTY;
    }
  }

  /** {@link StructuredDocument#setField}. */
  record SetField(String field, JsonValue value) implements MemoryOp {
    @Override
    public MemoryOperation operation() {
      return MemoryOperation.SET_FIELD;
    }

    @Override
    public JsonObject apply(StructuredDocument document, @Nullable Long base) {
      document.setField(field, value);
      return JsonObject.EMPTY;
    }
  }

  /** {@link StructuredDocument#setTextField}. */
  record SetTextField(String field, String text) implements MemoryOp {
    @Override
    public MemoryOperation operation() {
      return MemoryOperation.SET_TEXT_FIELD;
    }

    @Override
    public JsonObject apply(StructuredDocument document, @Nullable Long base) {
      document.setTextField(field, text);
      return JsonObject.EMPTY;
    }
  }

  /** {@link StructuredDocument#removeField}. */
  record RemoveField(String field) implements MemoryOp {
    @Override
    public MemoryOperation operation() {
      return MemoryOperation.REMOVE_FIELD;
    }

    @Override
    public JsonObject apply(StructuredDocument document, @Nullable Long base) {
      document.removeField(field);
      return JsonObject.EMPTY;
    }
  }

  /** {@link StructuredDocument#appendToListField}. */
  record AppendToListField(String field, JsonValue value) implements MemoryOp {
    @Override
    public MemoryOperation operation() {
      return MemoryOperation.APPEND_TO_LIST_FIELD;
    }

    @Override
    public JsonObject apply(StructuredDocument document, @Nullable Long base) {
      document.appendToListField(field, value);
      return JsonObject.EMPTY;
    }
  }

  /** {@link StructuredDocument#removeFromListField(String, int)}. */
  record RemoveFromListField(String field, int index) implements MemoryOp {
    @Override
    public MemoryOperation operation() {
      return MemoryOperation.REMOVE_FROM_LIST_FIELD;
    }

    @Override
    public JsonObject apply(StructuredDocument document, @Nullable Long base) {
      if (base == null) {
        document.removeFromListField(field, index);
      } else {
        return document.removeFromListField(field, index, base).json();
      }
      return JsonObject.EMPTY;
    }
  }

  /** {@link StructuredDocument#incrementCounter}. */
  record IncrementCounter(String field, long by) implements MemoryOp {
    @Override
    public MemoryOperation operation() {
      return MemoryOperation.INCREMENT_COUNTER;
    }

    @Override
    public JsonObject apply(StructuredDocument document, @Nullable Long base) {
      return JsonObject.of("value", JsonValue.of(document.incrementCounter(field, by)));
    }
  }

  /** {@link StructuredDocument#pushItem}. */
  record PushItem(JsonValue value) implements MemoryOp {
    @Override
    public MemoryOperation operation() {
      return MemoryOperation.PUSH_ITEM;
    }

    @Override
    public JsonObject apply(StructuredDocument document, @Nullable Long base) {
      document.pushItem(value);
      return JsonObject.EMPTY;
    }
  }

  /** {@link StructuredDocument#insertItem(int, JsonValue)}. */
  record InsertItem(int index, JsonValue value) implements MemoryOp {
    @Override
    public MemoryOperation operation() {
      return MemoryOperation.INSERT_ITEM;
    }

    @Override
    public JsonObject apply(StructuredDocument document, @Nullable Long base) {
      if (base == null) {
        document.insertItem(index, value);
      } else {
        document.insertItem(index, value, base);
      }
      return JsonObject.EMPTY;
    }
  }

  /** {@link StructuredDocument#setItem(int, JsonValue)}. */
  record SetItem(int index, JsonValue value) implements MemoryOp {
    @Override
    public MemoryOperation operation() {
      return MemoryOperation.SET_ITEM;
    }

    @Override
    public JsonObject apply(StructuredDocument document, @Nullable Long base) {
      if (base == null) {
        document.setItem(index, value);
      } else {
        return document.setItem(index, value, base).json();
      }
      return JsonObject.EMPTY;
    }
  }

  /** {@link StructuredDocument#deleteItem(int)}. */
  record DeleteItem(int index) implements MemoryOp {
    @Override
    public MemoryOperation operation() {
      return MemoryOperation.DELETE_ITEM;
    }

    @Override
    public JsonObject apply(StructuredDocument document, @Nullable Long base) {
      if (base == null) {
        document.deleteItem(index);
      } else {
        return document.deleteItem(index, base).json();
      }
      return JsonObject.EMPTY;
    }
  }

  /** {@link StructuredDocument#appendLogEntry}. */
  record AppendLogEntry(JsonValue entry) implements MemoryOp {
    @Override
    public MemoryOperation operation() {
      return MemoryOperation.APPEND_LOG_ENTRY;
    }

    @Override
    public JsonObject apply(StructuredDocument document, @Nullable Long base) {
      document.appendLogEntry(entry);
      return JsonObject.EMPTY;
    }
  }

  /** {@link StructuredDocument#setTextInSection}. */
  record SetTextInSection(String section, String text) implements MemoryOp {
    @Override
    public MemoryOperation operation() {
      return MemoryOperation.SET_TEXT_IN_SECTION;
    }

    @Override
    public JsonObject apply(StructuredDocument document, @Nullable Long base) {
      if (base == null) {
        document.setTextInSection(text, section);
      } else {
        document.section(section).setText(text, base);
      }
      return JsonObject.EMPTY;
    }
  }

  /** {@link StructuredDocument#setFieldInSection}. */
  record SetFieldInSection(String section, String field, JsonValue value) implements MemoryOp {
    @Override
    public MemoryOperation operation() {
      return MemoryOperation.SET_FIELD_IN_SECTION;
    }

    @Override
    public JsonObject apply(StructuredDocument document, @Nullable Long base) {
      document.setFieldInSection(field, value, section);
      return JsonObject.EMPTY;
    }
  }

  /** {@link StructuredDocument#importJson}. */
  record Import(JsonValue value) implements MemoryOp {
    @Override
    public MemoryOperation operation() {
      return MemoryOperation.IMPORT_JSON;
    }

    @Override
    public JsonObject apply(StructuredDocument document, @Nullable Long base) {
      document.importJson(value);
      return JsonObject.EMPTY;
    }
  }
}
