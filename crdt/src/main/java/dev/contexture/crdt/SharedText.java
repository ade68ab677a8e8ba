package dev.contexture.crdt;

import dev.contexture.crdt.internal.DocumentCore;
import org.apiguardian.api.API;

/**
 * A text that merges. Positions and lengths count Unicode code points; an unpaired surrogate is
 * stored as U+FFFD. Runs typed concurrently at one place stay whole, that of the smaller replica id
 * first. Confined to the thread of its document.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class SharedText {
  private final DocumentCore core;
  private final int container;

  SharedText(DocumentCore core, int container) {
    this.core = core;
    this.container = container;
  }

  public int length() {
    return core.reading().length(container);
  }

  /**
   * Replaces a range.
   *
   * @throws CrdtException {@code INDEX_OUT_OF_RANGE} if the range is not inside the text
   */
  public void splice(int position, int deleteCount, String insert) {
    core.splice(container, position, deleteCount, insert);
  }

  public void insert(int position, String insert) {
    core.splice(container, position, 0, insert);
  }

  public void append(String insert) {
    core.splice(container, length(), 0, insert);
  }

  public void delete(int position, int count) {
    core.delete(container, position, count);
  }

  /**
   * Makes the text this one by a single splice of what differs, so that edits elsewhere survive.
   */
  public void set(String target) {
    int[] now = toString().codePoints().toArray();
    int[] wanted = DocumentCore.storable(target).codePoints().toArray();
    int prefix = 0;
    int shorter = Math.min(now.length, wanted.length);
    while (prefix < shorter && now[prefix] == wanted[prefix]) {
      prefix++;
    }
    int suffix = 0;
    while (suffix < shorter - prefix
        && now[now.length - 1 - suffix] == wanted[wanted.length - 1 - suffix]) {
      suffix++;
    }
    String middle = new String(wanted, prefix, wanted.length - prefix - suffix);
    splice(prefix, now.length - prefix - suffix, middle);
  }

  @Override
  public String toString() {
    return core.reading().text(container);
  }
}
