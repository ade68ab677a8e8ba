package dev.contexture.embedder.local;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.search.Embedder;
import dev.contexture.search.EmbedderProvider;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/** Opens {@code local}, and {@code local=MODEL}. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class LocalEmbedderProvider implements EmbedderProvider {
  private static final String LOCAL = "local";

  @Override
  public Optional<Embedder> open(String name) {
    if (name.equals(LOCAL)) {
      return Optional.of(LocalModel.DEFAULT.open());
    }
    if (!name.startsWith(LOCAL + "=")) {
      return Optional.empty();
    }
    String model = name.substring(LOCAL.length() + 1);
    return Optional.of(
        LocalModel.of(model)
            .orElseThrow(
                () ->
                    ContextureException.invalid(
                        ErrorCode.INVALID_ARGUMENT, "the local model", model, "one of " + names()))
            .open());
  }

  private static String names() {
    return Stream.of(LocalModel.values())
        .map(LocalModel::wireName)
        .collect(Collectors.joining(", "));
  }
}
