package dev.contexture.crdt;

import java.util.Objects;
import org.apiguardian.api.API;

/**
 * One commit of the history. Immutable.
 *
 * @param replica who committed
 * @param first number of its first operation, counted per replica from 0
 * @param operations how many operations it has: one per inserted or deleted code point or element,
 *     per written key and per increment
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record CommitRecord(ReplicaId replica, int first, int operations, CommitNote note) {
  public CommitRecord {
    Objects.requireNonNull(replica);
    Objects.requireNonNull(note);
  }
}
