import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder.request;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs the test classes of one module again and again, in one JVM, each time in another order.
 * Arguments: name of the module, number of rounds, file for the table of failures, seed of the
 * orders, classes. Ends with 1 if a test failed. Started by {@code build/repeat-tests}.
 */
public final class RepeatTests {
  private RepeatTests() {}

  /** How often a test failed, and how it failed first. */
  private record Failures(List<Integer> rounds, String first) {}

  /** Counts the tests of all rounds. */
  private static final class Count implements TestExecutionListener {
    final Map<String, Failures> failures = new TreeMap<>();
    int round;
    int tests;

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      tests += test.isTest() ? 1 : 0;
      if (result.getStatus() != TestExecutionResult.Status.SUCCESSFUL) {
        Throwable thrown = result.getThrowable().orElseThrow();
        String name = nameOf(test);
        System.out.println("round " + round + ": " + name);
        thrown.printStackTrace(System.out);
        String first = String.valueOf(thrown).strip().lines().findFirst().orElse("");
        failures.computeIfAbsent(name, n -> new Failures(new ArrayList<>(), first));
        failures.get(name).rounds.add(round);
      }
    }

    private static String nameOf(TestIdentifier test) {
      String name = test.getDisplayName();
      return test.getSource()
          .map(
              source ->
                  switch (source) {
                    case MethodSource method ->
                        method.getClassName() + "." + method.getMethodName() + " " + name;
                    case ClassSource type -> type.getClassName();
                    default -> name;
                  })
          .orElse(name);
    }
  }

  public static void main(String[] args) throws IOException {
    String module = args[0];
    int rounds = Integer.parseInt(args[1]);
    long seed = Long.parseLong(args[3]);
    List<String> classes =
        Arrays.stream(args)
            .skip(4)
            .filter(Predicate.not(String::isBlank))
            .sorted(Comparator.naturalOrder())
            .toList();
    Launcher launcher = LauncherFactory.create();
    Count count = new Count();
    for (count.round = 1; count.round <= rounds; count.round++) {
      int before = count.tests;
      long start = System.nanoTime();
      launcher.execute(inOrder(classes, seed + count.round - 1), count);
      System.out.printf(
          "== %s: round %d of %d with seed %d, %d tests, %d s, %d tests failed so far%n",
          module,
          count.round,
          rounds,
          seed + count.round - 1,
          count.tests - before,
          (System.nanoTime() - start) / 1_000_000_000,
          count.failures.size());
    }
    List<String> table = new ArrayList<>();
    count.failures.forEach(
        (test, failed) ->
            table.add(
                "%3d of %d  %s  %s  %s"
                    .formatted(failed.rounds.size(), rounds, module, test, failed.first)));
    Files.write(Path.of(args[2]), table);
    System.out.println("== " + module + ": " + count.tests + " tests in all");
    System.exit(count.tests == 0 || !table.isEmpty() ? 1 : 0);
  }

  /** Classes and their methods in an order that the seed decides. */
  private static LauncherDiscoveryRequest inOrder(List<String> classes, long seed) {
    List<String> shuffled = new ArrayList<>(classes);
    Collections.shuffle(shuffled, new Random(seed));
    return request()
        .selectors(shuffled.stream().map(name -> selectClass(name)).toList())
        .configurationParameter(
            "junit.jupiter.testclass.order.default", "org.junit.jupiter.api.ClassOrderer$Random")
        .configurationParameter(
            "junit.jupiter.testmethod.order.default", "org.junit.jupiter.api.MethodOrderer$Random")
        .configurationParameter("junit.jupiter.execution.order.random.seed", String.valueOf(seed))
        .build();
  }
}
