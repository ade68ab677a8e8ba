package dev.contexture.request;

import java.util.Locale;
import org.apiguardian.api.API;

/** Which tools the model may or must call. */
@API(status = API.Status.STABLE, since = "0.1")
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

  /** The word for it: {@code auto}, {@code required}, {@code none}, or {@code tool:} and a name. */
  default String wireName() {
    return switch (this) {
      case Mode mode -> mode.name().toLowerCase(Locale.ROOT);
      case Tool tool -> "tool:" + tool.name();
    };
  }

  /** A choice that names no tool. */
  enum Mode implements ToolChoice {
    AUTO,
    REQUIRED,
    NONE
  }

  /**
   * A choice of one tool.
   *
   * @param name its name, not its alias
   */
  record Tool(String name) implements ToolChoice {}
}
