package dev.contexture.search;

import java.util.List;
import org.apiguardian.api.API;

/**
 * An entry with its words.
 *
 * @param entry which
 * @param text its own content
 * @param hint what else says what it is, such as who spoke and on which day; may be empty
 * @param context what stands around it, without itself; may be empty
 * @param label its name, which weighs more; may be empty
 * @param description what it is for, which weighs more; may be empty
 * @param introduction what a reader needs before it, such as who speaks and what was said before:
 *     an embedder reads it before each passage; may be empty
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record IndexDocument(
    IndexEntry entry,
    String text,
    String hint,
    String context,
    String label,
    String description,
    String introduction) {
  /** An entry that needs no introduction. */
  public IndexDocument(
      IndexEntry entry,
      String text,
      String hint,
      String context,
      String label,
      String description) {
    this(entry, text, hint, context, label, description, "");
  }

  /** The entry with its own words alone. */
  public IndexDocument withoutContext() {
    return new IndexDocument(entry, text, hint, "", label, description, introduction);
  }

  /** What an embedder reads, in passages. */
  public List<String> passages() {
    return Passages.of(text).stream().map(passage -> introduction + passage).toList();
  }
}
