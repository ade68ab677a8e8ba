package dev.contexture.render;

import dev.contexture.block.Block;
import dev.contexture.block.BlockType;
import dev.contexture.block.TurnId;
import dev.contexture.timeline.Timeline;
import dev.contexture.view.Emission;
import dev.contexture.view.Emitter;
import dev.contexture.view.Part;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What stands behind the stable stream and is never cached: the sources pool, then what is
 * announced.
 */
final class Tail {
  private final List<RenderedPart> parts = new ArrayList<>();
  private final Emitter emitter;
  private long tokens;

  private Tail(Emitter emitter) {
    this.emitter = emitter;
  }

  static Tail of(Timeline timeline, RenderOptions options, Emitter emitter, SourcesText sources) {
    Tail tail = new Tail(emitter);
    if (options.includeSources()) {
      tail.add(sources.of(timeline.sources(), emitter.meter()), "sources_pool", null);
    }
    if (options.includeAnnounce()) {
      for (Block block : timeline.announce()) {
        tail.add(block.text().orElse(""), BlockType.ANNOUNCE.name(), block.turn());
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

  private void add(String text, String type, @Nullable TurnId turn) {
    Emission emission = emitter.text(text);
    for (Part part : emission.parts()) {
      parts.add(new RenderedPart(part, type, null, turn, 0, false));
    }
    tokens += emission.cost();
  }
}
