package dev.contexture.request;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apiguardian.api.API;

/**
 * A parameter that a provider's caches depend on, though it is no block.
 *
 * @param name where it stands in the body, dots lead inside
 * @param tier the first blocks whose caches depend on it
 * @param value its JSON; empty: it is not there
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record CacheSetting(String name, RequestBlock.Tier tier, String value) {
  public static JsonArray write(List<CacheSetting> settings) {
    List<JsonValue> written = new ArrayList<>();
    for (CacheSetting setting : settings) {
      written.add(
          JsonObject.builder()
              .put("name", setting.name)
              .put("tier", setting.tier.wireName())
              .put("value", setting.value)
              .build());
    }
    return new JsonArray(written);
  }

  public static List<CacheSetting> read(JsonArray settings) {
    List<CacheSetting> read = new ArrayList<>();
    for (JsonValue value : settings.items()) {
      if (value instanceof JsonObject setting) {
        String tier = setting.string("tier").orElse("messages").toUpperCase(Locale.ROOT);
        read.add(
            new CacheSetting(
                setting.string("name").orElse(""),
                RequestBlock.Tier.valueOf(tier),
                setting.string("value").orElse("")));
      }
    }
    return List.copyOf(read);
  }
}
