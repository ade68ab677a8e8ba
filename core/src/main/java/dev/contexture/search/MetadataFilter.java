package dev.contexture.search;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import java.util.HashSet;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A filter on the metadata of archival entries. Immutable.
 *
 * <p>Metadata holds an object if it holds each of its members, an array if it holds each of its
 * items, a text, number, truth or null if it is equal, or an array with an equal item; {@code 1.0}
 * equals {@code 1}. An index finds candidates by {@link #tags}; {@link #accepts} decides.
 *
 * @param members none: everything is accepted, also what has no metadata
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record MetadataFilter(JsonObject members) {
  /** The most values that a filter asks for. */
  public static final int MAX_VALUES = 32;

  /** The most levels of nesting. */
  public static final int MAX_DEPTH = 32;

  /** The tag of metadata with more values than are tagged: any filter may accept it. */
  public static final String ANY = "*";

  /** Accepts everything. */
  public static final MetadataFilter NONE = new MetadataFilter(JsonObject.EMPTY);

  private static final int MAX_TAGS = 256;
  private static final int MAX_TAG_CHARS = 200;
  private static final char STEP = '\u0001';
  private static final char VALUE = '\u0002';

  /**
   * @throws ContextureException {@code limit_exceeded}
   */
  public MetadataFilter {
    int values = count(members, 1);
    if (values > MAX_VALUES) {
      throw ContextureException.limit(
          ErrorCode.LIMIT_EXCEEDED, "metadata", MAX_VALUES, values, "values");
    }
  }

  private static int count(JsonValue value, int depth) {
    if (depth > MAX_DEPTH) {
      throw ContextureException.limit(
          ErrorCode.LIMIT_EXCEEDED, "metadata", MAX_DEPTH, depth, "levels of nesting");
    }
    return switch (value) {
      case JsonObject object ->
          object.members().values().stream().mapToInt(inner -> count(inner, depth + 1)).sum();
      case JsonArray array -> array.items().stream().mapToInt(item -> count(item, depth + 1)).sum();
      default -> 1;
    };
  }

  public boolean isEmpty() {
    return members.members().isEmpty();
  }

  /**
   * Whether an entry has what is asked for.
   *
   * @param metadata of the entry; null: it has none
   */
  public boolean accepts(@Nullable JsonValue metadata) {
    return isEmpty() || (metadata != null && holds(metadata, members));
  }

  private static boolean holds(JsonValue has, JsonValue wanted) {
    return switch (wanted) {
      case JsonObject object ->
          has instanceof JsonObject inner
              && object.members().entrySet().stream()
                  .allMatch(
                      member -> {
                        JsonValue value = inner.members().get(member.getKey());
                        return value != null && holds(value, member.getValue());
                      });
      case JsonArray array ->
          has instanceof JsonArray inner
              && array.items().stream()
                  .allMatch(item -> inner.items().stream().anyMatch(some -> holds(some, item)));
      default ->
          has instanceof JsonArray inner
              ? inner.items().stream().anyMatch(item -> scalar(item).equals(scalar(wanted)))
              : scalar(has).equals(scalar(wanted));
    };
  }

  /** A text that is equal for equal values, and for no others. */
  private static String scalar(JsonValue value) {
    return switch (value) {
      case JsonNumber number -> number(number);
      case JsonString text -> "s" + text.value();
      default -> value.toJson();
    };
  }

  private static String number(JsonNumber number) {
    try {
      return "n" + number.decimal().stripTrailingZeros();
    } catch (ArithmeticException beyond) {
      return "n" + number.text();
    }
  }

  /** What the metadata of an accepted entry is tagged with, all of it, unless {@link #ANY}. */
  public Set<String> tags() {
    Set<String> tags = new HashSet<>();
    collect("", members, tags);
    return tags;
  }

  /** What an index is to note of metadata, so that filters find it. */
  public static Set<String> tags(@Nullable JsonValue metadata) {
    Set<String> tags = new HashSet<>();
    if (metadata instanceof JsonObject object) {
      collect("", object, tags);
    }
    return tags.size() > MAX_TAGS ? Set.of(ANY) : tags;
  }

  private static void collect(String path, JsonValue value, Set<String> tags) {
    switch (value) {
      case JsonObject object ->
          object.members().forEach((name, inner) -> collect(path + STEP + name, inner, tags));
      case JsonArray array -> array.items().forEach(item -> collect(path, item, tags));
      default -> tags.add(shortened(path + VALUE + scalar(value)));
    }
  }

  private static String shortened(String tag) {
    return tag.length() <= MAX_TAG_CHARS
        ? tag
        : tag.substring(0, MAX_TAG_CHARS / 2) + VALUE + Integer.toHexString(tag.hashCode());
  }
}
