package dev.contexture.crdt;

import java.util.List;
import java.util.Objects;
import org.apiguardian.api.API;

/**
 * An event for a {@link CommitListener}. Immutable.
 *
 * @param local whether this document made the commit; otherwise it was merged in
 * @param changes what it changed here; empty if others had already overtaken it
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record CommitEvent(CommitRecord commit, boolean local, List<DocumentStep> changes) {
  public CommitEvent {
    Objects.requireNonNull(commit);
    changes = List.copyOf(changes);
  }
}
