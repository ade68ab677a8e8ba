package dev.contexture.engine.session;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.contexture.block.Scope;
import java.util.function.Predicate;
import org.apiguardian.api.API;

/**
 * Gives out sessions. A conversation that anybody uses has one session in this process; the ones
 * used last stay loaded, as many as {@link #LOADED}, and fewer where they are large: their blocks
 * have at most {@link #LOADED_BYTES} together. What is dropped is loaded again from the store, and
 * then without what a summary stands for. Thread-safe.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class SessionRegistry {
  /** The most conversations that stay loaded though nobody uses them. */
  static final int LOADED = 256;

  /** What their blocks hold at most, all together: 128 MiB, and at most an eighth of the heap. */
  static final long LOADED_BYTES = Math.min(128L << 20, Runtime.getRuntime().maxMemory() / 8);

  private static final long LEAST_WEIGHT = LOADED_BYTES / LOADED; // so that the number is bounded

  private final ConversationServices services;
  private final Cache<Scope.OfConversation, Session> sessions =
      Caffeine.newBuilder().weakValues().build();
  private final Cache<Scope.OfConversation, Session> recent =
      Caffeine.newBuilder().maximumWeight(LOADED_BYTES).weigher(SessionRegistry::weight).build();

  public SessionRegistry(ConversationServices services) {
    this.services = services;
  }

  /** The one session of a conversation. */
  public Session session(Scope.OfConversation scope) {
    Session session = sessions.get(scope, key -> new Session(services, key));
    if (recent.getIfPresent(scope) != session || session.outgrew()) {
      recent.put(scope, session); // weighs it again, which takes much longer than to find it
    }
    return session;
  }

  /** Forgets conversations that were erased, and tells those who listen to them. */
  public void erased(Predicate<Scope.OfConversation> which) {
    forget(which);
    sessions
        .asMap()
        .forEach(
            (scope, session) -> {
              if (which.test(scope)) {
                session.publish("erase");
              }
            });
  }

  /** Forgets what is loaded of conversations, because something of them was erased. */
  public void forget(Predicate<Scope.OfConversation> which) {
    sessions
        .asMap()
        .forEach(
            (scope, session) -> {
              if (which.test(scope)) {
                session.locked(
                    () -> {
                      session.forget();
                      return true;
                    });
              }
            });
  }

  private static int weight(Scope.OfConversation scope, Session session) {
    return (int) Math.clamp(session.loadedBytes(), LEAST_WEIGHT, Integer.MAX_VALUE);
  }

  /** How many conversations stay loaded though nobody uses them. */
  long loaded() {
    recent.cleanUp();
    return recent.estimatedSize();
  }
}
