package dev.contexture.engine.memory.stored;

import dev.contexture.memory.permission.Actor;
import org.jspecify.annotations.Nullable;

/**
 * The actor and the user that a view of memory is bound to; a call makes a {@link Viewer} of it.
 *
 * @param bound who acts; null: the agent that a call names, else the system
 * @param user see {@link Viewer#user}
 * @param everybody see {@link Viewer#everybody}
 */
record Viewpoint(@Nullable Actor bound, @Nullable String user, boolean everybody) {
  /** Nobody is bound, and it is for no user. */
  static final Viewpoint OPEN = new Viewpoint(null, null, false);

  /** Who performs a call that names an agent. */
  Viewer as(String agent) {
    return new Viewer(bound == null ? Actor.agent(agent) : bound, user, everybody);
  }

  /** Who performs a call that names none. */
  Viewer host() {
    return new Viewer(bound == null ? Actor.system() : bound, user, everybody);
  }
}
