package dev.contexture.memory;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonFields;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.schema.MemoryErrors;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/** Operations to and from JSON: one row per name, with its members. */
final class MemoryOpJson {
  private static final String OP = "op";
  private static final String SECTION = "section";

  private static final Map<String, Row> ROWS = new LinkedHashMap<>();

  static {
    row("set_text", List.of("text"), in -> new MemoryOp.SetText(in.text("text")));
    row("append", List.of("content"), in -> new MemoryOp.Append(in.text("content")));
    row("append_text", List.of("text"), in -> new MemoryOp.AppendText(in.text("text")));
    row(
        "replace_text",
        List.of("find", "replace"),
        in -> new MemoryOp.ReplaceText(in.text("find"), in.text("replace")));
    row(
        "splice_text",
        List.of("at", "delete", "insert"),
        in -> new MemoryOp.SpliceText(in.index("at"), in.index("delete"), in.text("insert")));
    row(
        "set_field",
        List.of("field", "value"),
        in -> new MemoryOp.SetField(in.text("field"), in.value("value")));
    row(
        "set_text_field",
        List.of("field", "text"),
        in -> new MemoryOp.SetTextField(in.text("field"), in.text("text")));
    row("remove_field", List.of("field"), in -> new MemoryOp.RemoveField(in.text("field")));
    row(
        "append_to_list_field",
        List.of("field", "value"),
        in -> new MemoryOp.AppendToListField(in.text("field"), in.value("value")));
    row(
        "remove_from_list_field",
        List.of("field", "index"),
        in -> new MemoryOp.RemoveFromListField(in.text("field"), in.index("index")));
    row(
        "increment_counter",
        List.of("field", "by"),
        in -> new MemoryOp.IncrementCounter(in.text("field"), in.number("by")));
    row("push_item", List.of("value"), in -> new MemoryOp.PushItem(in.value("value")));
    row(
        "insert_item",
        List.of("index", "value"),
        in -> new MemoryOp.InsertItem(in.index("index"), in.value("value")));
    row(
        "set_item",
        List.of("index", "value"),
        in -> new MemoryOp.SetItem(in.index("index"), in.value("value")));
    row("delete_item", List.of("index"), in -> new MemoryOp.DeleteItem(in.index("index")));
    row("append_log_entry", List.of("entry"), in -> new MemoryOp.AppendLogEntry(in.value("entry")));
    row(
        "set_text_in_section",
        List.of(SECTION, "text"),
        in -> new MemoryOp.SetTextInSection(in.text(SECTION), in.text("text")));
    row(
        "set_field_in_section",
        List.of(SECTION, "field", "value"),
        in ->
            new MemoryOp.SetFieldInSection(in.text(SECTION), in.text("field"), in.value("value")));
    row("import", List.of("value"), in -> new MemoryOp.Import(in.value("value")));
  }

  private MemoryOpJson() {}

  /** The members of an operation, and how it is made of them. */
  private record Row(List<String> members, Function<In, MemoryOp> make) {}

  private static void row(String name, List<String> members, Function<In, MemoryOp> make) {
    ROWS.put(name, new Row(members, make));
  }

  static MemoryOp read(JsonValue json) {
    if (!(json instanceof JsonObject object)) {
      throw ContextureException.invalid(
          ErrorCode.FIELD_TYPE, OP, json.toJson(), "an object with op");
    }
    String name = object.string(OP).orElse("");
    Row row = ROWS.get(name);
    if (row == null) {
      throw MemoryErrors.argument(
          OP,
          object.find(OP).map(JsonValue::toJson).orElse("absent"),
          String.join(", ", ROWS.keySet()));
    }
    Set<String> known = new TreeSet<>(row.members());
    known.add(OP);
    known.add(SECTION);
    JsonFields fields = JsonFields.of(object, known);
    MemoryOp op = row.make().apply(new In(object, fields));
    boolean hasSection = fields.string(SECTION).isPresent() && !row.members().contains(SECTION);
    return hasSection ? op.in(fields.requiredString(SECTION)) : op;
  }

  /** The members of one operation that is read. */
  private record In(JsonObject object, JsonFields fields) {
    String text(String name) {
      return fields.requiredString(name);
    }

    long number(String name) {
      return fields
          .number(name)
          .orElseThrow(
              () ->
                  ContextureException.invalid(
                      ErrorCode.FIELD_REQUIRED, name, null, "a whole number"));
    }

    int index(String name) {
      long number = number(name);
      if (number < 0 || number > Integer.MAX_VALUE) {
        throw MemoryErrors.argument(name, number, "0 to " + Integer.MAX_VALUE);
      }
      return (int) number;
    }

    /** Any value; null is one, absence is not. */
    JsonValue value(String name) {
      return object
          .find(name)
          .orElseThrow(
              () ->
                  ContextureException.invalid(
                      ErrorCode.FIELD_REQUIRED, name, null, "a value; null is one"));
    }
  }

  static JsonObject write(MemoryOp op) {
    return switch (op) {
      case MemoryOp.InSection(String section, MemoryOp inner) ->
          write(inner).toBuilder().put(SECTION, section).build();
      case MemoryOp.SetText(String text) -> named("set_text").put("text", text).build();
      case MemoryOp.Append(String content) -> named("append").put("content", content).build();
      case MemoryOp.AppendText(String text) -> named("append_text").put("text", text).build();
      case MemoryOp.ReplaceText(String find, String replace) ->
          named("replace_text").put("find", find).put("replace", replace).build();
      case MemoryOp.SpliceText(int at, int delete, String insert) ->
          named("splice_text").put("at", at).put("delete", delete).put("insert", insert).build();
      case MemoryOp.SetField(String field, JsonValue value) ->
          named("set_field").put("field", field).put("value", value).build();
      case MemoryOp.SetTextField(String field, String text) ->
          named("set_text_field").put("field", field).put("text", text).build();
      case MemoryOp.RemoveField(String field) -> named("remove_field").put("field", field).build();
      case MemoryOp.AppendToListField(String field, JsonValue value) ->
          named("append_to_list_field").put("field", field).put("value", value).build();
      case MemoryOp.RemoveFromListField(String field, int index) ->
          named("remove_from_list_field").put("field", field).put("index", index).build();
      case MemoryOp.IncrementCounter(String field, long by) ->
          named("increment_counter").put("field", field).put("by", by).build();
      case MemoryOp.PushItem(JsonValue value) -> named("push_item").put("value", value).build();
      case MemoryOp.InsertItem(int index, JsonValue value) ->
          named("insert_item").put("index", index).put("value", value).build();
      case MemoryOp.SetItem(int index, JsonValue value) ->
          named("set_item").put("index", index).put("value", value).build();
      case MemoryOp.DeleteItem(int index) -> named("delete_item").put("index", index).build();
      case MemoryOp.AppendLogEntry(JsonValue entry) ->
          named("append_log_entry").put("entry", entry).build();
      case MemoryOp.SetTextInSection(String section, String text) ->
          named("set_text_in_section").put(SECTION, section).put("text", text).build();
      case MemoryOp.SetFieldInSection(String section, String field, JsonValue value) ->
          named("set_field_in_section")
              .put(SECTION, section)
              .put("field", field)
              .put("value", value)
              .build();
      case MemoryOp.Import(JsonValue value) -> named("import").put("value", value).build();
    };
  }

  private static JsonObject.Builder named(String name) {
    return JsonObject.builder().put(OP, name);
  }
}
