package dev.contexture.crdt;

import java.util.Collections;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apiguardian.api.API;

/**
 * A version vector: how many operations of each replica a state contains. Immutable.
 *
 * <p>Replicas without operations do not occur, so that equal states have equal versions.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class VersionVector {
  /** The version of an empty document. */
  public static final VersionVector EMPTY = new VersionVector(Map.of());

  private final NavigableMap<ReplicaId, Integer> counts;

  private VersionVector(Map<ReplicaId, Integer> counts) {
    this.counts = Collections.unmodifiableNavigableMap(new TreeMap<>(counts));
  }

  /** The version with these operation counts; entries of 0 are left out. */
  public static VersionVector of(Map<ReplicaId, Integer> counts) {
    TreeMap<ReplicaId, Integer> kept = new TreeMap<>();
    counts.forEach(
        (replica, count) -> {
          if (count < 0) {
            throw CrdtException.invalid("count of replica " + replica, count, "0 or more");
          }
          if (count > 0) {
            kept.put(replica, count);
          }
        });
    return new VersionVector(kept);
  }

  /** Operations of this replica: 0 if it has none. */
  public int count(ReplicaId replica) {
    return counts.getOrDefault(replica, 0);
  }

  /** All counts, ordered by replica. */
  public Map<ReplicaId, Integer> counts() {
    return counts;
  }

  /** Whether a state of this version has everything that one of the other has. */
  public boolean includes(VersionVector other) {
    return other.counts.entrySet().stream().allMatch(e -> count(e.getKey()) >= e.getValue());
  }

  public boolean isEmpty() {
    return counts.isEmpty();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof VersionVector that && counts.equals(that.counts);
  }

  @Override
  public int hashCode() {
    return counts.hashCode();
  }

  @Override
  public String toString() {
    return counts.toString();
  }
}
