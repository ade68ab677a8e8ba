package dev.contexture.store;

import java.time.Instant;
import org.apiguardian.api.API;

/**
 * A user in a list.
 *
 * @param conversations how many the user has
 * @param activity the place of the newest of them, as {@link ConversationEntry#activity}
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record UserEntry(String user, long conversations, Instant activity) {

  /** Where the list goes on behind this entry. */
  public Cursor cursor() {
    return new Cursor(activity, user);
  }

  /** A place in a list of users: behind this activity and name. */
  public record Cursor(Instant activity, String user) {}
}
