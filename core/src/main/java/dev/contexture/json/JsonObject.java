package dev.contexture.json;

import java.util.AbstractMap;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A JSON object whose members keep their order.
 *
 * <p>Equality is that of a map: the order of members does not matter to it, though printing keeps
 * it. A key given twice keeps its first place and its last value.
 */
@API(status = API.Status.STABLE, since = "0.1")
public record JsonObject(Map<String, JsonValue> members) implements JsonValue {
  /** The object without members. */
  public static final JsonObject EMPTY = new JsonObject(Map.of());

  public JsonObject {
    if (members.isEmpty()) {
      members = Map.of();
    } else if (!(members instanceof FixedMembers)) {
      members = new FixedMembers(new LinkedHashMap<>(members));
    }
  }

  public static JsonObject of(String key, JsonValue value) {
    return new JsonObject(Map.of(key, value));
  }

  /** Takes members that nobody else changes any more, without copying them. */
  static JsonObject owning(Map<String, JsonValue> members) {
    return members.isEmpty() ? EMPTY : new JsonObject(new FixedMembers(members));
  }

  public static Builder builder() {
    return new Builder();
  }

  public boolean isEmpty() {
    return members.isEmpty();
  }

  public int size() {
    return members.size();
  }

  public Set<String> keys() {
    return members.keySet();
  }

  public boolean has(String key) {
    return members.containsKey(key);
  }

  public Optional<JsonValue> find(String key) {
    return Optional.ofNullable(members.get(key));
  }

  /** The member if it is a string. */
  public Optional<String> string(String key) {
    return members.get(key) instanceof JsonString text
        ? Optional.of(text.value())
        : Optional.empty();
  }

  /** The member if it is an object. */
  public Optional<JsonObject> object(String key) {
    return members.get(key) instanceof JsonObject object ? Optional.of(object) : Optional.empty();
  }

  /** The member if it is an array. */
  public Optional<JsonArray> array(String key) {
    return members.get(key) instanceof JsonArray array ? Optional.of(array) : Optional.empty();
  }

  /** True only if the member is the boolean true. */
  public boolean isTrue(String key) {
    return members.get(key) instanceof JsonBoolean flag && flag.value();
  }

  /** This object with the member set: in its old place, or at the end if it is new. */
  public JsonObject with(String key, JsonValue value) {
    return toBuilder().put(key, value).build();
  }

  /** This object without the member. */
  public JsonObject without(String key) {
    if (!members.containsKey(key)) {
      return this;
    }
    Builder builder = toBuilder();
    builder.own().remove(key);
    return builder.build();
  }

  public Builder toBuilder() {
    return new Builder().putAll(this);
  }

  @Override
  public String toString() {
    return toJson();
  }

  /** Members that nobody changes any more: they need not be copied again. */
  private static final class FixedMembers extends AbstractMap<String, JsonValue> {
    private final Map<String, JsonValue> members;

    FixedMembers(Map<String, JsonValue> members) {
      this.members = Collections.unmodifiableMap(members);
    }

    @Override
    public int size() {
      return members.size();
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
      return members.containsKey(key);
    }

    @Override
    public @Nullable JsonValue get(@Nullable Object key) {
      return members.get(key);
    }

    @Override
    public Set<String> keySet() {
      return members.keySet();
    }

    @Override
    public Collection<JsonValue> values() {
      return members.values();
    }

    @Override
    public Set<Map.Entry<String, JsonValue>> entrySet() {
      return members.entrySet();
    }

    @Override
    public void forEach(BiConsumer<? super String, ? super JsonValue> action) {
      members.forEach(action);
    }
  }

  /** Collects members in order. Confined to one thread. */
  public static final class Builder {
    private LinkedHashMap<String, JsonValue> members = new LinkedHashMap<>();
    private boolean built; // an object has the members: they are copied before they change

    private Builder() {}

    public Builder put(String key, JsonValue value) {
      own().put(key, value);
      return this;
    }

    private Map<String, JsonValue> own() {
      if (built) {
        members = new LinkedHashMap<>(members);
        built = false;
      }
      return members;
    }

    public Builder put(String key, String value) {
      return put(key, new JsonString(value));
    }

    public Builder put(String key, long value) {
      return put(key, JsonValue.of(value));
    }

    public Builder put(String key, boolean value) {
      return put(key, JsonValue.of(value));
    }

    /** Sets the member unless the value is null. */
    public Builder putIfPresent(String key, @Nullable String value) {
      return value == null ? this : put(key, value);
    }

    public Builder putAll(JsonObject other) {
      other.members.forEach(own()::put);
      return this;
    }

    public JsonObject build() {
      built = true;
      return owning(members);
    }
  }
}
