package dev.contexture.memory.content;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonBoolean;
import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.schema.BlockSchema;
import dev.contexture.memory.schema.CompositeSchema;
import dev.contexture.memory.schema.FieldDef;
import dev.contexture.memory.schema.FieldType;
import dev.contexture.memory.schema.ListSchema;
import dev.contexture.memory.schema.LogSchema;
import dev.contexture.memory.schema.MapSchema;
import dev.contexture.memory.schema.SectionDef;
import dev.contexture.memory.schema.TextSchema;
import dev.contexture.memory.schema.ValueWriter;
import dev.contexture.memory.textedit.TextLines;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Content as prompts show it. Pure. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ContentRenderer {
  private static final Pattern HEADER = Pattern.compile("(?m)^(=== .* ===[ \\t\\r]*)$");
  private static final String READ_ONLY = " [read-only]";
  private static final String DONE = "done";

  private ContentRenderer() {}

  /**
   * @param value the content, as {@link ContentReader#read} makes it
   * @param viewports whether texts show only the lines of their viewport
   */
  public static String render(BlockSchema schema, JsonValue value, boolean viewports) {
    return switch (schema) {
      case TextSchema text -> text(text, ((JsonString) value).value(), viewports);
      case MapSchema map -> map(map, (JsonObject) value);
      case ListSchema list -> list(list, (JsonArray) value);
      case LogSchema log -> log(log, (JsonArray) value);
      case CompositeSchema composite -> composite(composite, (JsonObject) value, viewports);
    };
  }

  /** Code points that count against the limit; entries of logs count each for itself. */
  public static int measure(BlockSchema schema, JsonValue value) {
    String rendered =
        switch (schema) {
          case LogSchema _unused -> "";
          case CompositeSchema composite ->
              render(composite, withoutLogs(composite, (JsonObject) value), false);
          case TextSchema _unused -> render(schema, value, false);
          case MapSchema _unused -> render(schema, value, false);
          case ListSchema _unused -> render(schema, value, false);
        };
    return rendered.codePointCount(0, rendered.length());
  }

  private static JsonObject withoutLogs(CompositeSchema schema, JsonObject value) {
    JsonObject.Builder out = value.toBuilder();
    for (SectionDef section : schema.sections()) {
      if (section.schema() instanceof LogSchema) {
        out.put(section.name(), JsonArray.of());
      }
    }
    return out.build();
  }

  private static String text(TextSchema schema, String text, boolean viewports) {
    TextSchema.Viewport window = schema.window();
    if (window == null || !viewports) {
      return text;
    }
    List<String> lines = lines(text);
    if (window.startLine() > lines.size()) {
      return "[lines "
          + window.startLine()
          + "-"
          + window.endLine()
          + " are past the end, text has "
          + lines.size()
          + "]";
    }
    int end = (int) Math.min(window.endLine(), lines.size());
    String shown = String.join("\n", lines.subList(window.startLine() - 1, end));
    return "[lines " + window.startLine() + "-" + end + " of " + lines.size() + "]\n" + shown;
  }

  /** Split at line feeds; a final one opens no line, a carriage return before one is dropped. */
  static List<String> lines(String text) {
    TextLines split = TextLines.of(text);
    List<String> lines = new ArrayList<>(split.lines());
    int fed = split.ended() ? lines.size() : lines.size() - 1;
    for (int i = 0; i < fed; i++) {
      String line = lines.get(i);
      if (line.endsWith("\r")) {
        lines.set(i, line.substring(0, line.length() - 1));
      }
    }
    return lines;
  }

  private static String map(MapSchema schema, JsonObject value) {
    ValueWriter out = new ValueWriter();
    if (schema.isFreeForm()) {
      value.members().forEach((name, member) -> line(out, name, member));
    }
    for (FieldDef field : schema.fields()) {
      JsonValue shown = value.find(field.name()).orElse(field.defaultValue());
      String name = field.readOnly() ? field.name() + READ_ONLY : field.name();
      if (shown instanceof JsonArray items && field.type() == FieldType.LIST) {
        listField(out, name, items);
      } else if (shown != null) {
        line(out, name, shown);
      }
    }
    return out.toString();
  }

  private static void line(ValueWriter out, String name, JsonValue value) {
    out.begin().format(name + ": ").value(value).end();
  }

  private static void listField(ValueWriter out, String name, JsonArray items) {
    if (items.isEmpty()) {
      return;
    }
    out.begin().format(name + ":").end();
    for (JsonValue item : items.items()) {
      out.begin().format("- ").value(item).end();
    }
  }

  private static String list(ListSchema schema, JsonArray items) {
    ValueWriter out = new ValueWriter();
    int position = 0;
    for (JsonValue item : items.items()) {
      position++;
      item(out, schema, position + ". ", item);
    }
    return out.toString();
  }

  /**
   * One item of a list.
   *
   * @param number what stands in front of it, unless it is done or not
   */
  private static void item(ValueWriter out, ListSchema schema, String number, JsonValue item) {
    out.begin();
    JsonObject object = item instanceof JsonObject given ? ordered(schema.item(), given) : null;
    if (object == null) {
      out.format(number).value(item);
    } else if (object.find(DONE).orElse(JsonNull.NULL) instanceof JsonBoolean done) {
      out.format(done.value() ? "[x] " : "[ ] ").pairs(object.without(DONE));
    } else {
      out.format(number).pairs(object);
    }
    out.end();
  }

  /** One item of a list as it is shown, with this number. */
  public static String listItem(ListSchema schema, int number, JsonValue item) {
    ValueWriter out = new ValueWriter();
    item(out, schema, number + ". ", item);
    return out.toString();
  }

  /** Whether the number of an item is shown. */
  public static boolean isNumbered(JsonValue item) {
    return !(item instanceof JsonObject object
        && object.find(DONE).orElse(JsonNull.NULL) instanceof JsonBoolean);
  }

  private static JsonObject ordered(@Nullable BlockSchema schema, JsonObject object) {
    return schema instanceof MapSchema map ? ordered(map.fields(), object) : object;
  }

  /** The members in the order of the schema, others behind them as written. */
  private static JsonObject ordered(List<FieldDef> fields, JsonObject object) {
    if (fields.isEmpty()) {
      return object;
    }
    JsonObject.Builder out = JsonObject.builder();
    for (FieldDef field : fields) {
      object.find(field.name()).ifPresent(value -> out.put(field.name(), value));
    }
    object.members().forEach((name, value) -> out.put(name, value));
    return out.build();
  }

  private static String log(LogSchema schema, JsonArray entries) {
    ValueWriter out = new ValueWriter();
    List<JsonValue> all = entries.items();
    int oldest = Math.max(0, all.size() - schema.displayLimit());
    for (int i = all.size() - 1; i >= oldest; i--) {
      entry(out, schema, all.get(i));
    }
    return out.toString();
  }

  /** One entry of a log as it is shown. */
  public static String logEntry(LogSchema schema, JsonValue entry) {
    ValueWriter out = new ValueWriter();
    entry(out, schema, entry);
    return out.toString();
  }

  private static void entry(ValueWriter out, LogSchema schema, JsonValue stored) {
    out.begin();
    if (stored instanceof JsonObject object) {
      JsonObject rest = object;
      if (schema.entry().timestamp()) {
        mark(out, "[", rest.find(LogSchema.TIMESTAMP).orElse(null), "] ");
        rest = rest.without(LogSchema.TIMESTAMP);
      }
      if (schema.entry().agentId()) {
        mark(out, "(", rest.find(LogSchema.AGENT_ID).orElse(null), ") ");
        rest = rest.without(LogSchema.AGENT_ID);
      }
      JsonObject shown = ordered(schema.entry().fields(), rest);
      if (shown.size() == 1) {
        out.value(shown.members().values().iterator().next());
      } else {
        out.pairs(shown);
      }
    } else {
      out.value(stored);
    }
    out.end();
  }

  private static void mark(ValueWriter out, String open, @Nullable JsonValue value, String close) {
    if (value != null) {
      out.format(open).value(value).format(close);
    }
  }

  private static String composite(CompositeSchema schema, JsonObject value, boolean viewports) {
    List<String> pieces = new ArrayList<>();
    for (SectionDef section : schema.sections()) {
      pieces.add("=== " + section.name() + (section.readOnly() ? READ_ONLY : "") + " ===");
      JsonValue content = value.find(section.name()).orElse(ContentWriter.empty(section.schema()));
      String shown = render(section.schema(), content, viewports);
      if (!shown.isEmpty()) {
        pieces.add(HEADER.matcher(shown).replaceAll("\\\\$1"));
      }
    }
    return String.join("\n\n", pieces);
  }
}
