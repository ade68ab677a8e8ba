package dev.contexture.engine.session;

import dev.contexture.store.Head;
import dev.contexture.store.Store;
import java.util.Set;
import java.util.function.Predicate;
import org.apiguardian.api.API;

/** Removes conversations, or parts of them, beyond recovery, and what is loaded of them. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ConversationEraser {
  private ConversationEraser() {}

  /**
   * Removes a conversation with everything of it.
   *
   * @param still asked about the state in which it would be erased, which nobody changes meanwhile
   * @return whether it was there and was removed
   */
  public static boolean erase(Session session, Predicate<Head> still) {
    ConversationServices services = session.services();
    Store store = services.store();
    return session.locked(
        () -> {
          if (store.head(session.scope()).filter(still).isEmpty()) {
            return false;
          }
          session.forget(); // also if it fails: it may have landed
          boolean erased = store.eraseConversation(session.scope(), services.now());
          if (erased) {
            session.publish("erase");
          }
          return erased;
        });
  }

  /** Removes request records of a conversation; how many there were. */
  public static long eraseRequests(Session session, Set<String> ids) {
    ConversationServices services = session.services();
    return session.locked(
        () -> {
          session.forget(); // what is known of the last request is not kept any more
          return services.store().eraseRequests(session.scope(), ids, services.now());
        });
  }
}
