package dev.contexture.render;

import dev.contexture.block.Block;
import dev.contexture.block.BlockType;
import dev.contexture.block.TurnId;
import dev.contexture.timeline.Timeline;
import dev.contexture.view.Emission;
import dev.contexture.view.Emitter;
import dev.contexture.view.Part;
import dev.contexture.view.TailMemory;
import dev.contexture.view.View;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The part behind the stable stream that is never cached: the sources pool, then what is announced.
 */
final class Tail {
  private final List<RenderedPart> parts = new ArrayList<>();
  private long tokens;

  private Tail() {}

  /**
   * @param view the stream that it stands behind: sources that it says already are not said again
   */
  static Tail of(View view, RenderOptions options, Emitter emitter, SourcesText sources) {
    Tail tail = new Tail();
    Timeline timeline = view.timeline();
    if (options.includeSources()) {
      Emission pool = emitter.text(sources.of(timeline.sources(), emitter.meter()));
      boolean needless = timeline.sources().rows().isEmpty() && !options.adds().emptySources();
      boolean told = view.lastTail(TailMemory.SOURCES).isPresent();
      if (!isSaid(pool, view) && (!needless || told)) {
        tail.add(pool, "sources_pool", null);
      }
    }
    if (options.includeAnnounce()) {
      for (Block block : timeline.announce()) {
        Emission announced = emitter.text(block.text().orElse(""));
        tail.add(announced, BlockType.ANNOUNCE.name(), block.turn());
      }
    }
    return tail;
  }

  List<RenderedPart> parts() {
    return parts;
  }

  long tokens() {
    return tokens;
  }

  private static boolean isSaid(Emission emission, View view) {
    return view.lastTail(TailMemory.SOURCES)
        .map(said -> emission.parts().equals(List.of(new Part.Text(said))))
        .orElse(false);
  }

  private void add(Emission emission, String type, @Nullable TurnId turn) {
    for (Part part : emission.parts()) {
      parts.add(new RenderedPart(part, type, null, turn, 0, false));
    }
    tokens += emission.cost();
  }
}
