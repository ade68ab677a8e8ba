package dev.contexture.model;

import org.apiguardian.api.API;

/**
 * A model by the provider that serves it.
 *
 * @param provider for example {@code anthropic}
 * @param model the provider's name for it, for example {@code claude-opus-5}
 */
@API(status = API.Status.STABLE, since = "0.1")
public record ModelRef(String provider, String model) {}
