package dev.contexture.memory.textedit;

import java.util.List;
import org.apiguardian.api.API;

/**
 * An edit of a text that is described by what it looks for, not by positions. Pure: {@link
 * #splices} says what it comes to in a text, and {@link
 * dev.contexture.memory.StructuredDocument#editText} makes it. What stands between the splices is
 * not touched, so that edits of others there survive. Immutable.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public sealed interface TextEdit permits TextReplacement, TextPatch, LineRange {
  /** How long a text may become by an edit; a block's own limit is below it. */
  int MAX_CHARS = 4_000_000;

  /**
   * The places that it changes, first to last, not overlapping.
   *
   * @throws dev.contexture.error.ContextureException {@code no_match}, {@code patch_conflict},
   *     {@code invalid_regex} or {@code invalid_argument} if it does not fit the text
   */
  List<Splice> splices(String text);

  /** The text after it. */
  default String apply(String text) {
    return Splice.apply(text, splices(text));
  }

  /**
   * Something that takes the place of a range.
   *
   * @param from the first char of the range, in UTF-16
   * @param to the first char behind it
   * @param insert what stands there afterwards
   */
  record Splice(int from, int to, String insert) {
    /** The text after splices, which are in order. */
    public static String apply(String text, List<Splice> splices) {
      StringBuilder out = new StringBuilder();
      int done = 0;
      for (Splice splice : splices) {
        out.append(text, done, splice.from).append(splice.insert);
        done = splice.to;
      }
      return out.append(text, done, text.length()).toString();
    }
  }
}
