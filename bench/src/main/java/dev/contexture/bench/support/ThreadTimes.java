package dev.contexture.bench.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The processor time that a process has taken so far, by what its threads are for. Linux alone
 * tells; elsewhere there are no groups. Threads that have ended are not in it.
 */
public final class ThreadTimes {
  private static final double TICKS_PER_SECOND = 100; // USER_HZ, the same on all machines
  private static final int FIRST_OF_TIMES = 11; // user and system time, counted behind the name

  /** How the names of threads begin; Linux keeps 15 characters. */
  private static final Map<Group, List<String>> NAMES =
      Map.of(
          Group.REQUESTS, List.of("ForkJoinPool", "Jetty", "qtp", "VirtualThread"),
          Group.STORE, List.of("contexture-sqli", "floor-writer"),
          Group.INDEX, List.of("contexture-inde", "Lucene"),
          Group.COLLECTOR, List.of("GC Thread", "G1 ", "VM Thread", "VM Periodic"),
          Group.COMPILERS, List.of("C1 Compiler", "C2 Compiler", "Sweeper"));

  /** Threads with one purpose. */
  public enum Group {
    REQUESTS,
    STORE,
    INDEX,
    COLLECTOR,
    COMPILERS,
    OTHERS;

    /** For a table: "processor time, store". */
    public String label() {
      return "processor time, " + name().toLowerCase(Locale.ROOT);
    }
  }

  private ThreadTimes() {}

  /** Seconds by group; nothing where the system does not tell. */
  public static Map<Group, Double> of(long pid) {
    return in(Path.of("/proc", String.valueOf(pid), "task"));
  }

  static Map<Group, Double> in(Path tasks) {
    Map<Group, Double> seconds = new EnumMap<>(Group.class);
    if (!Files.isDirectory(tasks)) {
      return seconds;
    }
    try (Stream<Path> threads = Files.list(tasks)) {
      threads.forEach(thread -> add(thread.resolve("stat"), seconds));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    return seconds;
  }

  private static void add(Path stat, Map<Group, Double> seconds) {
    String line;
    try {
      line = Files.readString(stat);
    } catch (NoSuchFileException ended) {
      return; // a thread that ended meanwhile
    } catch (IOException failed) {
      if (!Files.exists(stat)) {
        return; // it ended between opening and reading
      }
      throw new UncheckedIOException(failed);
    }
    int nameEnd = line.lastIndexOf(')');
    String name = line.substring(line.indexOf('(') + 1, nameEnd);
    String[] fields = line.substring(nameEnd + 2).split(" ", -1);
    long ticks =
        Long.parseLong(fields[FIRST_OF_TIMES]) + Long.parseLong(fields[FIRST_OF_TIMES + 1]);
    seconds.merge(group(name), ticks / TICKS_PER_SECOND, Double::sum);
  }

  private static Group group(String thread) {
    for (Map.Entry<Group, List<String>> group : NAMES.entrySet()) {
      if (group.getValue().stream().anyMatch(thread::startsWith)) {
        return group.getKey();
      }
    }
    return Group.OTHERS;
  }

  /** What was added between two looks. */
  public static Map<Group, Double> between(Map<Group, Double> before, Map<Group, Double> after) {
    Map<Group, Double> taken = new EnumMap<>(Group.class);
    after.forEach(
        (group, seconds) ->
            taken.put(group, Math.max(0, seconds - before.getOrDefault(group, 0.0))));
    return taken;
  }
}
