package dev.contexture.search;

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
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record IndexDocument(
    IndexEntry entry, String text, String hint, String context, String label, String description) {
  /** The entry with its own words alone. */
  public IndexDocument withoutContext() {
    return new IndexDocument(entry, text, hint, "", label, description);
  }
}
