package dev.contexture.tool;

import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonText;
import dev.contexture.json.JsonValue;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a call that rules look at.
 *
 * @param tool its name
 * @param operation its argument {@code op}; null if it has none
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record RuleCall(String tool, @Nullable String operation) {
  /** A call with these arguments, as the model wrote them. */
  public static RuleCall of(String tool, String arguments) {
    Optional<String> operation =
        JsonText.isObject(arguments) && JsonValue.parse(arguments) instanceof JsonObject object
            ? object.string("op")
            : Optional.empty();
    return new RuleCall(tool, operation.orElse(null));
  }
}
