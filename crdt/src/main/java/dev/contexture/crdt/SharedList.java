package dev.contexture.crdt;

import dev.contexture.crdt.internal.DocumentCore;
import java.util.List;
import org.apiguardian.api.API;

/**
 * A list that merges, ordered like a {@link SharedText}. Elements are whole values whose form is
 * the caller's affair, for example JSON texts: the latest {@link #set} wins, a deletion beats it.
 * Confined to the thread of its document.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class SharedList {
  private final DocumentCore core;
  private final int container;

  SharedList(DocumentCore core, int container) {
    this.core = core;
    this.container = container;
  }

  public int size() {
    return core.reading().length(container);
  }

  /**
   * @throws CrdtException {@code INDEX_OUT_OF_RANGE} if there is no such element
   */
  public String get(int index) {
    int size = size();
    if (index < 0 || index >= size) {
      throw new CrdtException(
          CrdtErrorCode.INDEX_OUT_OF_RANGE, "index is " + index + ", the list has " + size);
    }
    return core.reading().item(container, index);
  }

  /** All elements, as they are now. */
  public List<String> values() {
    return core.reading().list(container);
  }

  /**
   * @throws CrdtException {@code INDEX_OUT_OF_RANGE} if the index is beyond the size
   */
  public void insert(int index, String value) {
    core.insertItems(container, index, List.of(value));
  }

  /**
   * @throws CrdtException {@code INDEX_OUT_OF_RANGE} if the index is beyond the size
   */
  public void insertAll(int index, List<String> values) {
    core.insertItems(container, index, values);
  }

  public void add(String value) {
    insert(size(), value);
  }

  /**
   * @throws CrdtException {@code INDEX_OUT_OF_RANGE} if there is no such element
   */
  public void set(int index, String value) {
    core.setItem(container, index, value);
  }

  /**
   * @throws CrdtException {@code INDEX_OUT_OF_RANGE} if the range is not inside the list
   */
  public void delete(int index, int count) {
    core.delete(container, index, count);
  }
}
