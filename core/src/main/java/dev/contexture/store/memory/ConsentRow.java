package dev.contexture.store.memory;

import dev.contexture.json.JsonObject;
import java.time.Instant;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A question whether a write may be done, and its answer once there is one.
 *
 * @param id unique in its scope
 * @param block the block it is about, with which it is erased; null: none
 * @param request who asks for what: the caller's words
 * @param askedAt when it was asked
 * @param expiresAt when it can no longer be answered
 * @param answer the caller's words; null: it is open
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ConsentRow(
    String id,
    @Nullable String block,
    JsonObject request,
    Instant askedAt,
    Instant expiresAt,
    @Nullable JsonObject answer) {

  public ConsentRow answered(JsonObject answer) {
    return new ConsentRow(id, block, request, askedAt, expiresAt, answer);
  }
}
