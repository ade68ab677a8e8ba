package dev.contexture.memory.schema;

import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * One text.
 *
 * @param window the lines that are rendered; all if absent
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record TextSchema(@Nullable Viewport window) implements BlockSchema {
  /** Text without viewport: what a block without a schema has. */
  public static final TextSchema PLAIN = new TextSchema(null);

  /** The lines that are rendered. */
  public Optional<Viewport> viewport() {
    return Optional.ofNullable(window);
  }

  /**
   * A range of lines.
   *
   * @param startLine first line, from 1
   * @param displayLines how many lines
   */
  public record Viewport(int startLine, int displayLines) {
    public Viewport {
      SchemaJson.atLeastOne("start_line", startLine);
      SchemaJson.atLeastOne("display_lines", displayLines);
    }

    /** The last line, whether or not the text has it. */
    public long endLine() {
      return (long) startLine + displayLines - 1;
    }
  }
}
