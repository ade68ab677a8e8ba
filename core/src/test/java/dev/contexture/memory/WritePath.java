package dev.contexture.memory;

import static dev.contexture.memory.Docs.json;

import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.permission.OperationClass;
import dev.contexture.memory.schema.BlockSchema;
import dev.contexture.memory.schema.CompositeSchema;
import dev.contexture.memory.schema.FieldDef;
import dev.contexture.memory.schema.FieldType;
import dev.contexture.memory.schema.ListSchema;
import dev.contexture.memory.schema.LogSchema;
import dev.contexture.memory.schema.MapSchema;
import dev.contexture.memory.schema.SectionDef;
import dev.contexture.memory.schema.TextSchema;
import dev.contexture.memory.textedit.LineRange;
import dev.contexture.memory.textedit.TextPatch;
import dev.contexture.memory.textedit.TextReplacement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** One way to write: a schema with content, and the call. */
record WritePath(
    String name,
    OperationClass operation,
    BlockSchema schema,
    JsonValue content,
    Consumer<StructuredDocument> call) {
  static final BlockSchema LIST = ListSchema.ofAnything();
  private static final BlockSchema LOG =
      new LogSchema(9, new LogSchema.EntrySchema(false, false, List.of()));
  private static final MapSchema FIELDS =
      MapSchema.of(
          FieldDef.of("t", FieldType.TEXT),
          FieldDef.of("l", FieldType.LIST),
          FieldDef.of("c", FieldType.COUNTER));
  static final JsonValue X = new JsonString("x");

  /** Content for a kind, so that each call below would change something. */
  private static final Map<BlockSchema, JsonValue> START =
      Map.of(
          TextSchema.PLAIN,
          json("'abc'"),
          LIST,
          json("['a','b']"),
          LOG,
          json("[{'message':'a'}]"),
          FIELDS,
          json("{'t':'a','l':['a'],'c':1}"));

  static final Map<String, List<WritePath>> PATHS = new LinkedHashMap<>();

  private static void path(
      String method,
      OperationClass operation,
      BlockSchema schema,
      Consumer<StructuredDocument> call) {
    JsonValue start = Objects.requireNonNull(START.get(schema));
    PATHS
        .computeIfAbsent(method, name -> new ArrayList<>())
        .add(new WritePath(method, operation, schema, start, call));
  }

  static {
    OperationClass append = OperationClass.APPEND;
    OperationClass overwrite = OperationClass.OVERWRITE;
    BlockSchema text = TextSchema.PLAIN;
    path("appendText", append, text, d -> d.appendText("x"));
    path("append", append, text, d -> d.append("x"));
    path("append", append, LIST, d -> d.append("x"));
    path("append", append, LOG, d -> d.append("x"));
    path("setText", overwrite, text, d -> d.setText("x"));
    path("setText", overwrite, text, d -> d.setText("x", d.version()));
    path("replaceText", overwrite, text, d -> d.replaceText("b", "x"));
    path("splice", overwrite, text, d -> d.splice(0, 1, "x"));
    path("splice", overwrite, text, d -> d.splice(3, 0, "x")); // at the end, too
    path("splice", overwrite, text, d -> d.splice(0, 1, "x", d.version()));
    path("editText", overwrite, text, d -> d.editText(replacing(TextReplacement.Mode.FIRST)));
    path("editText", overwrite, text, d -> d.editText(replacing(TextReplacement.Mode.ALL)));
    path("editText", overwrite, text, d -> d.editText(replacing(TextReplacement.Mode.NTH)));
    path("editText", overwrite, text, d -> d.editText(replacing(TextReplacement.Mode.REGEX)));
    path("editText", overwrite, text, d -> d.editText(TextPatch.parse("@@ -1 +1 @@\n-abc\n+x")));
    path("editText", overwrite, text, d -> d.editText(new LineRange(1, 1, "x")));
    path("pushItem", append, LIST, d -> d.pushItem(X));
    path("insertItem", append, LIST, d -> d.insertItem(2, X));
    path("insertItem", overwrite, LIST, d -> d.insertItem(0, X));
    path("insertItem", overwrite, LIST, d -> d.insertItem(2, X, d.version()));
    path("setItem", overwrite, LIST, d -> d.setItem(0, X));
    path("setItem", overwrite, LIST, d -> d.setItem(0, X, d.version()));
    path("deleteItem", overwrite, LIST, d -> d.deleteItem(0));
    path("deleteItem", overwrite, LIST, d -> d.deleteItem(0, d.version()));
    path("appendLogEntry", append, LOG, d -> d.appendLogEntry(json("{'message':'x'}")));
    path("setField", overwrite, FIELDS, d -> d.setField("t", X));
    path("setField", overwrite, FIELDS, d -> d.setField("c", JsonValue.of(9)));
    path("setField", overwrite, FIELDS, d -> d.setField("l", json("['a','x']")));
    path("setTextField", overwrite, FIELDS, d -> d.setTextField("t", "x"));
    path("removeField", overwrite, FIELDS, d -> d.removeField("t"));
    path("appendToListField", append, FIELDS, d -> d.appendToListField("l", X));
    path("removeFromListField", overwrite, FIELDS, d -> d.removeFromListField("l", 0));
    path("removeFromListField", overwrite, FIELDS, d -> d.removeFromListField("l", 0, d.version()));
    path("incrementCounter", overwrite, FIELDS, d -> d.incrementCounter("c", 1));
    path("importJson", overwrite, text, d -> d.importJson(X));
    path("importJson", overwrite, LIST, d -> d.importJson(json("['a','b','x']")));
    path(
        "importJson", overwrite, LOG, d -> d.importJson(json("[{'message':'a'},{'message':'x'}]")));
    path("importJson", overwrite, FIELDS, d -> d.importJson(json("{'t':'x','l':[],'c':2}")));
    path("applyUpdates", overwrite, text, d -> d.applyUpdates(updates(text)));
    path("applyUpdates", overwrite, LIST, d -> d.applyUpdates(updates(LIST)));
  }

  private static TextReplacement replacing(TextReplacement.Mode mode) {
    return new TextReplacement("b", "x", mode, 1);
  }

  /** Only for a whole document, or only as a shortcut for a section. */
  private static final Set<String> NOT_IN_SECTIONS = Set.of("applyUpdates");

  static final List<WritePath> SHORTCUTS =
      List.of(
          new WritePath(
              "setTextInSection",
              OperationClass.OVERWRITE,
              composite(TextSchema.PLAIN),
              json("{'s':'abc'}"),
              d -> d.setTextInSection("x", "s")),
          new WritePath(
              "setFieldInSection",
              OperationClass.OVERWRITE,
              composite(FIELDS),
              json("{'s':{'t':'a'}}"),
              d -> d.setFieldInSection("t", X, "s")));

  private static CompositeSchema composite(BlockSchema schema) {
    return CompositeSchema.of(SectionDef.of("s", schema));
  }

  static byte[] updates(BlockSchema schema) {
    StructuredDocument other = Docs.doc(schema);
    other.append("other");
    other.commit();
    return other.exportUpdates();
  }

  /** Every path on a whole document and inside a section. */
  static Stream<WritePath> paths() {
    List<WritePath> plain = PATHS.values().stream().flatMap(List::stream).toList();
    Stream<WritePath> sections =
        plain.stream()
            .filter(path -> !NOT_IN_SECTIONS.contains(path.name()))
            .map(
                path ->
                    new WritePath(
                        path.name() + " in section",
                        path.operation(),
                        composite(path.schema()),
                        JsonValue.parse("{\"s\":" + path.content().toJson() + "}"),
                        d -> path.call().accept(d.section("s"))));
    return Stream.of(plain.stream(), sections, SHORTCUTS.stream()).flatMap(s -> s);
  }

  @Override
  public String toString() {
    return name;
  }
}
