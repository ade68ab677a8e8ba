package dev.contexture;

import dev.contexture.render.RenderedContext;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Calls a model with a rendered context.
 *
 * @param <T> what the model answers
 * @param <E> how the call fails
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@FunctionalInterface
public interface ModelCall<T extends @Nullable Object, E extends Exception> {
  T call(RenderedContext context) throws E;
}
