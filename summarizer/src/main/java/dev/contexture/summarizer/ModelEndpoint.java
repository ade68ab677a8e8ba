package dev.contexture.summarizer;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The model to ask, and its address.
 *
 * @param model the provider's name for it; a request may name another
 * @param baseUrl where it is served; null: the provider's own address
 * @param key what the caller is known by
 * @param timeout what one try may take
 * @param maxRetries how often a failure that may pass is tried again
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ModelEndpoint(
    String model, @Nullable String baseUrl, String key, Duration timeout, int maxRetries) {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final int MAX_RETRIES = 2;

  /**
   * @throws ContextureException {@code invalid_config} if the model or the key is blank, the
   *     address is no HTTP URL, or a number is out of range
   */
  public ModelEndpoint {
    check(!model.isBlank(), "model", model, "the name of a model");
    check(!key.isBlank(), "key", "", "the provider's key");
    check(baseUrl == null || isHttp(baseUrl), "url", String.valueOf(baseUrl), "an http(s) URL");
    check(timeout.toMillis() > 0, "timeout", timeout, "a positive duration");
    check(maxRetries >= 0, "max_retries", maxRetries, "a number from 0");
  }

  /** A model at the provider's own address. */
  public static ModelEndpoint of(String model, String key) {
    return new ModelEndpoint(model, null, key, TIMEOUT, MAX_RETRIES);
  }

  public ModelEndpoint at(String url) {
    return new ModelEndpoint(model, url, key, timeout, maxRetries);
  }

  public ModelEndpoint withTimeout(Duration most) {
    return new ModelEndpoint(model, baseUrl, key, most, maxRetries);
  }

  public ModelEndpoint withMaxRetries(int retries) {
    return new ModelEndpoint(model, baseUrl, key, timeout, retries);
  }

  public Optional<String> url() {
    return Optional.ofNullable(baseUrl);
  }

  /** Without the key. */
  @Override
  public String toString() {
    return model + (baseUrl == null ? "" : "@" + baseUrl);
  }

  private static boolean isHttp(String url) {
    try {
      URI uri = URI.create(url);
      return uri.getHost() != null
          && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()));
    } catch (IllegalArgumentException notOne) {
      return false;
    }
  }

  private static void check(boolean holds, String field, Object actual, String allowed) {
    if (!holds) {
      throw ContextureException.invalid(ErrorCode.INVALID_CONFIG, field, actual, allowed);
    }
  }
}
