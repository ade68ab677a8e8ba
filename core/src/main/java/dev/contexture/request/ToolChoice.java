package dev.contexture.request;

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
