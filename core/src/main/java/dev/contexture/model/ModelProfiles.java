package dev.contexture.model;

import java.util.Optional;
import org.apiguardian.api.API;

/** A source of model profiles; the catalogue in the provider module is one. Thread-safe. */
@FunctionalInterface
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface ModelProfiles {
  /** The model's profile; for a name that nobody knows, careful defaults that say so. */
  ModelProfile profile(ModelRef model);

  /** The model of that name which its maker serves in formats of its own; empty: none is known. */
  default Optional<ModelProfile> ofMaker(String model) {
    return Optional.empty();
  }
}
