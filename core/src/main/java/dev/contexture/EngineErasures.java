package dev.contexture;

import dev.contexture.block.Scope;
import dev.contexture.engine.memory.stored.MemoryRegistry;
import dev.contexture.engine.retention.RetentionReport;
import dev.contexture.engine.retention.RetentionRules;
import dev.contexture.engine.retention.RetentionRun;
import dev.contexture.engine.search.Search;
import dev.contexture.engine.session.SessionRegistry;
import dev.contexture.event.Changes;
import dev.contexture.event.WriteTopic;
import dev.contexture.store.EraseReport;
import dev.contexture.store.Store;
import java.time.InstantSource;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Erases from the store, from what is loaded and from the index, and says whether all processes
 * have done so. Thread-safe.
 */
final class EngineErasures implements AutoCloseable {
  private final Store store;
  private final InstantSource clock;
  private final SessionRegistry conversations;
  private final MemoryRegistry memories;
  private final Search search;
  private final @Nullable ErasureFollower follower; // null: nobody else has the store
  private final Changes.Subscription takeover;

  EngineErasures(
      Store store,
      InstantSource clock,
      SessionRegistry conversations,
      MemoryRegistry memories,
      Search search,
      Consumer<Scope.OfConversation> told) {
    this.store = store;
    this.clock = clock;
    this.conversations = conversations;
    this.memories = memories;
    this.search = search;
    memories.whenErased(scope -> conversations.forget(chat -> chat.owner().scope().equals(scope)));
    this.follower =
        store.isShared()
            ? new ErasureFollower(
                store, new CacheErasure(conversations, memories, told), search::removeErased)
            : null;
    this.takeover = store.whenOthersWrite(WriteTopic.TAKEN_OVER, this::forgetAll);
  }

  /** What is loaded is compared by versions, which may have been given again since. */
  private void forgetAll() {
    conversations.forget(chat -> true);
    memories.used().forEach(memories::forget);
  }

  /** Follows other processes, once everything is there. */
  void start() {
    if (follower != null) {
      follower.start();
    }
  }

  EraseReport user(Scope.OfUser user) {
    EraseReport erased = store.eraseUser(user, clock.instant());
    conversations.erased(chat -> chat.owner().equals(user));
    memories.forget(user.scope());
    return erased.pending(isErasing(user.scope()));
  }

  EraseReport agent(Scope.OfAgent agent) {
    EraseReport erased = memories.eraseAgent(agent);
    return erased.pending(isErasing(agent.scope()));
  }

  EraseReport project(Scope scope) {
    EraseReport erased = store.eraseProject(scope, clock.instant());
    conversations.erased(chat -> chat.owner().scope().equals(scope));
    memories.forget(scope);
    return erased.pending(isErasing(scope));
  }

  RetentionReport retain(
      Scope scope,
      RetentionRules rules,
      boolean dryRun,
      Consumer<RetentionReport.Outlived> erased) {
    RetentionRun run =
        new RetentionRun(store, conversations, rules, clock.instant(), dryRun, erased);
    run.project(scope);
    boolean changed = !dryRun && !run.report(false).isEmpty();
    return run.report(changed && isErasing(scope));
  }

  boolean isErasing(Scope scope) {
    if (follower != null) {
      return !follower.everywhere();
    }
    boolean indexed = search.settle(scope);
    return store.isErasing() || !indexed;
  }

  @Override
  public void close() {
    takeover.close();
    if (follower != null) {
      follower.close();
    }
  }
}
