package dev.contexture.bench.support;

import dev.contexture.provider.BuiltInProviders;
import dev.contexture.provider.catalogue.ModelCatalogue;
import dev.contexture.render.RenderOptions;
import dev.contexture.render.RenderedContext;
import dev.contexture.render.Renderer;
import dev.contexture.request.Point;
import dev.contexture.request.PointPlace;
import dev.contexture.request.Providers;
import dev.contexture.request.RequestInput;
import dev.contexture.request.RequestWriter;
import dev.contexture.request.ToolDef;
import dev.contexture.timeline.Timeline;
import dev.contexture.token.TokenCounter;
import dev.contexture.token.TokenMeter;
import dev.contexture.view.CachePoint;
import dev.contexture.view.Dialect;
import dev.contexture.view.Reader;
import java.util.List;

/**
 * Makes the bytes of requests of one conversation as the engine does, without a store: what was
 * rendered and encoded for one serves the next.
 *
 * <p>Confined to one thread.
 */
public final class ProviderBytes {
  static final String MODEL = "claude-opus-5";

  private static final int OUTPUT_TOKENS = 4_096;
  private static final Providers.Target TARGET =
      BuiltInProviders.of(ModelCatalogue.shipped()).resolve("anthropic", MODEL);
  private static final List<ToolDef> TOOLS =
      List.of(new ToolDef("search", "finds", "{\"type\":\"object\"}"));
  private static final RenderOptions OPTIONS =
      RenderOptions.defaults()
          .withDialect(Dialect.NATIVE)
          .withReader(new Reader(TARGET.model(), TARGET.profile().reads(), false))
          .withMeter(new TokenMeter(TokenCounter.O200K_BASE, TARGET.profile().tokenizer().ratio()));

  private final Renderer renderer = new Renderer();
  private final RequestWriter writer = TARGET.format().writer();

  /** Renders the conversation and writes its request; the bytes are a copy. */
  public byte[] write(Timeline timeline) {
    RenderedContext context = renderer.render(timeline, OPTIONS);
    List<PointPlace> points =
        context.points().stream()
            .map(
                place -> new PointPlace(point(place.point().kind()), place.message(), place.part()))
            .toList();
    RequestInput input =
        RequestInput.builder(TARGET.model(), OUTPUT_TOKENS)
            .tools(TOOLS)
            .messages(context.messages())
            .points(points)
            .volatileParts(context.tailParts())
            .build();
    return writer.write(input).body().bytes();
  }

  static Point point(CachePoint.Kind kind) {
    return switch (kind) {
      case PREV_TURN -> Point.PREV_TURN;
      case PRE_TAIL -> Point.PRE_TAIL;
      case TAIL -> Point.TAIL;
    };
  }
}
