package dev.contexture.engine.memory.stored;

import dev.contexture.engine.memory.MemoryNotice;
import dev.contexture.engine.memory.row.MemoryRecords;
import dev.contexture.event.Changes;
import dev.contexture.store.memory.MemoryEvent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tells subscribers of a memory store what was committed, by whichever process. Thread-safe.
 *
 * <p>How it works: every commit left an event in the store, numbered in the order of commits.
 * Whoever committed, or sees that another process did, calls {@link #pump}: it reads the events
 * behind the last one and puts them into the subscribers' queues, so that each is heard once and in
 * order. One thread empties the queues and calls the listeners. Without subscribers nothing is
 * read.
 */
final class NoticeFeed implements AutoCloseable {
  private static final int PAGE = 500;

  private final MemoryServices services;
  private final Object owner; // lives as long as somebody listens
  private final List<Subscriber> subscribers = new CopyOnWriteArrayList<>();
  private final ReentrantLock pumping = new ReentrantLock();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition arrived = lock.newCondition();
  private long last; // guarded by pumping
  private @Nullable Thread dispatcher; // guarded by lock
  private boolean closed; // guarded by lock

  NoticeFeed(MemoryServices services, Object owner) {
    this.services = services;
    this.owner = owner;
  }

  /** A listener with what it listens to and the notices that wait for it. */
  private static final class Subscriber {
    final Viewer viewer;
    final @Nullable String agent;
    final String pattern;
    final Consumer<MemoryNotice> listener;
    final long after;
    final ArrayDeque<MemoryNotice.Changed> queue = new ArrayDeque<>(); // guarded by lock
    MemoryNotice.@Nullable Missed missed; // guarded by lock

    Subscriber(
        Viewer viewer,
        @Nullable String agent,
        String pattern,
        Consumer<MemoryNotice> listener,
        long after) {
      this.viewer = viewer;
      this.agent = agent;
      this.pattern = pattern;
      this.listener = listener;
      this.after = after;
    }

    boolean wants(MemoryNotice.Changed notice) {
      boolean ours = agent == null || agent.equals(notice.owner());
      boolean named =
          pattern.endsWith("*")
              ? notice.label().startsWith(pattern.substring(0, pattern.length() - 1))
              : notice.label().equals(pattern);
      return ours && named && viewer.sees(notice.user()) && notice.number() > after;
    }
  }

  /** What was committed behind a number, at most this many. */
  List<MemoryNotice.Changed> notices(Viewer viewer, long after, int limit) {
    List<MemoryNotice.Changed> notices = new ArrayList<>();
    List<MemoryEvent> page;
    long from = after;
    do {
      page = services.rows().events(services.scope(), from, PAGE);
      for (MemoryEvent event : page) {
        from = event.number();
        MemoryNotice.Changed notice = MemoryRecords.notice(event);
        if (notice != null && viewer.sees(notice.user()) && notices.size() < limit) {
          notices.add(notice);
        }
      }
    } while (page.size() == PAGE && notices.size() < limit);
    return notices;
  }

  Changes.Subscription subscribe(
      Viewer viewer, @Nullable String agent, String pattern, Consumer<MemoryNotice> listener) {
    Subscriber subscriber;
    pumping.lock();
    try {
      if (subscribers.isEmpty()) {
        last = services.rows().lastEvent(services.scope());
      } else {
        pumpLocked();
      }
      subscriber = new Subscriber(viewer, agent, pattern, listener, last);
      subscribers.add(subscriber);
    } finally {
      pumping.unlock();
    }
    startDispatcher();
    return () -> remove(subscriber);
  }

  private void remove(Subscriber subscriber) {
    subscribers.remove(subscriber);
    lock.lock();
    try {
      arrived.signal();
    } finally {
      lock.unlock();
    }
  }

  /** As {@link #pump}, after a commit: that it cannot read now must not fail what is durable. */
  void committed() {
    try {
      pump();
    } catch (RuntimeException later) {
      System.getLogger(NoticeFeed.class.getName())
          .log(System.Logger.Level.WARNING, "notices wait for the next commit", later);
    }
  }

  /** Takes in what was committed since the last time, if anybody listens. */
  void pump() {
    if (subscribers.isEmpty()) {
      return;
    }
    pumping.lock();
    try {
      pumpLocked();
    } finally {
      pumping.unlock();
    }
  }

  private void pumpLocked() {
    List<MemoryEvent> page;
    do {
      page = services.rows().events(services.scope(), last, PAGE);
      for (MemoryEvent event : page) {
        last = event.number();
        MemoryNotice.Changed notice = MemoryRecords.notice(event);
        if (notice != null) {
          enqueue(notice);
        }
      }
    } while (page.size() == PAGE);
  }

  private void enqueue(MemoryNotice.Changed notice) {
    lock.lock();
    try {
      for (Subscriber subscriber : subscribers) {
        if (subscriber.wants(notice)) {
          offer(subscriber, notice);
        }
      }
      arrived.signal();
    } finally {
      lock.unlock();
    }
  }

  private void offer(Subscriber subscriber, MemoryNotice.Changed notice) {
    if (subscriber.queue.size() >= services.limits().subscriberQueue()) {
      long dropped = subscriber.queue.removeFirst().number();
      MemoryNotice.Missed before = subscriber.missed;
      subscriber.missed =
          new MemoryNotice.Missed(before == null ? dropped : before.from(), dropped);
    }
    subscriber.queue.addLast(notice);
  }

  private void startDispatcher() {
    lock.lock();
    try {
      if (dispatcher == null && !closed) {
        dispatcher = Thread.ofVirtual().name("contexture-memory-notices").start(this::dispatch);
      }
    } finally {
      lock.unlock();
    }
  }

  private void dispatch() {
    while (true) {
      List<Runnable> deliveries = new ArrayList<>();
      lock.lock();
      try {
        while (!subscribers.isEmpty() && !take(deliveries)) {
          arrived.awaitUninterruptibly();
        }
        if (subscribers.isEmpty()) {
          dispatcher = null;
          return;
        }
      } finally {
        lock.unlock();
      }
      deliveries.forEach(Runnable::run);
    }
  }

  /** One notice of each subscriber that has any. */
  private boolean take(List<Runnable> deliveries) {
    for (Subscriber subscriber : subscribers) {
      MemoryNotice.Missed missed = subscriber.missed;
      MemoryNotice next = missed == null ? subscriber.queue.pollFirst() : missed;
      subscriber.missed = null;
      if (next != null) {
        deliveries.add(() -> deliver(subscriber, next));
      }
    }
    return !deliveries.isEmpty();
  }

  private void deliver(Subscriber subscriber, MemoryNotice notice) {
    if (!subscribers.contains(subscriber)) {
      return; // closed meanwhile
    }
    try {
      subscriber.listener.accept(notice);
    } catch (RuntimeException thrown) {
      System.getLogger(NoticeFeed.class.getName())
          .log(System.Logger.Level.WARNING, "a listener of a memory store failed", thrown);
    }
  }

  @Override
  public String toString() {
    return "notices of " + owner;
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      subscribers.clear();
      arrived.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
