package dev.contexture;

import dev.contexture.block.Scope;
import dev.contexture.event.Changes;
import dev.contexture.event.WriteTopic;
import dev.contexture.store.OutboxRow;
import dev.contexture.store.Store;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import java.util.function.Consumer;

/**
 * Follows what any process erases in a shared store, so that nothing of it stays in the caches and
 * the index of this one. It begins with everything that was ever erased, since an index may be
 * older; says to the store how far it has come; and looks again every second, and when the store
 * hears of others. Thread-safe.
 */
final class ErasureFollower implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(ErasureFollower.class.getName());
  private static final int PAGE = 500;
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(6);
  private static final Duration ASK_AGAIN = Duration.ofMillis(50);

  private final Store store;
  private final Consumer<OutboxRow.Entry> caches;
  private final BiPredicate<Scope, Long> index;
  private final Semaphore wake = new Semaphore(0);
  private final Thread thread;
  private long position; // confined to the thread
  private Changes.Subscription hint = () -> {};
  private volatile boolean closed;

  /**
   * @param caches forget what was erased
   * @param index removes what was erased in a scope up to a number; false: not in time
   */
  ErasureFollower(Store store, Consumer<OutboxRow.Entry> caches, BiPredicate<Scope, Long> index) {
    this.store = store;
    this.caches = caches;
    this.index = index;
    this.thread = Thread.ofPlatform().name("contexture-erasures").daemon().unstarted(this::run);
  }

  /** Makes the others wait for this process, which holds nothing yet. */
  void start() {
    store.forgotErased(0);
    hint = store.whenOthersWrite(WriteTopic.ERASURES, wake::release);
    thread.start();
  }

  private void run() {
    while (!closed) {
      try {
        follow();
      } catch (RuntimeException failed) {
        if (!closed) {
          LOG.log(
              System.Logger.Level.WARNING, "erasures are not followed, it is tried again", failed);
        }
      }
      await(LOOK_AGAIN);
    }
  }

  private void follow() {
    List<OutboxRow> page;
    do {
      page = store.erasures(position, PAGE);
      if (!page.isEmpty() && !forget(page)) {
        return; // the others wait, and the index goes on in the background
      }
      store.forgotErased(position);
    } while (page.size() == PAGE && !closed);
  }

  private boolean forget(List<OutboxRow> page) {
    Map<Scope, Long> scopes = new LinkedHashMap<>();
    for (OutboxRow row : page) {
      caches.accept(row.entry());
      scopes.put(scope(row.entry()), row.number());
    }
    for (Map.Entry<Scope, Long> scope : scopes.entrySet()) {
      if (!index.test(scope.getKey(), scope.getValue())) {
        return false;
      }
    }
    position = page.getLast().number();
    return true;
  }

  private static Scope scope(OutboxRow.Entry entry) {
    return switch (entry) {
      case OutboxRow.TurnChanged changed -> changed.conversation().owner().scope();
      case OutboxRow.TurnErased erased -> erased.conversation().owner().scope();
      case OutboxRow.ConversationErased erased -> erased.conversation().owner().scope();
      case OutboxRow.MemoryBlockChanged changed -> changed.scope();
      case OutboxRow.MemoryBlockErased erased -> erased.scope();
      case OutboxRow.ArchivalAdded added -> added.scope();
      case OutboxRow.ArchivalErased erased -> erased.scope();
      case OutboxRow.ScopeErased erased -> erased.scope();
    };
  }

  /** Waits a little until no process holds anything of what was erased; false: one still does. */
  boolean everywhere() {
    wake.release();
    long end = System.nanoTime() + ANSWER_WITHIN.toNanos();
    while (store.isErasing()) {
      if (System.nanoTime() > end || closed || !pause()) {
        return false;
      }
    }
    return true;
  }

  private static boolean pause() {
    try {
      Thread.sleep(ASK_AGAIN);
      return true;
    } catch (InterruptedException early) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void await(Duration atMost) {
    try {
      if (wake.tryAcquire(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
        wake.drainPermits();
      }
    } catch (InterruptedException woken) {
      // nobody interrupts this thread; it looks early
    }
  }

  @Override
  public void close() {
    closed = true;
    hint.close();
    wake.release();
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException later) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
