package dev.contexture.engine.agent;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.tool.ToolSpec;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of a call, read strictly: what the tool does not know, or has another type, is
 * refused, so that a model hears of its mistake. Null counts as absent.
 */
final class ToolParams {
  private final JsonObject params;

  private ToolParams(JsonObject params) {
    this.params = params;
  }

  /**
   * The arguments of a tool.
   *
   * @throws ContextureException {@code invalid_argument} for a parameter that the tool has not
   */
  static ToolParams of(ToolSpec tool, JsonObject params) {
    Set<String> known = new TreeSet<>(tool.parameters().object("properties").orElseThrow().keys());
    for (String name : params.keys()) {
      if (!known.contains(name)) {
        throw ContextureException.unknown(
            ErrorCode.INVALID_ARGUMENT, name, String.join(", ", known));
      }
    }
    return new ToolParams(params);
  }

  static ContextureException invalid(String name, @Nullable Object actual, String allowed) {
    return ContextureException.invalid(ErrorCode.INVALID_ARGUMENT, name, actual, allowed);
  }

  Optional<JsonValue> value(String name) {
    return params.find(name).filter(value -> value != JsonNull.NULL);
  }

  JsonValue requiredValue(String name) {
    return params.find(name).orElseThrow(() -> invalid(name, null, "a value"));
  }

  Optional<String> text(String name) {
    return value(name)
        .map(
            value -> {
              if (value instanceof JsonString text) {
                return text.value();
              }
              throw invalid(name, value.toJson(), "a string");
            });
  }

  /** A choice that may be left out; models give blank texts for that, too. */
  Optional<String> choice(String name) {
    return text(name).filter(given -> !given.isBlank());
  }

  /** A text that must be given; it may be empty. */
  String requiredText(String name) {
    return text(name).orElseThrow(() -> invalid(name, null, "a string"));
  }

  /** A text that must be given and says something. */
  String requiredWords(String name) {
    String text = requiredText(name);
    if (text.isBlank()) {
      throw invalid(name, "blank", "a string that is not blank");
    }
    return text;
  }

  OptionalLong number(String name) {
    JsonValue value = value(name).orElse(null);
    if (value == null) {
      return OptionalLong.empty();
    }
    OptionalLong number =
        value instanceof JsonNumber spelled ? spelled.asLong() : OptionalLong.empty();
    if (number.isEmpty()) {
      throw invalid(name, value.toJson(), "a whole number");
    }
    return number;
  }

  long requiredNumber(String name) {
    return number(name).orElseThrow(() -> invalid(name, null, "a whole number"));
  }

  /** A number within bounds. */
  int number(String name, int absent, int least, int most) {
    long number = number(name).orElse(absent);
    if (number < least || number > most) {
      throw invalid(name, number, least + " to " + most);
    }
    return (int) number;
  }

  /** A position of a list or text. */
  int requiredIndex(String name) {
    requiredNumber(name);
    return number(name, 0, 0, Integer.MAX_VALUE);
  }

  /** The items of an array that must be given. */
  List<JsonValue> requiredItems(String name) {
    if (requiredValue(name) instanceof JsonArray array) {
      return array.items();
    }
    throw invalid(name, requiredValue(name).toJson(), "an array");
  }
}
