package dev.contexture.engine.conversation;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.contexture.block.Scope;
import org.apiguardian.api.API;

/**
 * Gives out browsers. A conversation that anybody uses has one session in this process; the ones
 * used last stay loaded. Thread-safe.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Conversations {
  private static final int LOADED = 256;

  private final Services services;
  private final Cache<Scope.OfConversation, Session> sessions =
      Caffeine.newBuilder().weakValues().build();
  private final Cache<Scope.OfConversation, Session> recent =
      Caffeine.newBuilder().maximumSize(LOADED).build();

  public Conversations(Services services) {
    this.services = services;
  }

  public ContextBrowser browser(Scope.OfConversation scope) {
    Session session = sessions.get(scope, key -> new Session(services, key));
    recent.put(scope, session);
    return new ContextBrowser(session);
  }
}
