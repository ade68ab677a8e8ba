package dev.contexture.json;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * Text that every provider takes. Halves of surrogate pairs, which no encoding can carry, and
 * U+0000, which databases refuse, become U+FFFD; all else is kept, such as the colours of a
 * terminal. Clean text stays the same object, and its length never changes.
 *
 * <p>What comes in is cleaned here before it is stored, and what is sent once more, since older
 * data may hold anything.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class SendableText {
  private static final char GONE = '\uFFFD';
  private static final String GONE_ESCAPE = "\\ufffd";
  private static final int ESCAPE_CHARS = 6;

  private SendableText() {}

  /** The text with U+FFFD for each character that cannot be sent. */
  public static String of(String text) {
    StringBuilder clean = null;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (isPlain(c)) {
        continue;
      }
      if (isPair(text, i)) {
        i++;
      } else {
        clean = clean == null ? new StringBuilder(text) : clean;
        clean.setCharAt(i, GONE);
      }
    }
    return clean == null ? text : clean.toString();
  }

  /** The value with all its texts and keys cleaned. */
  public static JsonValue of(JsonValue value) {
    return switch (value) {
      case JsonObject object -> of(object);
      case JsonArray array -> of(array);
      case JsonString string -> {
        String clean = of(string.value());
        yield isSame(clean, string.value()) ? string : new JsonString(clean);
      }
      case JsonNumber _unused -> value;
      case JsonBoolean _unused -> value;
      case JsonNull _unused -> value;
    };
  }

  /** The object with all its texts and keys cleaned. */
  public static JsonObject of(JsonObject object) {
    Map<String, JsonValue> members = new LinkedHashMap<>();
    boolean same = true;
    for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
      String key = of(member.getKey());
      JsonValue value = of(member.getValue());
      same = same && isSame(key, member.getKey()) && isSame(value, member.getValue());
      members.put(key, value);
    }
    return same ? object : new JsonObject(members);
  }

  private static JsonArray of(JsonArray array) {
    List<JsonValue> items = new ArrayList<>(array.size());
    boolean same = true;
    for (JsonValue item : array.items()) {
      JsonValue clean = of(item);
      same = same && isSame(clean, item);
      items.add(clean);
    }
    return same ? array : new JsonArray(items);
  }

  @SuppressWarnings("ReferenceEquality") // what is clean comes back as it is
  private static boolean isSame(Object one, Object other) {
    return one == other;
  }

  /** The same for JSON as text, escapes included; everything else stays byte for byte. */
  public static String ofJson(String json) {
    return cleaned(json, true);
  }

  /**
   * JSON as text without halves of surrogate pairs; control characters stay. For what a provider
   * gave and gets back byte for byte, but for what nobody could send.
   */
  public static String paired(String json) {
    return cleaned(json, false);
  }

  /** Whether a text, not one of JSON, holds no half of a surrogate pair. */
  public static boolean isPaired(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i)) && !isPair(text, i++)) {
        return false;
      }
    }
    return true;
  }

  private static String cleaned(String json, boolean all) {
    StringBuilder out = null;
    int kept = 0; // everything before it is in 'out'
    for (int i = 0; i < json.length(); ) {
      int width = width(json, i);
      int code = code(json, i, width);
      if (isHigh(code) && width(json, i + width) == width && isLow(code(json, i + width, width))) {
        i += 2 * width; // a pair is spelled in one way
      } else if (isHigh(code) || isLow(code) || (all && !isPlain((char) code))) {
        out = out == null ? new StringBuilder(json.length()) : out;
        out.append(json, kept, i).append(width == 1 ? String.valueOf(GONE) : GONE_ESCAPE);
        i += width;
        kept = i;
      } else {
        i += width;
      }
    }
    return out == null ? json : out.append(json, kept, json.length()).toString();
  }

  /** How many characters of JSON one character takes there. */
  private static int width(String json, int at) {
    if (at + 1 >= json.length() || json.charAt(at) != '\\') {
      return 1;
    }
    return json.charAt(at + 1) == 'u' && at + ESCAPE_CHARS <= json.length() ? ESCAPE_CHARS : 2;
  }

  private static int code(String json, int at, int width) {
    if (width == ESCAPE_CHARS) {
      try {
        return HexFormat.fromHexDigits(json, at + 2, at + ESCAPE_CHARS);
      } catch (NumberFormatException malformed) {
        return ' '; // whoever reads it refuses it
      }
    }
    char last = at + width <= json.length() ? json.charAt(at + width - 1) : ' ';
    boolean control = width == 2 && (last == 'b' || last == 'f');
    return control ? '\b' : last;
  }

  private static boolean isPlain(char c) {
    return c > 0 && !Character.isSurrogate(c);
  }

  private static boolean isPair(String text, int at) {
    return isHigh(text.charAt(at)) && at + 1 < text.length() && isLow(text.charAt(at + 1));
  }

  private static boolean isHigh(int code) {
    return code >= Character.MIN_HIGH_SURROGATE && code <= Character.MAX_HIGH_SURROGATE;
  }

  private static boolean isLow(int code) {
    return code >= Character.MIN_LOW_SURROGATE && code <= Character.MAX_LOW_SURROGATE;
  }
}
