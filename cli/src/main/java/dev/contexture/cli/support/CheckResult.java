package dev.contexture.cli.support;

import dev.contexture.json.JsonObject;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The result of one check.
 *
 * @param check its name
 * @param state whether it is in order
 * @param detail what is so
 * @param todo what to do about it; null: nothing
 */
public record CheckResult(String check, State state, String detail, @Nullable String todo) {
  /** The state of the thing that was checked. */
  public enum State {
    OK,
    /** Nothing is wrong, but it is good to know. */
    NOTE,
    WRONG
  }

  public static CheckResult ok(String check, String detail) {
    return new CheckResult(check, State.OK, detail, null);
  }

  public static CheckResult note(String check, String detail, String todo) {
    return new CheckResult(check, State.NOTE, detail, todo);
  }

  public static CheckResult wrong(String check, String detail, String todo) {
    return new CheckResult(check, State.WRONG, detail, todo);
  }

  public JsonObject toJson() {
    return JsonObject.builder()
        .put("check", check)
        .put("state", state.name().toLowerCase(Locale.ROOT))
        .put("detail", detail)
        .putIfPresent("todo", todo)
        .build();
  }
}
