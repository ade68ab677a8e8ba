package dev.contexture.search;

import java.util.List;
import org.apiguardian.api.API;

/** A change that is written to an index. Closed: every index does all of them. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public sealed interface IndexChange {

  /** Puts an entry; its earlier words are replaced, its vectors stay. */
  record Put(IndexDocument document) implements IndexChange {}

  /** Puts the vectors of an entry, one for each chunk; earlier ones are replaced. */
  record PutVectors(IndexEntry entry, List<float[]> vectors) implements IndexChange {
    public PutVectors {
      vectors = List.copyOf(vectors);
    }
  }

  /** Notes that an entry cannot be embedded, and why; putting vectors or removing ends it. */
  record Park(IndexEntry entry, String error) implements IndexChange {}

  /** Notes that an entry's words cannot be indexed, and why; putting or removing it ends it. */
  record ParkText(IndexEntry entry, String error) implements IndexChange {}

  /**
   * Removes all entries of a group with their vectors.
   *
   * @param erase whether no trace may stay in the files once this is committed
   */
  record RemoveGroup(String group, boolean erase) implements IndexChange {}

  /** Removes all messages of a conversation without a trace. */
  record RemoveConversation(String user, String conversation) implements IndexChange {}

  /** Removes everything without a trace. */
  record RemoveAll() implements IndexChange {}

  /** Removes all vectors, which are of another model. */
  record RemoveVectors() implements IndexChange {}
}
