package dev.contexture.store.postgres;

import dev.contexture.block.Scope;
import dev.contexture.event.Changes;
import dev.contexture.event.WriteTopic;
import dev.contexture.store.MemoryRow;
import dev.contexture.store.WriteSet;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tells other processes of writes and hears of theirs, so that nobody waits for the next look. It
 * begins with the first listener: a process that follows nobody is followed by looking only.
 * Thread-safe.
 */
final class WriteNotices implements AutoCloseable {
  private final @Nullable NoticeConnections connections; // null: there are to be none
  private final NoticeTopics topics = new NoticeTopics();
  private volatile @Nullable NoticeSender sender;
  private @Nullable NoticeListener listener; // guarded by this
  private boolean closed; // guarded by this

  WriteNotices(PostgresSettings settings) {
    this.connections = settings.notices() ? new NoticeConnections(settings) : null;
  }

  Changes.Subscription follow(WriteTopic topic, Runnable listener) {
    start();
    return topics.add(topic, listener);
  }

  private synchronized void start() {
    if (connections != null && listener == null && !closed) {
      NoticeSender sends = new NoticeSender(connections);
      sender = sends;
      listener = new NoticeListener(connections, topics, sends::backend);
    }
  }

  /** Tells of a set that was committed. */
  void wrote(WriteSet set) {
    List<WriteTopic> written = new ArrayList<>(List.of(WriteTopic.of(set.scope())));
    Scope.OfConversation conversation = set.conversation();
    if (conversation != null) {
      written.add(WriteTopic.of(conversation));
    }
    if (set.rows().stream().anyMatch(MemoryRow.class::isInstance)) {
      written.add(WriteTopic.memory(set.scope()));
    }
    tell(written);
  }

  /** Tells that something was erased. */
  void erased(WriteTopic... others) {
    List<WriteTopic> written = new ArrayList<>(List.of(others));
    written.add(WriteTopic.ERASURES);
    tell(written);
  }

  /** Calls the listeners of this process. */
  void tell(WriteTopic topic) {
    topics.tell(NoticeTopics.key(topic));
  }

  private void tell(List<WriteTopic> written) {
    NoticeSender sends = sender;
    if (sends != null) {
      sends.send(written.stream().map(NoticeTopics::key).toList());
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (listener != null) {
      listener.close();
    }
    if (sender != null) {
      sender.close();
    }
  }
}
