package dev.contexture.view;

import dev.contexture.json.JsonFields;
import dev.contexture.json.JsonObject;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * Additions to a context that come neither from the user nor from the host. Each can be left out.
 *
 * @param defaultInstructions the built-in text of an agent without instructions of its own
 * @param turnHeaders the line with the id and the time of a turn
 * @param activity what happened recently in the group of agents
 * @param emptySources that there are no sources, where sources are asked for
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.2")
public record Adds(
    boolean defaultInstructions, boolean turnHeaders, boolean activity, boolean emptySources) {
  /** Everything is added. */
  public static final Adds ALL = new Adds(true, true, true, true);

  /** Nothing is. */
  public static final Adds NOTHING = new Adds(false, false, false, false);

  private static final Set<String> FIELDS =
      Set.of("default_instructions", "turn_headers", "activity", "empty_sources");

  /** Reads the form that callers use; what is absent is added. */
  public static Adds read(JsonObject json) {
    JsonFields fields = JsonFields.of(json, FIELDS);
    return new Adds(
        fields.flag("default_instructions", true),
        fields.flag("turn_headers", true),
        fields.flag("activity", true),
        fields.flag("empty_sources", true));
  }

  public JsonObject toJson() {
    return JsonObject.builder()
        .put("default_instructions", defaultInstructions)
        .put("turn_headers", turnHeaders)
        .put("activity", activity)
        .put("empty_sources", emptySources)
        .build();
  }
}
