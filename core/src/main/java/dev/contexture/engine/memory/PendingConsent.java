package dev.contexture.engine.memory;

import dev.contexture.memory.permission.Actor;
import dev.contexture.memory.permission.ConsentKind;
import dev.contexture.memory.permission.ConsentRequest;
import java.time.Instant;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A write that waits for approval.
 *
 * @param id by which it is answered
 * @param actor who wants to write
 * @param kind whose approval is needed
 * @param user to whom the block belongs; null: to its owner, for all users
 * @param subject block, operation and preview of the change
 * @param askedAt when it was asked
 * @param expiresAt when it can no longer be answered
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PendingConsent(
    String id,
    Actor actor,
    ConsentKind kind,
    @Nullable String user,
    ConsentRequest.Subject subject,
    Instant askedAt,
    Instant expiresAt) {}
