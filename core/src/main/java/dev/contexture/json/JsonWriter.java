package dev.contexture.json;

import java.util.Iterator;
import java.util.Map;

/**
 * Value to text. Non-ASCII stays as it is; escaped are only quotes, backslashes, control characters
 * and halves of surrogate pairs, which no encoding could carry.
 */
final class JsonWriter {
  private static final int MARKS = 4; // quotes, colon or comma around a value
  private static final char[] HEX = "0123456789abcdef".toCharArray();

  private final StringBuilder out;
  private final boolean pretty;

  private JsonWriter(StringBuilder out, boolean pretty) {
    this.out = out;
    this.pretty = pretty;
  }

  static String compact(JsonValue value) {
    return print(value, false);
  }

  static String pretty(JsonValue value) {
    return print(value, true);
  }

  private static String print(JsonValue value, boolean pretty) {
    StringBuilder out = new StringBuilder((int) Math.min(Integer.MAX_VALUE / 2, chars(value)));
    new JsonWriter(out, pretty).write(value, 0);
    return out.toString();
  }

  /** How many characters a value takes without escapes and white space. */
  private static long chars(JsonValue value) {
    return switch (value) {
      case JsonObject object -> {
        long chars = MARKS;
        for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
          chars += member.getKey().length() + MARKS + chars(member.getValue());
        }
        yield chars;
      }
      case JsonArray array -> {
        long chars = MARKS;
        for (JsonValue item : array.items()) {
          chars += chars(item);
        }
        yield chars;
      }
      case JsonString string -> string.value().length() + MARKS;
      case JsonNumber number -> number.text().length() + 1;
      case JsonBoolean _unused -> "false,".length();
      case JsonNull _unused -> "null,".length();
    };
  }

  private void write(JsonValue value, int depth) {
    switch (value) {
      case JsonObject object -> object(object, depth);
      case JsonArray array -> array(array, depth);
      case JsonString string -> string(string.value());
      case JsonNumber number -> out.append(number.text());
      case JsonBoolean flag -> out.append(flag.value());
      case JsonNull _unused -> out.append("null");
    }
  }

  private void object(JsonObject object, int depth) {
    if (object.isEmpty()) {
      out.append("{}");
      return;
    }
    out.append('{');
    Iterator<Map.Entry<String, JsonValue>> members = object.members().entrySet().iterator();
    while (members.hasNext()) {
      Map.Entry<String, JsonValue> member = members.next();
      line(depth + 1);
      string(member.getKey());
      out.append(pretty ? ": " : ":");
      write(member.getValue(), depth + 1);
      if (members.hasNext()) {
        out.append(',');
      }
    }
    line(depth);
    out.append('}');
  }

  private void array(JsonArray array, int depth) {
    if (array.isEmpty()) {
      out.append("[]");
      return;
    }
    out.append('[');
    Iterator<JsonValue> items = array.items().iterator();
    while (items.hasNext()) {
      line(depth + 1);
      write(items.next(), depth + 1);
      if (items.hasNext()) {
        out.append(',');
      }
    }
    line(depth);
    out.append(']');
  }

  private void line(int depth) {
    if (pretty) {
      out.append('\n').repeat("  ", depth);
    }
  }

  private void string(String text) {
    out.append('"');
    int start = 0; // what is before it is written
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= ' ' && c != '"' && c != '\\' && !Character.isSurrogate(c)) {
        continue;
      }
      if (Character.isHighSurrogate(c)
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        i++;
        continue;
      }
      out.append(text, start, i);
      escape(c);
      start = i + 1;
    }
    if (start == 0) { // copied at once, not char by char
      out.append(text);
    } else {
      out.append(text, start, text.length());
    }
    out.append('"');
  }

  private void escape(char c) {
    switch (c) {
      case '"' -> out.append("\\\"");
      case '\\' -> out.append("\\\\");
      case '\n' -> out.append("\\n");
      case '\r' -> out.append("\\r");
      case '\t' -> out.append("\\t");
      case '\b' -> out.append("\\b");
      case '\f' -> out.append("\\f");
      default ->
          out.append("\\u")
              .append(HEX[c >> 12])
              .append(HEX[(c >> 8) & 0xf])
              .append(HEX[(c >> 4) & 0xf])
              .append(HEX[c & 0xf]);
    }
  }
}
