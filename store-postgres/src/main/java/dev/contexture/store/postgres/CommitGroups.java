package dev.contexture.store.postgres;

import dev.contexture.block.Scope;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.store.Commit;
import dev.contexture.store.jdbc.EncodedSet;
import dev.contexture.store.jdbc.SetGroup;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Write sets that wait for a connection share a transaction with others of their tenant. One that
 * waits for nobody is alone. Thread-safe.
 *
 * <ol>
 *   <li>A set that waits has one turn in the queue of threads. Whoever gets that turn takes the set
 *       that has waited longest, and others with it: a part of those that wait, so that several
 *       connections work, and at most one of each conversation.
 *   <li>If one of them cannot be applied, none is, and each is done again alone: one that fails
 *       fails alone.
 *   <li>If the database is lost, nothing is done again here: the outcome of the transaction was
 *       asked where that can be told, and holds for all of them.
 * </ol>
 */
final class CommitGroups {
  private static final int MOST = 32;
  private static final int PARTS = 4; // work at the same time

  private final Transactions transactions;
  private final Executor threads;
  private final Map<String, Deque<Waiting>> queues = new HashMap<>(); // by tenant; guarded by this

  CommitGroups(Transactions transactions, Executor threads) {
    this.transactions = transactions;
    this.threads = threads;
  }

  /** A set and who waits for it. */
  private record Waiting(EncodedSet set, CompletableFuture<Commit> answer) {
    Scope.@Nullable OfConversation conversation() {
      return set.set().conversation();
    }
  }

  /** Commits a set, with others or alone. */
  CompletableFuture<Commit> commit(EncodedSet set) {
    String tenant = set.set().scope().tenant();
    Waiting waiting = new Waiting(set, new CompletableFuture<>());
    add(tenant, waiting);
    try {
      threads.execute(() -> work(tenant));
    } catch (RuntimeException refused) {
      if (remove(tenant, waiting)) {
        throw refused;
      } // else somebody has it already
    }
    return waiting.answer();
  }

  private synchronized void add(String tenant, Waiting waiting) {
    queues.computeIfAbsent(tenant, first -> new ArrayDeque<>()).add(waiting);
  }

  private synchronized boolean remove(String tenant, Waiting waiting) {
    Deque<Waiting> queue = queues.get(tenant);
    return queue != null && queue.remove(waiting);
  }

  private synchronized List<Waiting> take(String tenant) {
    Deque<Waiting> queue = queues.get(tenant);
    if (queue == null) {
      return List.of(); // others took all
    }
    int most = Math.clamp(queue.size() / PARTS, 1, MOST);
    List<Waiting> taken = new ArrayList<>();
    Set<Scope.@Nullable OfConversation> conversations = new HashSet<>();
    for (Iterator<Waiting> each = queue.iterator(); each.hasNext() && taken.size() < most; ) {
      Waiting next = each.next();
      if (conversations.add(next.conversation())) {
        taken.add(next);
        each.remove();
      }
    }
    if (queue.isEmpty()) {
      queues.remove(tenant);
    }
    return taken;
  }

  private void work(String tenant) {
    List<Waiting> group = take(tenant);
    if (group.size() > 1) {
      try {
        Optional<List<Commit>> commits = together(tenant, group);
        if (commits.isPresent()) {
          for (int i = 0; i < group.size(); i++) {
            group.get(i).answer().complete(commits.get().get(i));
          }
          return;
        }
      } catch (ContextureException failed) {
        if (failed.code() == ErrorCode.STORE_UNAVAILABLE) {
          group.forEach(each -> each.answer().completeExceptionally(failed));
          return;
        }
      } catch (RuntimeException | Error broken) {
        group.forEach(each -> each.answer().completeExceptionally(broken));
        throw broken;
      }
    }
    for (Waiting each : group) {
      try {
        each.answer().complete(alone(tenant, each.set()));
      } catch (RuntimeException | Error failed) {
        each.answer().completeExceptionally(failed);
      }
    }
  }

  private Commit alone(String tenant, EncodedSet set) {
    return transactions.write(tenant, db -> SetGroup.alone(db, set));
  }

  private Optional<List<Commit>> together(String tenant, List<Waiting> group) {
    List<EncodedSet> sets = group.stream().map(Waiting::set).toList();
    return transactions.writeGroup(tenant, db -> SetGroup.apply(db, sets));
  }
}
