package dev.contexture.compaction.summary;

import java.util.Optional;
import java.util.function.Function;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Opens summarisers by name. Found by {@link java.util.ServiceLoader}. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface SummarizerProvider {
  /**
   * Opens a summariser; one that is {@link AutoCloseable} is closed by the caller.
   *
   * @param kind its name for the kind of model
   * @param model the provider's name for the model
   * @param url where it is served; null: the provider's own address
   * @param environment where keys come from, by the name of the variable
   * @return empty if this provider does not know the kind
   */
  Optional<Summarizer> open(
      String kind,
      String model,
      @Nullable String url,
      Function<String, @Nullable String> environment);
}
