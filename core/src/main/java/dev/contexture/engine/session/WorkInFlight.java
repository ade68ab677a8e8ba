package dev.contexture.engine.session;

import dev.contexture.block.Scope;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.apiguardian.api.API;

/**
 * Lets one caller at a time work on one thing of a conversation, such as a call: who comes later
 * waits, and finds what the first one stored. Holds in this process; thread-safe.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class WorkInFlight {
  private final Map<Key, Flight> flights = new ConcurrentHashMap<>();

  private record Key(Scope.OfConversation conversation, String id) {}

  /** Those who work on a thing or wait for it; counted under the map's lock of its key. */
  private static final class Flight {
    private final ReentrantLock lock = new ReentrantLock();
    private int users;
  }

  /** Does the work when nobody else works on the same id of the conversation. */
  public <T> T alone(Scope.OfConversation conversation, String id, Supplier<T> work) {
    Key key = new Key(conversation, id);
    Flight flight =
        flights.compute(
            key,
            (same, known) -> {
              Flight joined = known == null ? new Flight() : known;
              joined.users++;
              return joined;
            });
    flight.lock.lock();
    try {
      return work.get();
    } finally {
      flight.lock.unlock();
      flights.computeIfPresent(key, (same, left) -> --left.users == 0 ? null : left);
    }
  }
}
