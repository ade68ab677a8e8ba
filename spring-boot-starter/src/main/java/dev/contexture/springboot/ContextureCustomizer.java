package dev.contexture.springboot;

import dev.contexture.Contexture;
import org.apiguardian.api.API;

/** Changes how the engine of an application is opened: an embedder, a summariser, limits. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@FunctionalInterface
public interface ContextureCustomizer {
  /** Returns the settings that hold. */
  Contexture.Builder customize(Contexture.Builder settings);
}
