package dev.contexture;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.render.RenderOptions;
import dev.contexture.render.RenderedContext;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Calls a model, and once more with a compacted context if the first was too long. */
final class RetryOnce {
  private final Function<RenderOptions, RenderedContext> render;
  private final Predicate<? super Exception> isContextLimit;

  RetryOnce(
      Function<RenderOptions, RenderedContext> render,
      Predicate<? super Exception> isContextLimit) {
    this.render = render;
    this.isContextLimit = isContextLimit;
  }

  <T extends @Nullable Object, E extends Exception> T call(
      RenderOptions options, ModelCall<T, E> call) throws E {
    RenderedContext context = render.apply(options);
    try {
      return call.call(context);
    } catch (Exception failure) {
      if (!isContextLimit.test(failure)) {
        throw failure;
      }
      RenderedContext shorter = render.apply(options.withForceSanitize(true));
      if (shorter.messages().equals(context.messages())) {
        failure.addSuppressed(
            new ContextureException(
                ErrorCode.NO_PROGRESS,
                "a forced compaction changed nothing, so that the call was not repeated; shorten"
                    + " what stands beside the conversation"));
        throw failure;
      }
      return call.call(shorter);
    }
  }
}
