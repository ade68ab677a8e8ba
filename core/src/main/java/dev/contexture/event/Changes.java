package dev.contexture.event;

import dev.contexture.block.Scope;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.apiguardian.api.API;

/**
 * Tells listeners about changes. Thread-safe.
 *
 * <p>Listeners are called by the thread that made the change, after it is durable: they must not
 * block, and hand over to a bounded queue of their own.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Changes {
  private final List<Consumer<Change>> listeners = new CopyOnWriteArrayList<>();
  private final Map<Scope.OfConversation, List<Consumer<Change>>> ofOne = new ConcurrentHashMap<>();

  /** Adds a listener; closing what is returned removes it. */
  public Subscription subscribe(Consumer<Change> listener) {
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }

  /**
   * Adds a listener to one conversation; closing what is returned removes it. A change of another
   * conversation costs it nothing, however many there are.
   */
  public Subscription subscribe(Scope.OfConversation conversation, Consumer<Change> listener) {
    ofOne.compute(
        conversation,
        (key, known) -> {
          List<Consumer<Change>> here = known == null ? new CopyOnWriteArrayList<>() : known;
          here.add(listener);
          return here;
        });
    return () ->
        ofOne.computeIfPresent(
            conversation,
            (key, here) -> {
              here.remove(listener);
              return here.isEmpty() ? null : here;
            });
  }

  /** Calls every listener; one that throws keeps no other from being called. */
  public void publish(Change change) {
    tell(listeners, change);
    tell(ofOne.getOrDefault(change.conversation(), List.of()), change);
  }

  private static void tell(List<Consumer<Change>> listeners, Change change) {
    RuntimeException failure = null;
    for (Consumer<Change> listener : listeners) {
      try {
        listener.accept(change);
      } catch (RuntimeException thrown) {
        if (failure == null) {
          failure = thrown;
        } else {
          failure.addSuppressed(thrown);
        }
      }
    }
    if (failure != null) {
      System.getLogger(Changes.class.getName())
          .log(System.Logger.Level.WARNING, "a listener failed", failure);
    }
  }

  /** Ends a subscription. */
  @FunctionalInterface
  public interface Subscription extends AutoCloseable {
    @Override
    void close();
  }
}
