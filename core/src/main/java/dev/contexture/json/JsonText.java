package dev.contexture.json;

import dev.contexture.error.ContextureException;
import java.util.Optional;
import org.apiguardian.api.API;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;

/** JSON as text: what must come back byte for byte is cut out of it, not parsed and printed. */
@API(status = API.Status.STABLE, since = "0.1")
public final class JsonText {
  private JsonText() {}

  /**
   * The value of a member exactly as it is spelled in the text of an object; of several members
   * with the key the last. Empty if the text is not one object or has no such member.
   */
  public static Optional<String> member(String object, String key) {
    try (JsonParser parser = JsonReader.FACTORY.createParser(ObjectReadContext.empty(), object)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return Optional.empty();
      }
      Optional<String> found = Optional.empty();
      while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
        boolean wanted = parser.currentName().equals(key);
        parser.nextToken();
        int start = Math.toIntExact(parser.currentTokenLocation().getCharOffset());
        parser.skipChildren();
        parser.finishToken();
        int end = Math.toIntExact(parser.currentLocation().getCharOffset());
        if (wanted) {
          found = Optional.of(object.substring(start, end).strip());
        }
      }
      return parser.nextToken() == null ? found : Optional.empty();
    } catch (JacksonException | ContextureException notJson) {
      return Optional.empty();
    }
  }
}
