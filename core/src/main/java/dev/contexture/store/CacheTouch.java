package dev.contexture.store;

import java.time.Instant;
import org.apiguardian.api.API;

/**
 * The time when the provider's prompt cache was last used.
 *
 * @param at the newest render
 * @param ttlSeconds how long the cache was configured to live then
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record CacheTouch(Instant at, long ttlSeconds) {}
