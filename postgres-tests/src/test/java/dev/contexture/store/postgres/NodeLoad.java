package dev.contexture.store.postgres;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Clients at work on two servers, until they are stopped. Confined to one thread. */
final class NodeLoad implements AutoCloseable {
  private static final int TURNS_PER_CONVERSATION = 12;
  private static final long LOOK_AGAIN_MILLIS = 20;
  private static final long MAX_WAIT_NANOS = TimeUnit.MINUTES.toNanos(5);

  private final NodePair nodes;
  private final int sharing;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Future<Map<String, List<String>>>> clients = new ArrayList<>();
  private volatile boolean stopped;

  NodeLoad(NodePair nodes, int count, int turns) {
    this(nodes, count, turns, 1);
  }

  /**
   * @param sharing how many clients write to one conversation
   */
  NodeLoad(NodePair nodes, int count, int turns, int sharing) {
    this.nodes = nodes;
    this.sharing = sharing;
    for (int i = 0; i < count; i++) {
      int client = i;
      clients.add(threads.submit(() -> work(client, turns)));
    }
  }

  /** What was acknowledged, by conversation. */
  private Map<String, List<String>> work(int client, int turns) throws Exception {
    Map<String, List<String>> acknowledged = new LinkedHashMap<>();
    for (int i = 0; i < turns && !stopped; i++) {
      String conversation = "c" + client / sharing + "-" + i / TURNS_PER_CONVERSATION;
      acknowledged
          .computeIfAbsent(conversation, fresh -> new ArrayList<>())
          .addAll(nodes.turn(client + i, conversation, client + "-" + i));
    }
    return acknowledged;
  }

  /** Waits until so many more turns were finished, or the clients have ended. */
  void awaitTurns(int more) throws InterruptedException {
    int from = nodes.done.get();
    long start = System.nanoTime();
    while (nodes.done.get() < from + more && clients.stream().anyMatch(c -> !c.isDone())) {
      if (System.nanoTime() - start > MAX_WAIT_NANOS) {
        throw new AssertionError(nodes.done.get() - from + " turns in five minutes, not " + more);
      }
      Thread.sleep(LOOK_AGAIN_MILLIS);
    }
  }

  /** Lets each client end its turn, and looks for all that was acknowledged. */
  void assertNothingLost() throws Exception {
    stopped = true;
    Map<String, List<List<String>>> all = new LinkedHashMap<>();
    @Nullable ExecutionException failed = null;
    for (Future<Map<String, List<String>>> client : clients) {
      try {
        client
            .get()
            .forEach((chat, texts) -> all.computeIfAbsent(chat, k -> new ArrayList<>()).add(texts));
      } catch (ExecutionException broken) {
        failed = broken;
      }
    }
    if (failed != null) {
      throw failed;
    }
    for (Map.Entry<String, List<List<String>>> conversation : all.entrySet()) {
      nodes.assertWhole(conversation.getKey(), conversation.getValue());
    }
  }

  @Override
  public void close() {
    stopped = true;
    threads.close();
  }
}
