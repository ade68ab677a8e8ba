package dev.contexture.provider.openai;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.provider.wire.ForcedCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the tool choice of OpenAI's bodies. */
final class OpenAiChoice {
  private static final String CHOICE = "tool_choice";
  private static final String FUNCTION = "function";
  private static final String ALLOWED = "allowed_tools";

  private OpenAiChoice() {}

  /**
   * A choice that makes the model call something.
   *
   * @param inside the member of a choice that holds the name; empty: the choice does itself
   */
  static Optional<ForcedCall> forced(JsonObject settings, String inside) {
    JsonValue choice = settings.find(CHOICE).orElse(null);
    if (choice instanceof JsonString word) {
      return word.value().equals("required") ? Optional.of(named(List.of())) : Optional.empty();
    }
    if (!(choice instanceof JsonObject object)) {
      return Optional.empty();
    }
    return object.string("type").orElse("").equals(ALLOWED)
        ? allowed(object.object(ALLOWED).orElse(object), inside)
        : Optional.of(named(name(object, inside).map(List::of).orElse(List.of())));
  }

  private static Optional<ForcedCall> allowed(JsonObject choice, String inside) {
    List<String> names = new ArrayList<>();
    for (JsonValue tool : choice.array("tools").orElse(JsonArray.of()).items()) {
      if (tool instanceof JsonObject object) {
        name(object, inside).ifPresent(names::add);
      }
    }
    boolean required = choice.string("mode").orElse("").equals("required");
    return required || !names.isEmpty() ? Optional.of(named(names)) : Optional.empty();
  }

  /** The name of a function; empty for tools of the provider, which go by their type. */
  private static Optional<String> name(JsonObject choice, String inside) {
    if (!choice.string("type").orElse("").equals(FUNCTION)) {
      return Optional.empty();
    }
    JsonObject holder = inside.isEmpty() ? choice : choice.object(inside).orElse(JsonObject.EMPTY);
    return Optional.of(holder.string("name").orElse(""));
  }

  /** Functions are chosen by name, anything else is a tool, too. */
  private static ForcedCall named(List<String> names) {
    return new ForcedCall("/" + CHOICE, names, names.isEmpty());
  }
}
