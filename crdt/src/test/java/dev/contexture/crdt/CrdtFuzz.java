package dev.contexture.crdt;

import java.io.PrintStream;
import java.time.Duration;

/**
 * Random histories until something breaks. It prints the seed of every failure; give that seed to
 * run it again.
 *
 * <pre>
 * mvn -q -pl crdt test-compile
 * java -cp crdt/target/classes:crdt/target/test-classes dev.contexture.crdt.CrdtFuzz MINUTES [SEED]
 * </pre>
 */
public final class CrdtFuzz {
  private CrdtFuzz() {}

  /** Arguments: minutes to run, and optionally the one seed to try. */
  public static void main(String[] args) {
    long minutes = args.length > 0 ? Long.parseLong(args[0]) : 1;
    if (args.length > 1) {
      check(Long.parseLong(args[1]));
      return;
    }
    PrintStream out = System.out;
    long start = System.nanoTime();
    long first = start;
    long rounds = 0;
    out.println("first seed " + first);
    while (System.nanoTime() - start < Duration.ofMinutes(minutes).toNanos()) {
      long seed = first + rounds++;
      try {
        check(seed);
      } catch (RuntimeException e) {
        out.println("seed " + seed + " fails: " + e);
        throw e;
      }
    }
    out.println(rounds + " histories converged");
  }

  private static void check(long seed) {
    int replicas = 2 + (int) Math.floorMod(seed, 4L);
    RandomHistory history = new RandomHistory(seed, replicas);
    for (int phase = 0; phase < 3; phase++) {
      history.run(200);
      history.settle();
      Document first = history.replicas.getFirst();
      for (Document other : history.replicas) {
        require(other.view().equals(first.view()), "values differ");
        require(other.version().equals(first.version()), "versions differ");
        require(other.at(other.version()).equals(first.view()), "replay differs");
      }
      require(first.counter("counter").value() == history.added, "counter is wrong");
      Document loaded = Document.load(first.exportState(), ReplicaId.of(77));
      require(loaded.view().equals(first.view()), "state snapshot differs");
    }
  }

  private static void require(boolean holds, String failure) {
    if (!holds) {
      throw new IllegalStateException(failure);
    }
  }
}
