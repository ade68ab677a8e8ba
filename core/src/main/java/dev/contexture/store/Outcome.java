package dev.contexture.store;

import dev.contexture.block.TurnId;
import dev.contexture.json.JsonObject;
import org.apiguardian.api.API;

/**
 * The result of an operation, kept with the commit that did it, so that a repeat is answered and
 * not done again.
 *
 * @param key of the operation, unique in the conversation, for example {@code record:r1}
 * @param turn with which it is erased
 * @param value what to compare a repeat with, and what to answer
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Outcome(String key, TurnId turn, JsonObject value) {}
