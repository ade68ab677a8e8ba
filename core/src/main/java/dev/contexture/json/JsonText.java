package dev.contexture.json;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Works on JSON as text, where the spelling itself must survive: white space goes, or a part is cut
 * out, and everything else stays byte for byte.
 *
 * <p>All methods take text that {@link JsonValue#parse} accepts. They find the structure and check
 * nothing beyond it; text whose structure cannot be followed is refused as {@code malformed_json}.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class JsonText {
  private final String text;
  private int at;

  private JsonText(String text) {
    this.text = text;
  }

  /** Removes white space outside strings; key order, numbers and escapes stay as they are. */
  public static String minify(String json) {
    StringBuilder out = null;
    int kept = 0; // everything before it is in 'out'
    boolean inString = false;
    for (int i = 0; i < json.length(); i++) {
      char c = json.charAt(i);
      if (inString) {
        if (c == '\\') {
          i++;
        } else if (c == '"') {
          inString = false;
        }
      } else if (c == '"') {
        inString = true;
      } else if (isSpace(c)) {
        out = out == null ? new StringBuilder(json.length()) : out;
        out.append(json, kept, i);
        kept = i + 1;
      }
    }
    return out == null ? json : out.append(json, kept, json.length()).toString();
  }

  /** The text of a member's value, without white space around it; the last one if a key repeats. */
  public static Optional<String> member(String objectText, String key) {
    JsonText scan = new JsonText(objectText);
    String found = null;
    scan.expect('{');
    for (boolean more = scan.opens('}'); more; more = scan.continues('}')) {
      String name = scan.key();
      scan.expect(':');
      String value = scan.value();
      found = name.equals(key) ? value : found;
    }
    return Optional.ofNullable(found);
  }

  /** The texts of an object's values by key, in their order; the last one if a key repeats. */
  public static Map<String, String> members(String objectText) {
    JsonText scan = new JsonText(objectText);
    Map<String, String> members = new LinkedHashMap<>();
    scan.expect('{');
    for (boolean more = scan.opens('}'); more; more = scan.continues('}')) {
      String name = scan.key();
      scan.expect(':');
      members.put(name, scan.value());
    }
    return members;
  }

  /** The texts of an array's items, without white space around them. */
  public static List<String> items(String arrayText) {
    JsonText scan = new JsonText(arrayText);
    List<String> items = new ArrayList<>();
    scan.expect('[');
    for (boolean more = scan.opens(']'); more; more = scan.continues(']')) {
      items.add(scan.value());
    }
    return items;
  }

  /** Whether the text is one JSON object within the default limits. */
  public static boolean isObject(String text) {
    try {
      return JsonValue.parse(text) instanceof JsonObject;
    } catch (ContextureException notJson) {
      return false;
    }
  }

  private boolean opens(char end) {
    skipSpace();
    return peek() != end;
  }

  private boolean continues(char end) {
    skipSpace();
    if (peek() == end) {
      return false;
    }
    expect(',');
    return true;
  }

  private String key() {
    skipSpace();
    int start = at;
    skipString();
    String raw = text.substring(start, at);
    return raw.indexOf('\\') < 0
        ? raw.substring(1, raw.length() - 1)
        : ((JsonString) JsonValue.parse(raw)).value();
  }

  private String value() {
    skipSpace();
    int start = at;
    char first = peek();
    if (first == '"') {
      skipString();
    } else if (first == '{' || first == '[') {
      skipNested();
    } else {
      while (at < text.length() && !isSpace(text.charAt(at)) && !isDelimiter(text.charAt(at))) {
        at++;
      }
    }
    if (at == start) {
      throw malformed("a value");
    }
    return text.substring(start, at);
  }

  private void skipNested() {
    int depth = 0;
    do {
      char c = peek();
      if (c == '"') {
        skipString();
        continue;
      }
      depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
      at++;
    } while (depth > 0);
  }

  private void skipString() {
    expect('"');
    while (peek() != '"') {
      at += peek() == '\\' ? 2 : 1;
    }
    at++;
  }

  private void skipSpace() {
    while (at < text.length() && isSpace(text.charAt(at))) {
      at++;
    }
  }

  private void expect(char c) {
    skipSpace();
    if (peek() != c) {
      throw malformed("'" + c + "'");
    }
    at++;
  }

  private char peek() {
    if (at >= text.length()) {
      throw malformed("more text");
    }
    return text.charAt(at);
  }

  private ContextureException malformed(String expected) {
    return new ContextureException(
        ErrorCode.MALFORMED_JSON,
        "the text is not the JSON it should be: expected " + expected + " at character " + at,
        Map.of("field", "json"),
        null);
  }

  private static boolean isSpace(char c) {
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
  }

  private static boolean isDelimiter(char c) {
    return c == ',' || c == '}' || c == ']' || c == ':';
  }
}
