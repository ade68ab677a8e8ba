package dev.contexture.store;

import dev.contexture.block.TurnId;
import dev.contexture.json.JsonObject;
import java.time.Instant;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The record of a request to a model (P-50).
 *
 * @param id its key in the conversation
 * @param turn the turn that it was made for, if any
 * @param at when it was made
 * @param record what was sent and what it used
 * @param binaries SHA-256 of the content that the record refers to, put with {@link
 *     Store#putBinary}
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record RequestRow(
    String id, @Nullable TurnId turn, Instant at, JsonObject record, Set<String> binaries) {
  public RequestRow {
    binaries = Set.copyOf(binaries);
  }
}
