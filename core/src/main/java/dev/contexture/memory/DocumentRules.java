package dev.contexture.memory;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.content.ContentReader;
import dev.contexture.memory.content.ContentRenderer;
import dev.contexture.memory.content.ContentWriter;
import dev.contexture.memory.permission.Actor;
import dev.contexture.memory.schema.BlockSchema;
import dev.contexture.memory.schema.CompositeSchema;
import dev.contexture.memory.schema.DocumentSettings;
import dev.contexture.memory.schema.FieldDef;
import dev.contexture.memory.schema.FieldType;
import dev.contexture.memory.schema.ListSchema;
import dev.contexture.memory.schema.LogSchema;
import dev.contexture.memory.schema.MapSchema;
import dev.contexture.memory.schema.MemoryErrors;
import dev.contexture.memory.schema.MemoryLimits;
import dev.contexture.memory.schema.SectionDef;
import dev.contexture.memory.schema.TextSchema;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Rules about whole documents, decided from the content before and after a change. Pure. */
final class DocumentRules {
  private DocumentRules() {}

  static String sectionNames(CompositeSchema schema) {
    return schema.sections().stream().map(SectionDef::name).collect(Collectors.joining(", "));
  }

  /**
   * Refuses a change of a read-only field or section, or of a stored log entry.
   *
   * @throws ContextureException {@code read_only} unless the actor is the system
   */
  static void checkProtected(
      DocumentSettings settings, Actor actor, JsonValue before, JsonValue after) {
    if (!actor.isSystem()) {
      checkProtected(settings, actor, touched(settings.schema(), before, after, ""));
    }
  }

  /**
   * As above.
   *
   * @param touched the first protected part that differs; empty: there is none
   */
  static void checkProtected(DocumentSettings settings, Actor actor, String touched) {
    if (!touched.isEmpty()) {
      throw MemoryErrors.readOnly(settings, actor, touched);
    }
  }

  /** The first protected part that differs; empty if there is none. */
  static String touched(BlockSchema schema, JsonValue before, JsonValue after, String prefix) {
    return switch (schema) {
      case TextSchema _unused -> "";
      case MapSchema map -> {
        for (FieldDef field : map.fields()) {
          if (field.readOnly() && differ((JsonObject) before, (JsonObject) after, field.name())) {
            yield "field " + prefix + field.name();
          }
        }
        yield "";
      }
      case ListSchema list -> ReadOnlyItems.touched(list, (JsonArray) before, (JsonArray) after);
      case LogSchema _unused ->
          isSubsequence((JsonArray) before, (JsonArray) after) ? "" : "a stored log entry";
      case CompositeSchema composite -> {
        for (SectionDef section : composite.sections()) {
          JsonObject was = (JsonObject) before;
          JsonObject is = (JsonObject) after;
          boolean differ = differ(was, is, section.name());
          if (differ && section.readOnly()) {
            yield "section " + section.name();
          }
          String inner =
              differ
                  ? touched(
                      section.schema(),
                      part(was, section),
                      part(is, section),
                      ContentReader.prefix(section.name()))
                  : "";
          if (!inner.isEmpty()) {
            yield inner;
          }
        }
        yield "";
      }
    };
  }

  private static JsonValue part(JsonObject sections, SectionDef section) {
    return sections.find(section.name()).orElse(ContentWriter.empty(section.schema()));
  }

  private static boolean differ(JsonObject before, JsonObject after, String name) {
    return !text(before, name).equals(text(after, name));
  }

  private static String text(JsonObject object, String name) {
    return object.find(name).map(JsonValue::toJson).orElse("");
  }

  private static boolean isSubsequence(JsonArray before, JsonArray after) {
    Iterator<JsonValue> rest = after.items().iterator();
    for (JsonValue entry : before.items()) {
      String wanted = entry.toJson();
      boolean found = false;
      while (!found && rest.hasNext()) {
        found = rest.next().toJson().equals(wanted);
      }
      if (!found) {
        return false;
      }
    }
    return true;
  }

  /**
   * Refuses a change that makes a limit more exceeded than it was.
   *
   * @throws ContextureException {@code limit_exceeded}
   */
  static void checkGrowth(DocumentSettings settings, JsonValue before, JsonValue after) {
    checkGrowth(measures(settings, before), measures(settings, after));
  }

  /**
   * As above, for a Text of which only the lengths are known.
   *
   * @param before its code points
   */
  static void checkTextGrowth(DocumentSettings settings, long before, long after) {
    checkGrowth(List.of(length(settings, before)), List.of(length(settings, after)));
  }

  /** As above, for a List. */
  static void checkListGrowth(
      DocumentSettings settings, ListSchema schema, ItemLengths before, ItemLengths after) {
    checkGrowth(
        List.of(length(settings, before.total()), items(settings, schema, before.size(), "")),
        List.of(length(settings, after.total()), items(settings, schema, after.size(), "")));
  }

  private static void checkGrowth(List<Measure> now, List<Measure> then) {
    for (Measure measure : then) {
      boolean grows =
          now.stream()
              .filter(old -> old.name().equals(measure.name()))
              .allMatch(old -> measure.actual() > old.actual());
      if (measure.isExceeded() && grows) {
        throw ContextureException.limit(
            ErrorCode.LIMIT_EXCEEDED,
            measure.name(),
            measure.limit(),
            measure.actual(),
            measure.unit());
      }
    }
  }

  /** A count against its limit. */
  private record Measure(String name, long actual, long limit, String unit) {
    boolean isExceeded() {
      return actual > limit;
    }
  }

  private static List<Measure> measures(DocumentSettings settings, JsonValue value) {
    List<Measure> out = new ArrayList<>();
    BlockSchema schema = settings.schema();
    out.add(length(settings, ContentRenderer.measure(schema, value)));
    addCounts(out, settings, schema, value, "");
    return out;
  }

  private static Measure length(DocumentSettings settings, long codePoints) {
    return new Measure("char_limit", codePoints, settings.charLimit(), "code points");
  }

  private static Measure items(
      DocumentSettings settings, ListSchema schema, int size, String prefix) {
    int most = schema.maxItems().orElse(settings.limits().items());
    return new Measure(prefix + "items", size, most, "items");
  }

  private static void addCounts(
      List<Measure> out,
      DocumentSettings settings,
      BlockSchema schema,
      JsonValue value,
      String prefix) {
    MemoryLimits limits = settings.limits();
    switch (schema) {
      case TextSchema _unused -> {}
      case MapSchema map -> {
        JsonObject object = (JsonObject) value;
        out.add(new Measure(prefix + "fields", object.size(), limits.fields(), "fields"));
        for (FieldDef field : map.fields()) {
          if (object.find(field.name()).orElse(null) instanceof JsonArray items
              && field.type() == FieldType.LIST) {
            out.add(new Measure(prefix + field.name(), items.size(), limits.items(), "items"));
          }
        }
      }
      case ListSchema list -> out.add(items(settings, list, ((JsonArray) value).size(), prefix));
      case LogSchema log -> {
        List<JsonValue> entries = ((JsonArray) value).items();
        out.add(new Measure(prefix + "entries", entries.size(), limits.logEntries(), "entries"));
        long longest = 0;
        for (JsonValue entry : entries) {
          longest = Math.max(longest, entryLength(log, entry));
        }
        out.add(new Measure(prefix + "entry", longest, settings.charLimit(), "code points"));
      }
      case CompositeSchema composite -> {
        for (SectionDef section : composite.sections()) {
          addCounts(
              out,
              settings,
              section.schema(),
              part((JsonObject) value, section),
              ContentReader.prefix(section.name()));
        }
      }
    }
  }

  static int entryLength(LogSchema schema, JsonValue entry) {
    String shown = ContentRenderer.logEntry(schema, entry);
    return shown.codePointCount(0, shown.length());
  }

  /** What a document lacks or has too much of. */
  static List<DocumentProblem> problems(DocumentSettings settings, JsonValue value) {
    List<DocumentProblem> out = new ArrayList<>();
    addMissing(out, settings.schema(), value, "");
    for (Measure measure : measures(settings, value)) {
      if (measure.isExceeded()) {
        out.add(
            new DocumentProblem(
                ErrorCode.LIMIT_EXCEEDED,
                measure.name(),
                Long.toString(measure.actual()),
                "at most " + measure.limit() + " " + measure.unit()));
      }
    }
    return out;
  }

  private static void addMissing(
      List<DocumentProblem> out, BlockSchema schema, JsonValue value, String prefix) {
    if (schema instanceof MapSchema map) {
      for (FieldDef field : map.fields()) {
        boolean lacks = field.defaultValue() == null && !((JsonObject) value).has(field.name());
        if (field.required() && lacks) {
          out.add(
              new DocumentProblem(
                  ErrorCode.FIELD_REQUIRED,
                  prefix + field.name(),
                  "absent",
                  field.type().allowed()));
        }
      }
    } else if (schema instanceof CompositeSchema composite) {
      for (SectionDef section : composite.sections()) {
        addMissing(
            out,
            section.schema(),
            part((JsonObject) value, section),
            ContentReader.prefix(section.name()));
      }
    }
  }

  /** The sections and fields that differ; the empty name if the content has no parts. */
  static Set<String> changed(BlockSchema schema, JsonValue before, JsonValue after) {
    Set<String> out = new TreeSet<>();
    if (before.toJson().equals(after.toJson())) {
      return out;
    }
    switch (schema) {
      case TextSchema _unused -> out.add("");
      case ListSchema _unused -> out.add("");
      case LogSchema _unused -> out.add("");
      case MapSchema _unused -> {
        out.add("");
        Set<String> names = new LinkedHashSet<>(((JsonObject) before).keys());
        names.addAll(((JsonObject) after).keys());
        for (String name : names) {
          if (differ((JsonObject) before, (JsonObject) after, name)) {
            out.add(name);
          }
        }
      }
      case CompositeSchema composite -> {
        out.add("");
        for (SectionDef section : composite.sections()) {
          JsonValue was = part((JsonObject) before, section);
          JsonValue is = part((JsonObject) after, section);
          for (String inner : changed(section.schema(), was, is)) {
            out.add(inner.isEmpty() ? section.name() : section.name() + "/" + inner);
          }
        }
      }
    }
    return out;
  }
}
