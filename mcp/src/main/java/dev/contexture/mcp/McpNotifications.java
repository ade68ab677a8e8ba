package dev.contexture.mcp;

import dev.contexture.engine.memory.MemoryNotice;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.event.Change;
import dev.contexture.event.Changes;
import dev.contexture.json.JsonObject;
import dev.contexture.memory.schema.EntityShape;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Notifications that a host gets without asking: which resources that it subscribed to have
 * changed, and that the list of resources has. Equal ones that were not told yet are told once.
 * Thread-safe.
 */
final class McpNotifications implements AutoCloseable {
  private static final int MAX_SUBSCRIPTIONS = 1_000;
  private static final int MAX_PENDING = 2_000;

  private final AgentMemory memory;
  private final Set<String> subscribed = ConcurrentHashMap.newKeySet();
  private final Set<JsonObject> pending = new LinkedHashSet<>();
  private final Semaphore wake = new Semaphore(0);
  private final List<Changes.Subscription> sources = new ArrayList<>();
  private final AtomicInteger wakes = new AtomicInteger(); // that end a wait

  McpNotifications(AgentMemory memory) {
    this.memory = memory;
    sources.add(
        memory
            .engine()
            .memory(memory.scope())
            .forEverybody()
            .subscribe(null, "*", this::memoryChanged));
    sources.add(memory.engine().follow(memory.scope(), this::conversationChanged));
  }

  /**
   * Tells of changes of a resource from now on.
   *
   * @throws ContextureException {@code limit_exceeded} if there are too many
   */
  void subscribe(String uri) {
    if (subscribed.size() >= MAX_SUBSCRIPTIONS && !subscribed.contains(uri)) {
      throw ContextureException.limit(
          ErrorCode.LIMIT_EXCEEDED,
          "subscriptions",
          MAX_SUBSCRIPTIONS,
          subscribed.size() + 1L,
          "resources");
    }
    subscribed.add(uri);
  }

  void unsubscribe(String uri) {
    subscribed.remove(uri);
  }

  private void memoryChanged(MemoryNotice notice) {
    switch (notice) {
      case MemoryNotice.Missed _unused -> {
        subscribed.forEach(this::updated);
        listChanged();
      }
      case MemoryNotice.Changed changed -> {
        if (isSeen(changed)) {
          changed(changed);
        }
      }
    }
  }

  /** Whether it is about a block that the session may know of: its own, or one it subscribed to. */
  private boolean isSeen(MemoryNotice.Changed changed) {
    boolean userFits =
        changed.user() == null || Objects.equals(changed.user(), memory.settings().user());
    boolean own = changed.owner().equals(memory.agent());
    return userFits && (own || isSharedAndWanted(changed));
  }

  private boolean isSharedAndWanted(MemoryNotice.Changed changed) {
    return subscribed.contains(ResourceAddress.block(changed.owner(), changed.label()))
        && memory
            .store()
            .getBlockMetadata(memory.agent(), changed.owner() + "/" + changed.label())
            .isPresent();
  }

  private void changed(MemoryNotice.Changed changed) {
    String uri = ResourceAddress.block(changed.owner(), changed.label());
    if (subscribed.contains(uri)) {
      updated(uri);
    }
    if (changed.label().startsWith(EntityShape.PREFIX)) {
      if (subscribed.contains(ResourceAddress.GRAPH)) {
        updated(ResourceAddress.GRAPH);
      }
    } else if (changed.kind() == MemoryNotice.Kind.CREATED
        || changed.kind() == MemoryNotice.Kind.DELETED) {
      listChanged();
    }
  }

  private void conversationChanged(Change change) {
    String user = memory.settings().user();
    if (user != null && change.conversation().owner().equals(memory.scope().user(user))) {
      String uri = ResourceAddress.conversation(change.conversation().conversation());
      if (subscribed.contains(uri)) {
        updated(uri);
      }
    }
  }

  private void updated(String uri) {
    tell("notifications/resources/updated", JsonObject.builder().put("uri", uri).build());
  }

  private void listChanged() {
    tell("notifications/resources/list_changed", null);
  }

  /** Tells the host, unless it waits for so much already that it does not seem to listen. */
  void tell(String method, @Nullable JsonObject params) {
    JsonObject.Builder message = JsonObject.builder().put("jsonrpc", "2.0").put("method", method);
    if (params != null) {
      message.put("params", params);
    }
    synchronized (pending) {
      if (pending.size() < MAX_PENDING) {
        pending.add(message.build());
      }
    }
    wake.release();
  }

  /** The next one, if one comes in time. */
  Optional<JsonObject> next(Duration atMost) throws InterruptedException {
    long deadline = System.nanoTime() + atMost.toNanos();
    int before = wakes.get();
    Optional<JsonObject> there = poll();
    while (there.isEmpty()) { // a wake may be about one that was told already
      long left = deadline - System.nanoTime();
      if (left <= 0 || wakes.get() != before || !wake.tryAcquire(left, TimeUnit.NANOSECONDS)) {
        return poll();
      }
      there = poll();
    }
    return there;
  }

  private Optional<JsonObject> poll() {
    synchronized (pending) {
      if (pending.isEmpty()) {
        return Optional.empty();
      }
      JsonObject first = pending.iterator().next();
      pending.remove(first);
      return Optional.of(first);
    }
  }

  /** Ends the wait of whoever follows, early. */
  void wakeUp() {
    wakes.incrementAndGet();
    wake.release();
  }

  @Override
  public void close() {
    sources.forEach(Changes.Subscription::close);
    wakeUp();
  }
}
