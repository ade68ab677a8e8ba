package dev.contexture.store;

import dev.contexture.block.Scope;
import java.time.Instant;
import org.apiguardian.api.API;

/** A conversation in a list. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ConversationEntry(Scope.OfConversation conversation, Head head) {

  /** Where the list goes on behind this entry. */
  public Cursor cursor() {
    return new Cursor(head.lastActivityAt(), conversation.conversation());
  }

  /** A place in a list of conversations: behind this time and id. */
  public record Cursor(Instant lastActivityAt, String conversation) {}
}
