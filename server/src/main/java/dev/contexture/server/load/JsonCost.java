package dev.contexture.server.load;

import org.apiguardian.api.API;

/**
 * Estimates the memory that JSON takes once it is read, beside its text: many small values take far
 * more than their letters. It counts the marks between values, before any value is built.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class JsonCost {
  private static final int OBJECT_BYTES = 192;
  private static final int ARRAY_BYTES = 96;
  private static final int MEMBER_BYTES = 96;
  private static final int VALUE_BYTES = 64;

  private JsonCost() {}

  /** About how many bytes the values of a text take. */
  public static long of(String json) {
    long bytes = 0;
    boolean inString = false;
    for (int i = 0; i < json.length(); i++) {
      char c = json.charAt(i);
      if (inString) {
        if (c == '\\') {
          i++;
        } else {
          inString = c != '"';
        }
        continue;
      }
      switch (c) {
        case '"' -> inString = true;
        case '{' -> bytes += OBJECT_BYTES;
        case '[' -> bytes += ARRAY_BYTES;
        case ':' -> bytes += MEMBER_BYTES;
        case ',' -> bytes += VALUE_BYTES;
        default -> {}
      }
    }
    return bytes;
  }
}
