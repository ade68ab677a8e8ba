package dev.contexture.memory.content;

import dev.contexture.json.JsonArray;
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
import dev.contexture.memory.textedit.Alignment;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Merges two changes of the same content, as replicas merge them: what either removed is gone, what
 * either added is there, increments add up. Where both changed one value of a map, the other side's
 * stays. Pure.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ContentMerge {
  private ContentMerge() {}

  /**
   * @param base what both started from
   * @param mine what one side made of it
   * @param theirs what the other side made of it
   */
  public static JsonValue of(BlockSchema schema, JsonValue base, JsonValue mine, JsonValue theirs) {
    if (same(base, theirs)) {
      return mine;
    }
    if (same(base, mine)) {
      return theirs;
    }
    return switch (schema) {
      case TextSchema _unused -> new JsonString(text(text(base), text(mine), text(theirs)));
      case MapSchema map -> fields(map, (JsonObject) base, (JsonObject) mine, (JsonObject) theirs);
      case ListSchema _unused -> items((JsonArray) base, (JsonArray) mine, (JsonArray) theirs);
      case LogSchema _unused -> items((JsonArray) base, (JsonArray) mine, (JsonArray) theirs);
      case CompositeSchema composite -> {
        JsonObject.Builder out = JsonObject.builder();
        for (SectionDef section : composite.sections()) {
          out.put(
              section.name(),
              of(
                  section.schema(),
                  part((JsonObject) base, section),
                  part((JsonObject) mine, section),
                  part((JsonObject) theirs, section)));
        }
        yield out.build();
      }
    };
  }

  private static boolean same(JsonValue one, JsonValue other) {
    return one.equals(other) && one.toJson().equals(other.toJson());
  }

  private static JsonValue part(JsonObject sections, SectionDef section) {
    return sections.find(section.name()).orElse(ContentWriter.empty(section.schema()));
  }

  private static String text(JsonValue value) {
    return ((JsonString) value).value();
  }

  private static String text(String base, String mine, String theirs) {
    int[] from = base.codePoints().toArray();
    int[] one = mine.codePoints().toArray();
    int[] other = theirs.codePoints().toArray();
    int[] merged =
        merged(
            new Side(one, Alignment.ofText(from, one)),
            new Side(other, Alignment.ofText(from, other)),
            from);
    return new String(merged, 0, merged.length);
  }

  private static JsonArray items(JsonArray base, JsonArray mine, JsonArray theirs) {
    Map<String, Integer> names = new HashMap<>();
    List<JsonValue> values = new ArrayList<>();
    int[] from = named(base, names, values);
    int[] one = named(mine, names, values);
    int[] other = named(theirs, names, values);
    int[] merged =
        merged(
            new Side(one, Alignment.ofItems(from, one)),
            new Side(other, Alignment.ofItems(from, other)),
            from);
    return new JsonArray(Arrays.stream(merged).mapToObj(values::get).toList());
  }

  private static int[] named(JsonArray items, Map<String, Integer> names, List<JsonValue> values) {
    int[] out = new int[items.size()];
    for (int i = 0; i < out.length; i++) {
      JsonValue item = items.items().get(i);
      Integer known = names.putIfAbsent(item.toJson(), values.size());
      out[i] = known == null ? values.size() : known;
      if (known == null) {
        values.add(item);
      }
    }
    return out;
  }

  /**
   * One side of a merge.
   *
   * @param result what it made of the base
   * @param partners for each element of the base its place in the result, or -1
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Side(int[] result, int[] partners) {
    boolean keeps(int index) {
      return partners[index] >= 0;
    }

    /** What it put before an element of the base, or at the end; for a run it removed, in front. */
    int[] addedBefore(int index) {
      if (index > 0 && !keeps(index - 1)) {
        return new int[0];
      }
      int start = index == 0 ? 0 : partners[index - 1] + 1;
      int next = index;
      while (next < partners.length && !keeps(next)) {
        next++;
      }
      int end = next == partners.length ? result.length : partners[next];
      return Arrays.copyOfRange(result, start, end);
    }
  }

  private static int[] merged(Side mine, Side theirs, int[] base) {
    int[] out = new int[mine.result().length + theirs.result().length];
    int size = 0;
    for (int i = 0; i <= base.length; i++) {
      int[] one = mine.addedBefore(i);
      int[] other = theirs.addedBefore(i);
      size = add(out, size, one);
      size = Arrays.equals(one, other) ? size : add(out, size, other);
      if (i < base.length && mine.keeps(i) && theirs.keeps(i)) {
        out[size++] = base[i];
      }
    }
    return Arrays.copyOf(out, size);
  }

  private static int add(int[] out, int size, int[] more) {
    System.arraycopy(more, 0, out, size, more.length);
    return size + more.length;
  }

  private static JsonObject fields(
      MapSchema schema, JsonObject base, JsonObject mine, JsonObject theirs) {
    JsonObject.Builder out = JsonObject.builder();
    Set<String> names = new LinkedHashSet<>(theirs.keys());
    names.addAll(mine.keys());
    for (String name : names) {
      FieldDef field = schema.field(name).orElse(null);
      JsonValue value =
          field(
              field,
              base.find(name).orElse(null),
              mine.find(name).orElse(null),
              theirs.find(name).orElse(null));
      if (value != null) {
        out.put(name, value);
      }
    }
    return out.build();
  }

  private static @Nullable JsonValue field(
      @Nullable FieldDef field,
      @Nullable JsonValue base,
      @Nullable JsonValue mine,
      @Nullable JsonValue theirs) {
    FieldType type = field == null ? FieldType.TEXT : field.type();
    if (field != null && type == FieldType.COUNTER) {
      BigInteger moved = counter(field, mine).subtract(counter(field, base));
      return JsonValue.of(ContentReader.clamped(counter(field, theirs).add(moved)));
    }
    if (unchanged(base, theirs)) {
      return mine;
    }
    boolean bothChanged = theirs != null && !unchanged(base, mine);
    return type == FieldType.LIST && bothChanged
        ? items(array(base), array(mine), array(theirs))
        : theirs;
  }

  private static JsonArray array(@Nullable JsonValue value) {
    return value == null ? JsonArray.of() : (JsonArray) value;
  }

  private static boolean unchanged(@Nullable JsonValue base, @Nullable JsonValue theirs) {
    return (base == null || theirs == null) ? base == theirs : same(base, theirs);
  }

  private static BigInteger counter(FieldDef field, @Nullable JsonValue value) {
    return BigInteger.valueOf(
        value == null ? ContentReader.start(field) : ContentReader.toLong(value));
  }
}
