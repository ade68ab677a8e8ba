package dev.contexture.engine.memory.stored;

import dev.contexture.memory.permission.Actor;
import org.jspecify.annotations.Nullable;

/**
 * The caller for whom memory is read: what belongs to a user of an agent is seen only for that
 * user.
 *
 * @param actor who acts
 * @param user for whom, beside what the agent has for all users; null: for nobody else
 * @param everybody whether what belongs to any user is seen: for the host only
 */
record Viewer(Actor actor, @Nullable String user, boolean everybody) {
  /** The actor, for no user. */
  static Viewer of(Actor actor) {
    return new Viewer(actor, null, false);
  }

  boolean isAgent() {
    return actor instanceof Actor.Agent;
  }

  /** Whether the actor acts in an agent's namespace: an agent does so only in its own. */
  boolean mayActFor(String agent) {
    return !(actor instanceof Actor.Agent acting) || acting.id().equals(agent);
  }

  /** Whether something is seen that belongs to a user; null: to the agent itself. */
  boolean sees(@Nullable String owner) {
    return owner == null || everybody || owner.equals(user);
  }
}
