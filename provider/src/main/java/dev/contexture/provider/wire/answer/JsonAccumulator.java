package dev.contexture.provider.wire.answer;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonBoolean;
import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * JSON that grows by deltas: strings concatenate, arrays merge by {@code index} or append, objects
 * merge by member, other values replace. Null changes nothing. Confined to one thread.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public sealed interface JsonAccumulator {
  /** What it is by now. */
  JsonValue value();

  /** Takes the next delta; what stands here afterwards. */
  JsonAccumulator grown(JsonValue delta);

  static JsonAccumulator of(JsonValue value) {
    return switch (value) {
      case JsonString string -> new Text(string.value());
      case JsonArray array -> new Items(array);
      case JsonObject object -> new Members(object);
      case JsonNumber _unused -> new Fixed(value);
      case JsonBoolean _unused -> new Fixed(value);
      case JsonNull _unused -> new Fixed(value);
    };
  }

  /** A string under construction. */
  final class Text implements JsonAccumulator {
    private final StringBuilder text;

    private Text(String start) {
      text = new StringBuilder(start);
    }

    @Override
    public JsonValue value() {
      return new JsonString(text.toString());
    }

    @Override
    public JsonAccumulator grown(JsonValue delta) {
      if (delta instanceof JsonString more) {
        text.append(more.value());
        return this;
      }
      return JsonAccumulator.of(delta);
    }
  }

  /** An array under construction. */
  final class Items implements JsonAccumulator {
    private static final String INDEX = "index";

    private final List<JsonAccumulator> items = new ArrayList<>();
    private final Map<JsonValue, Members> byIndex = new HashMap<>();

    private Items(JsonArray start) {
      start.items().forEach(this::add);
    }

    @Override
    public JsonValue value() {
      return new JsonArray(items.stream().map(JsonAccumulator::value).toList());
    }

    @Override
    public JsonAccumulator grown(JsonValue delta) {
      if (delta instanceof JsonArray more) {
        more.items().forEach(this::add);
        return this;
      }
      return JsonAccumulator.of(delta);
    }

    public void add(JsonValue item) {
      if (!(item instanceof JsonObject object) || !object.has(INDEX)) {
        items.add(JsonAccumulator.of(item));
        return;
      }
      JsonValue index = object.members().get(INDEX);
      JsonObject rest = object.without(INDEX);
      Members known = byIndex.get(index);
      if (known == null) {
        known = new Members(rest);
        byIndex.put(index, known);
        items.add(known);
      } else {
        known.merge(rest);
      }
    }
  }

  /** An object under construction. */
  final class Members implements JsonAccumulator {
    private static final Set<String> SET_ONCE = Set.of("id", "type", "name", "role");

    private final Map<String, JsonAccumulator> members = new LinkedHashMap<>();

    public Members(JsonObject start) {
      merge(start);
    }

    @Override
    public JsonObject value() {
      JsonObject.Builder object = JsonObject.builder();
      members.forEach((key, member) -> object.put(key, member.value()));
      return object.build();
    }

    @Override
    public JsonAccumulator grown(JsonValue delta) {
      if (delta instanceof JsonObject more) {
        merge(more);
        return this;
      }
      return JsonAccumulator.of(delta);
    }

    public void merge(JsonObject delta) {
      delta.members().forEach(this::put);
    }

    /** Lets one member grow; a name or id that is set stays as it is. */
    public void put(String key, JsonValue delta) {
      JsonAccumulator known = members.get(key);
      if (known == null || (known instanceof Fixed fixed && fixed.value() == JsonNull.NULL)) {
        members.put(key, JsonAccumulator.of(delta));
      } else if (delta != JsonNull.NULL && !isSet(key, known)) {
        members.put(key, known.grown(delta));
      }
    }

    @Nullable JsonValue get(String key) {
      JsonAccumulator member = members.get(key);
      return member == null ? null : member.value();
    }

    private static boolean isSet(String key, JsonAccumulator known) {
      return SET_ONCE.contains(key) && known instanceof Text text && !text.text.isEmpty();
    }
  }

  /** A number, a boolean or null. */
  record Fixed(JsonValue value) implements JsonAccumulator {
    @Override
    public JsonAccumulator grown(JsonValue delta) {
      return JsonAccumulator.of(delta);
    }
  }
}
