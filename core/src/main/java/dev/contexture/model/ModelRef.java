package dev.contexture.model;

import org.apiguardian.api.API;

/**
 * A model by the provider that serves it.
 *
 * @param provider the catalogue's name for who serves it
 * @param model the provider's name for it
 */
@API(status = API.Status.STABLE, since = "0.1")
public record ModelRef(String provider, String model) {}
