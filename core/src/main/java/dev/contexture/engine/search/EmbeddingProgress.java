package dev.contexture.engine.search;

import org.apiguardian.api.API;

/**
 * The progress of making vectors.
 *
 * @param model what makes them
 * @param lag changes that are not embedded yet, in the scopes that were used since the start
 * @param made entries that were embedded since the start
 * @param perMinute entries that were embedded in the last minute
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record EmbeddingProgress(String model, long lag, long made, long perMinute) {}
