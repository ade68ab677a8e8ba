package dev.contexture.store;

import dev.contexture.block.Scope;
import java.time.Instant;
import org.apiguardian.api.API;

/**
 * A conversation in a list.
 *
 * @param activity its place among the conversations of its user: when it was last active, or just
 *     behind the place of the one before where a clock went back since. It never falls
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ConversationEntry(Scope.OfConversation conversation, Head head, Instant activity) {

  /** Where the list goes on behind this entry. */
  public Cursor cursor() {
    return new Cursor(activity, conversation.conversation());
  }

  /** A place in a list of conversations: behind this activity and id. */
  public record Cursor(Instant activity, String conversation) {}
}
