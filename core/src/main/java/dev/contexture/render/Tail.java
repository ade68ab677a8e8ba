package dev.contexture.render;

import dev.contexture.block.Block;
import dev.contexture.block.BlockType;
import dev.contexture.block.TurnId;
import dev.contexture.timeline.Timeline;
import dev.contexture.token.TokenMeter;
import dev.contexture.view.Dialect;
import dev.contexture.view.Part;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What stands behind the stable stream and is never cached: the sources pool, then what is
 * announced (T-86, T-95).
 */
final class Tail {
  private final List<RenderedPart> parts = new ArrayList<>();
  private final Dialect dialect;
  private long tokens;

  private Tail(Dialect dialect) {
    this.dialect = dialect;
  }

  static Tail of(Timeline timeline, RenderOptions options) {
    Tail tail = new Tail(options.dialect());
    TokenMeter meter = options.meter();
    if (options.includeSources()) {
      tail.add(SourcesText.of(timeline.sources(), meter), "sources_pool", null, meter);
    }
    if (options.includeAnnounce()) {
      for (Block block : timeline.announce()) {
        String text = withoutEndBreaks(block.text().orElse(""));
        tail.add(text, BlockType.ANNOUNCE.name(), block.turn(), meter);
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

  private void add(String text, String type, @Nullable TurnId turn, TokenMeter meter) {
    if (text.isEmpty()) {
      return;
    }
    String emitted = dialect == Dialect.TRANSCRIPT ? text + "\n\n" : text;
    parts.add(new RenderedPart(new Part.Text(emitted), type, null, turn, 0, false));
    tokens += meter.texts(List.of(emitted));
  }

  private static String withoutEndBreaks(String text) {
    return text.replaceFirst("[\\r\\n]+$", "");
  }
}
