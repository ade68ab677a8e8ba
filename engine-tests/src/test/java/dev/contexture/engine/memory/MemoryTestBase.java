package dev.contexture.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.contexture.block.Scope;
import dev.contexture.engine.memory.stored.MemoryRegistry;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.memory.permission.ConsentBroker;
import dev.contexture.memory.permission.MemoryPermission;
import dev.contexture.memory.schema.MemoryBlockType;
import dev.contexture.memory.schema.MemoryLimits;
import dev.contexture.store.MemoryRow;
import dev.contexture.store.Store;
import dev.contexture.store.WriteSet;
import dev.contexture.store.sqlite.InMemoryStore;
import dev.contexture.testkit.FakeClock;
import dev.contexture.testkit.Faults;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A memory over a store in memory, and others over the same store as other processes have them. */
abstract class MemoryTestBase {
  static final Scope SHOP = Scope.of("acme", "shop");
  static final String ATLAS = "atlas";
  static final String BERT = "bert";
  static final String NOTES = "notes";

  final FakeClock clock = FakeClock.atStart();
  final Faults faults = new Faults();
  final Store store = faults.around(new InMemoryStore());
  ConsentBroker broker = ConsentBroker.DENY;
  MemoryLimits limits = MemoryLimits.DEFAULT;
  private int processes;

  /** Brokers open memories in threads of their own. */
  private final List<MemoryRegistry> opened = new CopyOnWriteArrayList<>();

  private @Nullable MemoryStore first;

  /** The memory of another process. */
  MemoryStore process() {
    return memories().of(SHOP);
  }

  MemoryStore process(ConsentBroker other) {
    ConsentBroker before = broker;
    broker = other;
    try {
      return process();
    } finally {
      broker = before;
    }
  }

  MemoryRegistry memories() {
    MemoryRegistry memories =
        new MemoryRegistry(store, clock, new SplittableRandom(++processes), limits, "ann", broker);
    opened.add(memories);
    return memories;
  }

  MemoryStore memory() {
    MemoryStore known = first;
    if (known == null) {
      known = process();
      first = known;
    }
    return known;
  }

  /** Blocks are shared with agents that are known only. */
  @BeforeEach
  void makeAgentsKnown() {
    store.commit(
        WriteSet.of(SHOP, clock.instant())
            .add(new MemoryRow.EnsureAgent(BERT))
            .add(new MemoryRow.EnsureAgent("carl"))
            .add(new MemoryRow.EnsureAgent("dora"))
            .build());
  }

  @AfterEach
  void close() {
    opened.forEach(MemoryRegistry::close);
  }

  static BlockSpec text(String label) {
    return BlockSpec.of(label, MemoryBlockType.WORKING);
  }

  void create(String label, MemoryPermission permission, String content) {
    memory().createBlock(ATLAS, text(label).permission(permission).content(content));
  }

  String shown(MemoryStore memory) {
    return memory.getRenderedContent(ATLAS, NOTES).orElseThrow();
  }

  static ContextureException refused(ErrorCode code, ThrowingCallable call) {
    ContextureException failure = catchThrowableOfType(ContextureException.class, call);
    assertThat(failure).as("refused with %s", code).isNotNull();
    assertThat(failure.code()).as(failure.getMessage()).isEqualTo(code);
    return failure;
  }

  MemoryLimits waiting(Duration consentWait) {
    return withLimits(consentWait, limits.subscriberQueue(), 1_000, 256L << 20);
  }

  MemoryLimits withLimits(
      Duration consentWait, int subscriberQueue, int cacheDocuments, long cacheBytes) {
    MemoryLimits d = MemoryLimits.DEFAULT;
    return new MemoryLimits(
        d.descriptionLength(),
        d.charLimit(),
        d.maxCharLimit(),
        d.fields(),
        d.sections(),
        d.items(),
        d.logEntries(),
        d.jsonBytes(),
        d.jsonDepth(),
        d.documentBytes(),
        d.earlyBytes(),
        d.messageLength(),
        d.blocksPerAgent(),
        d.archivalBytes(),
        d.queryLength(),
        d.searchResults(),
        cacheDocuments,
        cacheBytes,
        subscriberQueue,
        consentWait,
        d.pendingConsents(),
        d.writeAttempts(),
        d.indexWait(),
        d.undoSteps(),
        d.undoBytes());
  }

  /** Runs calls at the same time and waits for all. */
  static void together(List<Callable<?>> calls) throws Exception {
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> running = new java.util.ArrayList<>();
      for (Callable<?> call : calls) {
        running.add(executor.submit(call));
      }
      for (Future<?> each : running) {
        each.get();
      }
    }
  }

  /** Waits for something that a background thread does. */
  static void eventually(java.util.function.BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + Duration.ofMinutes(2).toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("it never came").isLessThan(end);
      Thread.sleep(2);
    }
  }
}
