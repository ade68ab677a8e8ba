package dev.contexture.model;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The source of a fact about a model.
 *
 * @param title what it is
 * @param url where it is; null: nowhere to look
 * @param catalogue whether it is another catalogue, which a provider's own documentation outweighs
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record FactSource(String title, @Nullable String url, boolean catalogue) {}
