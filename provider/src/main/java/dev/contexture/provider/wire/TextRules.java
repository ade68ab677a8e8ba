package dev.contexture.provider.wire;

import dev.contexture.error.ContextureException;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.json.SendableText;
import dev.contexture.model.RequestRule;
import java.util.Map;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** V31: text that no provider can decode. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class TextRules {
  private TextRules() {}

  /**
   * Where the first half of a surrogate pair is, as a JSON Pointer from the value on; null:
   * nowhere.
   *
   * @param raw the value as text
   * @param readable the same without such halves
   */
  public static @Nullable String unpaired(String raw, String readable) {
    if (readable.equals(raw)) {
      return null;
    }
    try {
      return unpaired(JsonValue.parse(raw), "");
    } catch (ContextureException inKey) {
      return ""; // a key that cannot be read
    }
  }

  /** Says what is wrong, if there is such a place below the pointer. */
  public static void judge(@Nullable String unpaired, String pointer, Findings findings) {
    if (unpaired != null) {
      findings.error(
          RequestRule.V31, pointer + unpaired, "half of a surrogate pair; send U+FFFD instead");
    }
  }

  private static @Nullable String unpaired(JsonValue value, String pointer) {
    return switch (value) {
      case JsonString text when !SendableText.isPaired(text.value()) -> pointer;
      case JsonObject object -> ofMembers(object, pointer);
      case JsonArray array -> ofItems(array, pointer);
      default -> null;
    };
  }

  private static @Nullable String ofMembers(JsonObject object, String pointer) {
    for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
      if (!SendableText.isPaired(member.getKey())) {
        return pointer;
      }
      String key = member.getKey().replace("~", "~0").replace("/", "~1");
      String found = unpaired(member.getValue(), pointer + "/" + key);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private static @Nullable String ofItems(JsonArray array, String pointer) {
    for (int i = 0; i < array.size(); i++) {
      String found = unpaired(array.items().get(i), pointer + "/" + i);
      if (found != null) {
        return found;
      }
    }
    return null;
  }
}
