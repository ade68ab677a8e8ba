package dev.contexture.store.sqlite;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Tasks that wait for the one thread that takes them. Thread-safe.
 *
 * <p>A queue would wake the taker for each task. Here it says how many it hopes for and sleeps
 * until they are there, so that callers which come back one after another wake it once.
 */
final class WriteQueue<T> {
  private final int capacity;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition wanted = lock.newCondition();
  private final Condition room = lock.newCondition();
  private final List<T> waiting = new ArrayList<>();
  private int enough = 1;

  WriteQueue(int capacity) {
    this.capacity = capacity;
  }

  /** Adds a task, as soon as there is room. */
  void put(T task) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (waiting.size() >= capacity) {
        room.await();
      }
      waiting.add(task);
      if (waiting.size() >= enough) {
        wanted.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  /** How many tasks wait. */
  int size() {
    lock.lock();
    try {
      return waiting.size();
    } finally {
      lock.unlock();
    }
  }

  /** Takes a task back that was not taken yet. */
  boolean remove(T task) {
    lock.lock();
    try {
      boolean removed = waiting.remove(task);
      if (removed) {
        room.signalAll();
      }
      return removed;
    } finally {
      lock.unlock();
    }
  }

  boolean isEmpty() {
    lock.lock();
    try {
      return waiting.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /** Takes what waits, in the order of arrival: at least one task, at most so many. */
  List<T> take(int most) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (waiting.isEmpty()) {
        wanted.await();
      }
      return first(most);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes what waits, in the order of arrival; perhaps nothing.
   *
   * @param hoped how many tasks are worth waiting for
   * @param patience nanoseconds to wait for them
   * @param most how many to take
   */
  List<T> poll(int hoped, long patience, int most) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      enough = hoped;
      long left = patience;
      while (waiting.size() < hoped && left > 0) {
        left = wanted.awaitNanos(left);
      }
      return first(most);
    } finally {
      enough = 1;
      lock.unlock();
    }
  }

  private List<T> first(int most) {
    List<T> first = waiting.subList(0, Math.min(most, waiting.size()));
    List<T> taken = new ArrayList<>(first);
    first.clear();
    room.signalAll();
    return taken;
  }
}
