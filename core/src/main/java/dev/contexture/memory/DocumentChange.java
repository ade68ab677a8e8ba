package dev.contexture.memory;

import dev.contexture.memory.permission.Actor;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * A notice to a listener about one commit. Immutable.
 *
 * @param version the version that the commit made
 * @param actor who committed
 * @param operation what was done, for example {@code append}
 * @param changed the sections and fields whose value differs: names, and {@code section/field}
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record DocumentChange(
    long version, Origin origin, Actor actor, String operation, Set<String> changed) {
  public DocumentChange {
    changed = Set.copyOf(changed);
  }

  /** The place where a commit was made. */
  public enum Origin {
    LOCAL,
    REMOTE
  }
}
