package dev.contexture.summarizer;

import dev.contexture.compaction.summary.Summarizer;
import dev.contexture.compaction.summary.SummarizerProvider;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.util.Optional;
import java.util.function.Function;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Opens the summarisers of this module by name, with keys from the environment. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ModelSummarizers implements SummarizerProvider {
  /** Servers on one's own machine ask for no key, but the library wants one. */
  private static final String NO_KEY = "none";

  @Override
  public Optional<Summarizer> open(
      String kind,
      String model,
      @Nullable String url,
      Function<String, @Nullable String> environment) {
    return switch (kind) {
      case "anthropic" ->
          Optional.of(
              AnthropicSummarizer.of(
                  endpoint(model, url, key(environment, "ANTHROPIC_API_KEY", false))));
      case "openai" ->
          Optional.of(
              OpenAiSummarizer.of(
                  endpoint(model, url, key(environment, "OPENAI_API_KEY", url != null))));
      default -> Optional.empty();
    };
  }

  private static ModelEndpoint endpoint(String model, @Nullable String url, String key) {
    ModelEndpoint endpoint = ModelEndpoint.of(model, key);
    return url == null ? endpoint : endpoint.at(url);
  }

  private static String key(
      Function<String, @Nullable String> environment, String name, boolean optional) {
    String key = environment.apply(name);
    if (key != null && !key.isBlank()) {
      return key.strip();
    }
    if (optional) {
      return NO_KEY;
    }
    throw ContextureException.invalid(
        ErrorCode.INVALID_CONFIG, name, "not set", "a key in this environment variable");
  }
}
