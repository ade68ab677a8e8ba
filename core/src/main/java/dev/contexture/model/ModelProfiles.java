package dev.contexture.model;

import org.apiguardian.api.API;

/** Where profiles come from; the catalogue in the provider module is one. Thread-safe. */
@FunctionalInterface
@API(status = API.Status.STABLE, since = "0.1")
public interface ModelProfiles {
  /** The model's profile; for a name that nobody knows, careful defaults that say so. */
  ModelProfile profile(ModelRef model);
}
