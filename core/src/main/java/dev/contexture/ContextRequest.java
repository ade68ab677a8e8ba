package dev.contexture;

import dev.contexture.prompt.ContextMetadata;
import dev.contexture.render.RenderedContext;
import dev.contexture.request.Divergence;
import dev.contexture.request.Prefix;
import dev.contexture.request.ProviderRequest;
import dev.contexture.request.Providers;
import dev.contexture.token.Estimate;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A request that is ready to be sent.
 *
 * @param id its key in the conversation, by which its answer is recorded
 * @param target whom it is for
 * @param request the provider's form of it, with its marks
 * @param context what was rendered
 * @param estimate how many tokens the provider will count
 * @param prefix how it relates to the request before it
 * @param change what changed of what had been sent; null: nothing did
 * @param metadata what it holds and why
 * @param assembled what it holds in a form that no provider owns, for frameworks that write bodies
 *     themselves
 */
@API(status = API.Status.STABLE, since = "0.1")
public record ContextRequest(
    String id,
    Providers.Target target,
    ProviderRequest request,
    RenderedContext context,
    Estimate estimate,
    Prefix prefix,
    @Nullable Divergence change,
    ContextMetadata metadata,
    AssembledContext assembled) {
  /** What changed of what had been sent, who did it and what it costs. */
  public Optional<Divergence> divergence() {
    return Optional.ofNullable(change);
  }

  /** The exact body to send, as JSON text. */
  public String body() {
    return request.body().text();
  }

  /** The path of the address that it goes to, with its query. */
  public String path() {
    return request.endpoint().path();
  }

  /** The headers that it needs, all but the one that carries the key. */
  public Map<String, String> headers() {
    return request.endpoint().headers();
  }
}
