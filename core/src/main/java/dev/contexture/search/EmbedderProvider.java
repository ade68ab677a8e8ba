package dev.contexture.search;

import java.util.Optional;
import org.apiguardian.api.API;

/** Opens embedders by name. Found by {@link java.util.ServiceLoader}. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface EmbedderProvider {
  /**
   * Opens an embedder.
   *
   * @param name as a setting has it, such as {@code local=all-minilm-l6-v2}
   * @return empty if this provider does not know the kind
   * @throws dev.contexture.error.ContextureException {@code invalid_argument} if it knows the kind
   *     and not the model
   */
  Optional<Embedder> open(String name);
}
