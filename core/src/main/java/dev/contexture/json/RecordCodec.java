package dev.contexture.json;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Writes records as JSON objects and reads them back: a member for each component, in lower snake
 * case, absent if the component is null. Components are records, strings, numbers, booleans, times,
 * constants of enumerations, JSON, lists and sets of these, and types whose form is given.
 * Immutable.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class RecordCodec {
  /** Knows no other types. */
  public static final RecordCodec PLAIN = new RecordCodec(Map.of());

  private static final Comparator<JsonValue> BY_TEXT = Comparator.comparing(JsonValue::toJson);

  private final Map<Class<?>, Form<?>> forms;

  private RecordCodec(Map<Class<?>, Form<?>> forms) {
    this.forms = Map.copyOf(forms);
  }

  private record Form<T>(Function<T, JsonValue> write, Function<JsonValue, T> read) {
    JsonValue written(Object value) {
      @SuppressWarnings("unchecked") // kept under the class of T
      T typed = (T) value;
      return write.apply(typed);
    }
  }

  /** The same, with the form of one more type. */
  public <T> RecordCodec with(
      Class<T> type, Function<T, JsonValue> write, Function<JsonValue, T> read) {
    Map<Class<?>, Form<?>> more = new HashMap<>(forms);
    more.put(type, new Form<>(write, read));
    return new RecordCodec(more);
  }

  /** The same, with one more type that is written as a string. */
  public <T> RecordCodec withText(
      Class<T> type, Function<T, String> write, Function<String, T> read) {
    return with(
        type, value -> new JsonString(write.apply(value)), json -> read.apply(text(json, type)));
  }

  private static String text(JsonValue json, Class<?> type) {
    if (json instanceof JsonString string) {
      return string.value();
    }
    throw refused(type.getSimpleName(), json, "a string");
  }

  public JsonObject write(Record value) {
    JsonObject.Builder out = JsonObject.builder();
    for (RecordComponent component : value.getClass().getRecordComponents()) {
      Object part = get(component, value);
      if (part != null) {
        out.put(member(component), json(part));
      }
    }
    return out.build();
  }

  private static @Nullable Object get(RecordComponent component, Record value) {
    try {
      return component.getAccessor().invoke(value);
    } catch (IllegalAccessException | InvocationTargetException failure) {
      throw new IllegalStateException("cannot read " + component, failure);
    }
  }

  private JsonValue json(Object value) {
    Form<?> form = forms.get(value.getClass());
    if (form != null) {
      return form.written(value);
    }
    return switch (value) {
      case JsonValue json -> json;
      case String text -> new JsonString(text);
      case Boolean flag -> JsonValue.of((boolean) flag);
      case Number number -> JsonValue.of(number.longValue());
      case Instant time -> new JsonString(time.toString());
      case Enum<?> constant -> new JsonString(constant.name().toLowerCase(Locale.ROOT));
      case Record record -> write(record);
      case Set<?> set -> new JsonArray(set.stream().map(this::json).sorted(BY_TEXT).toList());
      case Collection<?> list -> new JsonArray(list.stream().map(this::json).toList());
      default -> throw new IllegalArgumentException("no form for " + value.getClass());
    };
  }

  /**
   * Reads what {@link #write} wrote. Unknown members are passed over.
   *
   * @throws ContextureException {@code invalid_argument} that names the member, its value and what
   *     is allowed
   */
  public <T extends Record> T read(JsonObject json, Class<T> type) {
    RecordComponent[] components = type.getRecordComponents();
    @Nullable Object[] parts = new @Nullable Object[components.length];
    for (int i = 0; i < components.length; i++) {
      JsonValue member = json.find(member(components[i])).orElse(null);
      parts[i] =
          member == null || member instanceof JsonNull
              ? absent(components[i])
              : value(member, components[i].getGenericType(), member(components[i]));
    }
    Class<?>[] types =
        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    try {
      Constructor<T> made = type.getDeclaredConstructor(types);
      made.setAccessible(true); // of a record that only its package sees
      return made.newInstance(parts);
    } catch (InvocationTargetException refused) {
      if (refused.getCause() instanceof ContextureException known) {
        throw known;
      }
      throw refused(type.getSimpleName(), json, "what makes one");
    } catch (ReflectiveOperationException failure) {
      throw new IllegalStateException("cannot make " + type, failure);
    }
  }

  private static @Nullable Object absent(RecordComponent component) {
    AnnotatedElement use = component.getAnnotatedType();
    if (use.isAnnotationPresent(Nullable.class)) {
      return null;
    }
    throw refused(member(component), null, "a value");
  }

  private Object value(JsonValue json, Type type, String member) {
    if (type instanceof ParameterizedType of && json instanceof JsonArray array) {
      List<Object> items = new ArrayList<>();
      for (JsonValue item : array.items()) {
        items.add(value(item, of.getActualTypeArguments()[0], member));
      }
      return of.getRawType() == Set.class ? Set.copyOf(items) : items;
    }
    return type instanceof Class<?> plain
        ? plain(json, plain, member)
        : mismatch(member, json, "an array");
  }

  private Object plain(JsonValue json, Class<?> type, String member) {
    Form<?> form = forms.get(type);
    if (form != null) {
      return form.read().apply(json);
    }
    if (JsonValue.class.isAssignableFrom(type)) {
      return type.isInstance(json) ? json : mismatch(member, json, type.getSimpleName());
    }
    return switch (json) {
      case JsonString text when type == String.class -> text.value();
      case JsonString text when type == Instant.class -> time(text, member);
      case JsonString text when type.isEnum() -> constant(text, type, member);
      case JsonNumber number when type == long.class || type == Long.class ->
          number.asLong().orElseThrow(() -> refused(member, json, "a whole number"));
      case JsonNumber number when type == int.class ->
          Math.toIntExact(number.asLong().orElseThrow(() -> refused(member, json, "a number")));
      case JsonBoolean flag when type == boolean.class -> flag.value();
      case JsonObject object when type.isRecord() -> read(object, type.asSubclass(Record.class));
      default -> mismatch(member, json, type.getSimpleName());
    };
  }

  private static Instant time(JsonString text, String member) {
    try {
      return Instant.parse(text.value());
    } catch (DateTimeException wrong) {
      throw refused(member, text, "a time such as 2026-02-09T02:14:32Z");
    }
  }

  private static Object constant(JsonString text, Class<?> type, String member) {
    return Arrays.stream(type.getEnumConstants())
        .filter(each -> ((Enum<?>) each).name().toLowerCase(Locale.ROOT).equals(text.value()))
        .findFirst()
        .orElseThrow(() -> refused(member, text, "a " + type.getSimpleName()));
  }

  private static Object mismatch(String member, JsonValue json, String allowed) {
    throw refused(member, json, allowed);
  }

  private static ContextureException refused(
      String member, @Nullable JsonValue json, String allowed) {
    return ContextureException.invalid(
        ErrorCode.INVALID_ARGUMENT, member, json == null ? null : json.toJson(), allowed);
  }

  /** {@code startedAt} is {@code started_at}. */
  private static String member(RecordComponent component) {
    return component.getName().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
  }
}
