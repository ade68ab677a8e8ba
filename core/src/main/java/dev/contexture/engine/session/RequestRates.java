package dev.contexture.engine.session;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.contexture.block.Scope;
import java.util.List;
import org.apiguardian.api.API;

/**
 * The rates at which the requests of agents follow each other, since the engine was opened.
 * Thread-safe.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class RequestRates {
  private static final int MAX_AGENTS = 1_000;

  private final Cache<List<String>, RequestRate> byAgent =
      Caffeine.newBuilder().maximumSize(MAX_AGENTS).build();

  /** The pace of an agent, in whatever conversation: what they share is its system prompt. */
  public RequestRate of(Scope.OfConversation scope, String agent) {
    return byAgent.get(
        List.of(scope.tenant(), scope.project(), agent), unused -> new RequestRate());
  }
}
