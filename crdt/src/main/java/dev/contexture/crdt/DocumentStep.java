package dev.contexture.crdt;

import java.util.List;
import org.apiguardian.api.API;

/**
 * One step from the state before a commit to the state after it. Immutable. Closed.
 *
 * <p>The changes of a commit apply in their order to what the document showed before; positions are
 * those of the document that reports them, not those of the replica that made the commit.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public sealed interface DocumentStep {
  /** The name of the container that changed. */
  String container();

  /** {@code inserted} now stands at {@code position}; nothing else moved out. */
  record TextInserted(String container, int position, String inserted) implements DocumentStep {}

  /** {@code count} code points from {@code position} on are gone. */
  record TextDeleted(String container, int position, int count) implements DocumentStep {}

  /** {@code inserted} now stands at {@code position}. */
  record ItemsInserted(String container, int position, List<String> inserted)
      implements DocumentStep {
    public ItemsInserted {
      inserted = List.copyOf(inserted);
    }
  }

  /** {@code count} elements from {@code position} on are gone. */
  record ItemsDeleted(String container, int position, int count) implements DocumentStep {}

  /** The element at {@code position} has a new value. */
  record ItemSet(String container, int position, String value) implements DocumentStep {}

  /** A key has a new value. */
  record KeySet(String container, String key, String value) implements DocumentStep {}

  /** A key is gone. */
  record KeyRemoved(String container, String key) implements DocumentStep {}

  /** A counter moved by this much. */
  record CounterAdded(String container, long delta) implements DocumentStep {}
}
