package dev.contexture;

import dev.contexture.block.Scope;
import dev.contexture.engine.memory.stored.MemoryRegistry;
import dev.contexture.event.Change;
import dev.contexture.event.Changes;
import dev.contexture.event.WriteTopic;
import dev.contexture.store.Store;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Tells what happens in projects, in this process and in the others that share its store. Of others
 * it reads every second, and as soon as the store hears of them: what conversations changed, and
 * what their memory tells. It reads only what somebody listens to. Thread-safe.
 */
final class ProjectFollower implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(ProjectFollower.class.getName());
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

  private final Store store;
  private final Changes changes;
  private final MemoryRegistry memories;
  private final InstantSource clock;
  private final Map<Scope, FollowedProject> projects = new ConcurrentHashMap<>();
  private final Map<Scope, Changes.Subscription> heardMemories = new ConcurrentHashMap<>();
  private final Set<Scope> heard = ConcurrentHashMap.newKeySet();
  private final Semaphore wake = new Semaphore(0);
  private final Thread thread;
  private volatile boolean closed;

  ProjectFollower(Store store, Changes changes, MemoryRegistry memories, InstantSource clock) {
    this.store = store;
    this.changes = changes;
    this.memories = memories;
    this.clock = clock;
    this.thread = Thread.ofPlatform().name("contexture-projects").daemon().unstarted(this::run);
  }

  void start() {
    if (store.isShared()) {
      thread.start();
    }
  }

  /** Calls a listener for each change of a conversation of a project; it must not block. */
  Changes.Subscription follow(Scope scope, Consumer<Change> listener) {
    if (!store.isShared()) {
      return changes.subscribe(
          change -> {
            if (change.conversation().owner().scope().equals(scope)) {
              listener.accept(change);
            }
          });
    }
    FollowedProject project =
        projects.compute(
            scope,
            (same, known) -> {
              FollowedProject followed = known == null ? open(scope) : known;
              followed.add(listener);
              return followed;
            });
    return () ->
        projects.computeIfPresent(
            scope,
            (same, known) -> {
              if (known != project || known.remove(listener)) {
                return known;
              }
              known.close();
              return null;
            });
  }

  private FollowedProject open(Scope scope) {
    return new FollowedProject(
        scope,
        store,
        clock.instant().truncatedTo(ChronoUnit.MILLIS), // as times of commits are
        changes,
        store.whenOthersWrite(WriteTopic.of(scope), () -> heard(scope)));
  }

  private void heard(Scope scope) {
    heard.add(scope);
    if (wake.availablePermits() == 0) {
      wake.release();
    }
  }

  /** Tells of a conversation that some process erased. */
  void erased(Scope.OfConversation conversation) {
    FollowedProject project = projects.get(conversation.owner().scope());
    if (project != null) {
      project.erased(conversation);
    }
  }

  private void run() {
    long looked = System.nanoTime();
    while (!closed) {
      await(LOOK_AGAIN.minusNanos(System.nanoTime() - looked));
      boolean all = System.nanoTime() - looked >= LOOK_AGAIN.toNanos();
      if (all) {
        looked = System.nanoTime();
      }
      try {
        look(all);
      } catch (RuntimeException failed) {
        if (!closed) {
          LOG.log(System.Logger.Level.DEBUG, "others are not followed, it is tried again", failed);
        }
      }
    }
  }

  private void look(boolean all) {
    Set<Scope> now = Set.copyOf(heard);
    heard.removeAll(now);
    for (FollowedProject project : projects.values()) {
      if (!closed && (all || now.contains(project.scope()))) {
        project.look();
      }
    }
    Set<Scope> used = memories.used();
    for (Scope scope : used) {
      heardMemories.computeIfAbsent(
          scope, fresh -> store.whenOthersWrite(WriteTopic.memory(scope), () -> heard(scope)));
      if (!closed && (all || now.contains(scope))) {
        memories.poll(scope);
      }
    }
    heardMemories
        .entrySet()
        .removeIf(
            known -> {
              boolean gone = !used.contains(known.getKey());
              if (gone) {
                known.getValue().close();
              }
              return gone;
            });
  }

  private void await(Duration atMost) {
    try {
      if (wake.tryAcquire(Math.max(0, atMost.toMillis()), TimeUnit.MILLISECONDS)) {
        wake.drainPermits();
      }
    } catch (InterruptedException woken) {
      // nobody interrupts this thread; it looks early
    }
  }

  @Override
  public void close() {
    closed = true;
    wake.release();
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException later) {
        interrupted = true;
      }
    }
    projects.values().forEach(FollowedProject::close);
    heardMemories.values().forEach(Changes.Subscription::close);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
