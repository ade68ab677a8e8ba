package dev.contexture.mcp;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import java.util.Optional;

/** Places in lists: how many entries came before. */
final class Cursors {
  private Cursors() {}

  /**
   * Where to go on.
   *
   * @throws ContextureException {@code invalid_argument} if it is no cursor of such a list
   */
  static int index(Optional<String> cursor, int size) {
    if (cursor.isEmpty()) {
      return 0;
    }
    try {
      int index = Integer.parseInt(cursor.get());
      if (index >= 0) {
        return Math.min(index, size); // entries may have gone meanwhile
      }
    } catch (NumberFormatException noNumber) {
      // refused below
    }
    throw ContextureException.invalid(
        ErrorCode.INVALID_ARGUMENT, "cursor", cursor.get(), "next_cursor of the page before");
  }

  /** Says where a list goes on, and how much is left of it, if something is. */
  static JsonObject next(JsonObject.Builder result, int index, int left) {
    if (left > 0) {
      result
          .put("left_out", left)
          .put("next_cursor", String.valueOf(index))
          .put("note", "the result was cut; call again with cursor for the rest");
    }
    return result.build();
  }
}
