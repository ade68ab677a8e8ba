package dev.contexture.store.memory;

import dev.contexture.json.JsonValue;
import java.time.Instant;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A text that an agent keeps for good. It never changes.
 *
 * @param id unique in its scope, never used again
 * @param agent whose
 * @param user of the agent, to whom it belongs; null: it is the agent's, for all of its users
 * @param content the text
 * @param metadata what else is known about it; null: nothing
 * @param at when it was kept, cut to microseconds
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ArchivalRow(
    String id,
    String agent,
    @Nullable String user,
    String content,
    @Nullable JsonValue metadata,
    Instant at) {}
