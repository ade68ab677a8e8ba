package dev.contexture.cli;

import dev.contexture.json.JsonObject;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a check found.
 *
 * @param check its name
 * @param state whether it is in order
 * @param detail what is so
 * @param todo what to do about it; null: nothing
 */
record Finding(String check, State state, String detail, @Nullable String todo) {
  /** Whether something is in order. */
  enum State {
    OK,
    /** Nothing is wrong, but it is good to know. */
    NOTE,
    WRONG
  }

  static Finding ok(String check, String detail) {
    return new Finding(check, State.OK, detail, null);
  }

  static Finding note(String check, String detail, String todo) {
    return new Finding(check, State.NOTE, detail, todo);
  }

  static Finding wrong(String check, String detail, String todo) {
    return new Finding(check, State.WRONG, detail, todo);
  }

  JsonObject toJson() {
    return JsonObject.builder()
        .put("check", check)
        .put("state", state.name().toLowerCase(Locale.ROOT))
        .put("detail", detail)
        .putIfPresent("todo", todo)
        .build();
  }
}
