package dev.contexture.request;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import java.util.Optional;
import org.apiguardian.api.API;

/** A choice of the tools that the model may or must call. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public sealed interface ToolChoice {
  /** As it likes; the default, which is not sent. */
  ToolChoice AUTO = Mode.AUTO;

  /** At least one. */
  ToolChoice REQUIRED = Mode.REQUIRED;

  /** None. */
  ToolChoice NONE = Mode.NONE;

  /** Exactly this one. */
  static ToolChoice tool(String name) {
    return new Tool(name);
  }

  /**
   * Reads {@code "auto"}, {@code "required"}, {@code "none"} or {@code {"tool":"name"}}.
   *
   * @throws ContextureException {@code invalid_argument}
   */
  static ToolChoice read(JsonValue value) {
    if (value instanceof JsonString word) {
      for (Mode mode : Mode.values()) {
        if (mode.wireName.equals(word.value())) {
          return mode;
        }
      }
    }
    Optional<String> named =
        value instanceof JsonObject object && object.size() == 1
            ? object.string("tool").filter(name -> !name.isBlank())
            : Optional.empty();
    return named
        .map(ToolChoice::tool)
        .orElseThrow(
            () ->
                ContextureException.invalid(
                    ErrorCode.INVALID_ARGUMENT,
                    "tool_choice",
                    value.toJson(),
                    "\"auto\", \"required\", \"none\" or {\"tool\":NAME}"));
  }

  /** The word for it: {@code auto}, {@code required}, {@code none}, or {@code tool:} and a name. */
  String wireName();

  /** A choice that names no tool. */
  enum Mode implements ToolChoice {
    AUTO("auto"),
    REQUIRED("required"),
    NONE("none");

    private final String wireName;

    Mode(String wireName) {
      this.wireName = wireName;
    }

    @Override
    public String wireName() {
      return wireName;
    }
  }

  /**
   * A choice of one tool.
   *
   * @param name its name, not its alias
   */
  record Tool(String name) implements ToolChoice {
    @Override
    public String wireName() {
      return "tool:" + name;
    }
  }
}
