package dev.contexture.memory.content;

import dev.contexture.crdt.Document;
import dev.contexture.crdt.DocumentView;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.schema.BlockSchema;
import dev.contexture.memory.schema.CompositeSchema;
import dev.contexture.memory.schema.FieldDef;
import dev.contexture.memory.schema.ListSchema;
import dev.contexture.memory.schema.LogSchema;
import dev.contexture.memory.schema.MapSchema;
import dev.contexture.memory.schema.SectionDef;
import dev.contexture.memory.schema.TextSchema;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/*
 * Where content is kept in a document that merges. A part is the document itself (prefix empty) or
 * a section (prefix "NAME/"; no name has a slash). By kind of its schema a part has
 *
 *   Text   the text  PREFIX "text"
 *   List   the list  PREFIX "items", one JSON text per item
 *   Log    the list  PREFIX "entries", one JSON text per entry, oldest first
 *   Map    the map   PREFIX "fields", one JSON text per field, and beside it
 *            for a List field the list    PREFIX "field/" NAME; the map then holds "[]" under the
 *              name as a mark that the field is set, though it may be empty
 *            for a Counter the counter PREFIX "field/" NAME: what it differs from its default
 *
 * JSON texts keep number text and key order.
 */
/** Reads the content of a document as one JSON value. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ContentReader {
  public static final String TEXT = "text";
  public static final String ITEMS = "items";
  public static final String ENTRIES = "entries";
  public static final String FIELDS = "fields";
  public static final String FIELD = "field/";
  static final String LIST_MARK = "[]";

  private static final BigInteger MIN = BigInteger.valueOf(Long.MIN_VALUE);
  private static final BigInteger MAX = BigInteger.valueOf(Long.MAX_VALUE);

  private ContentReader() {}

  /** The values of a document now or at a version. */
  public interface Values {
    String text(String name);

    List<String> list(String name);

    Map<String, String> map(String name);

    long counter(String name);

    static Values of(DocumentView view) {
      return new Values() {
        @Override
        public String text(String name) {
          return view.text(name);
        }

        @Override
        public List<String> list(String name) {
          return view.list(name);
        }

        @Override
        public Map<String, String> map(String name) {
          return view.map(name);
        }

        @Override
        public long counter(String name) {
          return view.counter(name);
        }
      };
    }

    static Values of(Document document) {
      return new Values() {
        @Override
        public String text(String name) {
          return document.text(name).toString();
        }

        @Override
        public List<String> list(String name) {
          return document.list(name).values();
        }

        @Override
        public Map<String, String> map(String name) {
          return document.map(name).values();
        }

        @Override
        public long counter(String name) {
          return document.counter(name).value();
        }
      };
    }
  }

  public static String prefix(@Nullable String section) {
    return section == null ? "" : section + "/";
  }

  /** The whole content. */
  public static JsonValue read(Values values, BlockSchema schema) {
    return read(values, schema, "");
  }

  public static JsonValue read(Values values, BlockSchema schema, String prefix) {
    return switch (schema) {
      case TextSchema _unused -> new JsonString(values.text(prefix + TEXT));
      case MapSchema map -> fields(values, map, prefix);
      case ListSchema _unused -> array(values.list(prefix + ITEMS));
      case LogSchema _unused -> array(values.list(prefix + ENTRIES));
      case CompositeSchema composite -> {
        JsonObject.Builder out = JsonObject.builder();
        for (SectionDef section : composite.sections()) {
          out.put(section.name(), read(values, section.schema(), prefix(section.name())));
        }
        yield out.build();
      }
    };
  }

  /** As much of the content as prompts show: of a log, its newest entries. */
  public static JsonValue readShown(Values values, BlockSchema schema) {
    return switch (schema) {
      case LogSchema log -> newest(values.list(ENTRIES), log.displayLimit());
      case CompositeSchema composite -> {
        JsonObject.Builder out = JsonObject.builder();
        for (SectionDef section : composite.sections()) {
          String prefix = prefix(section.name());
          out.put(
              section.name(),
              section.schema() instanceof LogSchema log
                  ? newest(values.list(prefix + ENTRIES), log.displayLimit())
                  : read(values, section.schema(), prefix));
        }
        yield out.build();
      }
      case TextSchema _unused -> read(values, schema);
      case MapSchema _unused -> read(values, schema);
      case ListSchema _unused -> read(values, schema);
    };
  }

  private static JsonArray newest(List<String> entries, int most) {
    return array(entries.subList(Math.max(0, entries.size() - most), entries.size()));
  }

  private static JsonObject fields(Values values, MapSchema schema, String prefix) {
    Map<String, String> stored = values.map(prefix + FIELDS);
    JsonObject.Builder out = JsonObject.builder();
    if (schema.isFreeForm()) {
      stored.forEach((name, text) -> out.put(name, parse(text)));
    }
    for (FieldDef field : schema.fields()) {
      JsonValue value = field(values, stored, field, prefix);
      if (value != null) {
        out.put(field.name(), value);
      }
    }
    return out.build();
  }

  /** What a declared field is set to; null if it is unset. A counter is never unset. */
  private static @Nullable JsonValue field(
      Values values, Map<String, String> stored, FieldDef field, String prefix) {
    String text = stored.get(field.name());
    return switch (field.type()) {
      case COUNTER -> JsonValue.of(clamped(exactCounter(values, field, prefix)));
      case LIST -> {
        List<String> items = values.list(prefix + FIELD + field.name());
        yield text == null && items.isEmpty() ? null : array(items);
      }
      case TEXT, NUMBER, BOOLEAN, TIMESTAMP -> text == null ? null : parse(text);
    };
  }

  /** Default plus all increments. */
  public static BigInteger exactCounter(Values values, FieldDef field, String prefix) {
    long sum = values.counter(prefix + FIELD + field.name());
    return BigInteger.valueOf(start(field)).add(BigInteger.valueOf(sum));
  }

  /** What a counter starts at. */
  public static long start(FieldDef field) {
    return field.whenUnset().map(ContentReader::toLong).orElse(0L);
  }

  static long toLong(JsonValue value) {
    return value instanceof JsonNumber number ? number.asLong().orElse(0) : 0;
  }

  static long clamped(BigInteger value) {
    return value.max(MIN).min(MAX).longValue();
  }

  public static boolean fitsLong(BigInteger value) {
    return value.bitLength() < Long.SIZE;
  }

  public static JsonArray array(List<String> texts) {
    return new JsonArray(texts.stream().map(ContentReader::parse).toList());
  }

  public static JsonValue parse(String text) {
    try {
      return JsonValue.parse(text);
    } catch (ContextureException broken) {
      throw new ContextureException(
          ErrorCode.STORE_DAMAGED,
          "a stored value is no JSON: " + broken.getMessage() + "; restore it from a backup",
          Map.of("id", "document"),
          broken);
    }
  }
}
