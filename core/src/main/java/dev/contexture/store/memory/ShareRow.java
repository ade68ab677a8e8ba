package dev.contexture.store.memory;

import java.time.Instant;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A block shared with an agent, or that it no longer is.
 *
 * @param block the block's id
 * @param agent with whom
 * @param level what the agent may do; null: the share was removed
 * @param pinned whether it is shown to that agent without being referred to
 * @param version 1 at first; rises by 1 whenever the share is put or removed, so that an old
 *     version never comes back
 * @param at when it was last put or removed
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ShareRow(
    String block, String agent, @Nullable String level, boolean pinned, long version, Instant at) {}
