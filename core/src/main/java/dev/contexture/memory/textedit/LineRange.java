package dev.contexture.memory.textedit;

import dev.contexture.json.SendableText;
import dev.contexture.memory.schema.MemoryErrors;
import java.util.List;
import org.apiguardian.api.API;

/**
 * Puts other lines in the place of a range of lines. The new ones are taken as they are, with their
 * indentation; whether the text ends with a line feed stays as it is.
 *
 * @param start the first line, from 1
 * @param end the last line, inclusive; beyond the text: its last one
 * @param content the new lines; empty: none
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record LineRange(long start, long end, String content) implements TextEdit {
  /**
   * @throws dev.contexture.error.ContextureException {@code invalid_argument} for a range that
   *     starts below 1 or after its end
   */
  public LineRange {
    content = SendableText.of(content);
    if (start < 1) {
      throw MemoryErrors.argument("start_line", start, "1 or more");
    }
    if (start > end) {
      throw MemoryErrors.argument("start_line", start, "at most end_line, which is " + end);
    }
  }

  @Override
  public List<Splice> splices(String text) {
    TextLines now = TextLines.of(text);
    if (start > now.size()) {
      throw MemoryErrors.argument(
          "start_line", start, now.size() == 0 ? "none, the text is empty" : "1 to " + now.size());
    }
    int first = (int) start - 1;
    int count = (int) Math.min(end, now.size()) - first;
    List<String> lines = TextLines.of(content).lines();
    return now.splices(List.of(new TextLines.Change(first, count, lines)), now.ended());
  }
}
