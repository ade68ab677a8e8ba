package dev.contexture.store;

import dev.contexture.json.JsonObject;
import dev.contexture.json.SendableText;
import org.apiguardian.api.API;

/**
 * Feedback on a turn.
 *
 * @param key what replaces it: one for the user's, another one for each of a machine's
 * @param value origin, reaction, text, confidence
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Feedback(String key, JsonObject value) {
  public Feedback {
    value = SendableText.of(value);
  }
}
