package dev.contexture.store.postgres;

import dev.contexture.event.Changes;
import dev.contexture.event.WriteTopic;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Listeners of topics, and topics as the text of a notice names them: by a part of their SHA-256,
 * since whoever may connect to a database may listen there. Thread-safe.
 */
final class NoticeTopics {
  /** Stands for all topics. */
  static final String ALL = "*";

  private static final String SEPARATOR = " ";
  private static final int KEY_BYTES = 9; // 12 characters
  private static final int MAX_KEYS = 600; // a notice has less than 8,000 bytes

  private final Map<String, List<Runnable>> listeners = new ConcurrentHashMap<>();

  static String key(WriteTopic topic) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256")
              .digest(topic.name().getBytes(StandardCharsets.UTF_8));
      return Base64.getUrlEncoder()
          .encodeToString(Arrays.copyOf(hash, KEY_BYTES)); // needs no padding
    } catch (NoSuchAlgorithmException absent) {
      throw new IllegalStateException("this JDK has no SHA-256", absent);
    }
  }

  /** The text of a notice about topics. */
  static String text(Collection<String> keys) {
    return keys.size() > MAX_KEYS ? ALL : String.join(SEPARATOR, keys);
  }

  Changes.Subscription add(WriteTopic topic, Runnable listener) {
    String key = key(topic);
    listeners.compute(
        key,
        (same, known) -> {
          List<Runnable> here = known == null ? new CopyOnWriteArrayList<>() : known;
          here.add(listener);
          return here;
        });
    return () ->
        listeners.computeIfPresent(
            key,
            (same, here) -> {
              here.remove(listener);
              return here.isEmpty() ? null : here;
            });
  }

  /** Calls the listeners of the topics that a notice names. */
  void tell(String text) {
    if (text.equals(ALL)) {
      listeners.values().forEach(NoticeTopics::call);
      return;
    }
    for (String key : text.split(SEPARATOR, -1)) {
      call(listeners.getOrDefault(key, List.of()));
    }
  }

  private static void call(List<Runnable> listeners) {
    for (Runnable listener : listeners) {
      try {
        listener.run();
      } catch (RuntimeException failed) {
        System.getLogger(NoticeTopics.class.getName())
            .log(System.Logger.Level.WARNING, "a listener failed", failed);
      }
    }
  }
}
