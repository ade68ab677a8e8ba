package dev.contexture.render;

import dev.contexture.timeline.PoolSource;
import dev.contexture.timeline.SourcesPool;
import dev.contexture.token.TokenMeter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The sources pool as the text of the tail. Keeps the last one, so that a pool that did not change
 * is not counted again. Confined to one thread.
 */
final class SourcesText {
  private static final int TITLE_CHARS = 80;
  private static final int SNIPPET_CHARS = 200;

  private @Nullable SourcesPool pool;
  private @Nullable TokenMeter meter;
  private String text = "";

  String of(SourcesPool shown, TokenMeter by) {
    if (shown != pool || !by.equals(meter)) {
      text = write(shown, by);
      pool = shown;
      meter = by;
    }
    return text;
  }

  private static String write(SourcesPool pool, TokenMeter meter) {
    List<PoolSource> rows = pool.rows();
    StringBuilder text = new StringBuilder("[SOURCES POOL] (").append(rows.size()).append(')');
    if (rows.isEmpty()) {
      return text.append("\n(none)").toString();
    }
    text.append("\n[path: so:sources_pool[").append(pool.compressedSids()).append("]]");
    for (PoolSource row : rows) {
      text.append("\nSID:").append(row.sid());
      text.append(" | ").append(value(row.title(), TITLE_CHARS));
      text.append(" | ").append(value(row.mime().orElse("-"), TITLE_CHARS));
      text.append(" | ").append(value(row.origin().orElse("-"), SNIPPET_CHARS));
      text.append(" | ~").append(meter.texts(List.of(row.text()))).append(" tok");
      String snippet = value(row.text(), SNIPPET_CHARS);
      if (!snippet.isEmpty()) {
        text.append("\n  ").append(snippet);
      }
    }
    return text.toString();
  }

  /** On one line, without the column mark, and cut with an ellipsis. */
  private static String value(String raw, int limit) {
    String line = raw.replaceAll("\\R", " ").replace('|', '/').strip();
    int chars = line.codePointCount(0, line.length());
    return chars <= limit ? line : line.substring(0, line.offsetByCodePoints(0, limit - 1)) + "…";
  }
}
