package dev.contexture.engine.agent;

import dev.contexture.block.CallId;
import dev.contexture.block.Scope;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.apiguardian.api.API;

/**
 * Lets one caller at a time work on a call of a conversation: who comes later waits, and finds what
 * the first one stored. Holds in this process; thread-safe.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class CallsInFlight {
  private final Map<Key, Flight> flights = new ConcurrentHashMap<>();

  private record Key(Scope.OfConversation conversation, CallId call) {}

  /** Those who work on a call or wait for it; counted under the map's lock of its key. */
  private static final class Flight {
    private final ReentrantLock lock = new ReentrantLock();
    private int users;
  }

  <T> T alone(Scope.OfConversation conversation, CallId call, Supplier<T> work) {
    Key key = new Key(conversation, call);
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
