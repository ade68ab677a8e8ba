package dev.contexture.model;

import dev.contexture.json.SendableText;
import org.apiguardian.api.API;

/**
 * A part of an answer that only its maker reads: thinking, server tools, types unknown here. With
 * the order of a text or a call it is that part's verbatim form, which goes back to the maker
 * instead of it.
 *
 * @param order its place among the parts of the answer
 * @param kind the provider's name for it; {@code blank}, {@code partial:…} and {@code extra_choice}
 *     are never sent again
 * @param json the part as received, white space outside strings removed, halves of surrogate pairs
 *     replaced
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ReplyOpaque(int order, String kind, String json) {
  public ReplyOpaque {
    json = SendableText.paired(json);
  }

  /** The kind of a text that holds nothing but white space. */
  public static final String BLANK = "blank";

  /** Starts the kind of a part that had not ended when the answer was cut. */
  public static final String PARTIAL_PREFIX = "partial:";

  /** The kind of a further answer beside the one that counts. */
  public static final String EXTRA_CHOICE = "extra_choice";

  /** Whether it is recorded: it had ended and belongs to the answer that counts. */
  public boolean kept() {
    return !kind.startsWith(PARTIAL_PREFIX) && !kind.equals(EXTRA_CHOICE);
  }

  /** Whether a request may hold it again. */
  public boolean sendable() {
    return isSendable(kind);
  }

  /** Whether a request may hold an opaque part of this kind. */
  public static boolean isSendable(String kind) {
    return !kind.equals(BLANK) && !kind.startsWith(PARTIAL_PREFIX) && !kind.equals(EXTRA_CHOICE);
  }
}
