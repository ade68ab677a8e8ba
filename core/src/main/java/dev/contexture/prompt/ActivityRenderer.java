package dev.contexture.prompt;

import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Tells an agent what happened lately. Implemented by hosts; the engine has one that reads the
 * events of its memory. One that fails is left out and reported.
 */
@FunctionalInterface
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface ActivityRenderer {
  /**
   * @param agent who reads it
   * @param limit the most events, at least 1
   * @return the whole part; empty: there is nothing to tell
   */
  Optional<String> render(String agent, int limit);

  /**
   * What is told in a conversation of a user: nothing about what belongs to others.
   *
   * @return by default the same
   */
  default ActivityRenderer forUser(String user) {
    return this;
  }
}
