package dev.contexture.memory;

import dev.contexture.event.Changes.Subscription;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The listeners of one document. Thread-safe.
 *
 * <p>They are called by the thread that publishes, in the order in which they came. One that throws
 * is reported and keeps no other from being called; one that is closed hears nothing any more.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class DocumentSubscriptions {
  private final List<Entry> entries = new CopyOnWriteArrayList<>();
  private final Consumer<RuntimeException> failed;

  /** Reports listeners that throw to the log. */
  public DocumentSubscriptions() {
    this(
        thrown ->
            System.getLogger(DocumentSubscriptions.class.getName())
                .log(System.Logger.Level.WARNING, "a listener of a document failed", thrown));
  }

  public DocumentSubscriptions(Consumer<RuntimeException> failed) {
    this.failed = failed;
  }

  /** Hears of every commit that changed the document. */
  public Subscription root(Consumer<DocumentChange> listener) {
    return add(null, listener);
  }

  /** Hears of every commit that changed a section, a field, or {@code section/field}. */
  public Subscription part(String name, Consumer<DocumentChange> listener) {
    return add(name, listener);
  }

  /** Whether nobody listens, so that nothing need be compared. */
  public boolean isEmpty() {
    return entries.isEmpty();
  }

  /** Tells about one commit, after it is durable and outside all locks. */
  public void publish(DocumentChange change) {
    if (change.changed().isEmpty()) {
      return;
    }
    for (Entry entry : entries) {
      boolean concerned = entry.part == null || change.changed().contains(entry.part);
      if (concerned && entries.contains(entry)) {
        try {
          entry.listener.accept(change);
        } catch (RuntimeException thrown) {
          failed.accept(thrown);
        }
      }
    }
  }

  private Subscription add(@Nullable String part, Consumer<DocumentChange> listener) {
    Entry entry = new Entry(part, listener);
    entries.add(entry);
    return () -> entries.remove(entry);
  }

  /** Equal only to itself, so that one listener may be added twice. */
  private static final class Entry {
    final @Nullable String part;
    final Consumer<DocumentChange> listener;

    Entry(@Nullable String part, Consumer<DocumentChange> listener) {
      this.part = part;
      this.listener = listener;
    }
  }
}
