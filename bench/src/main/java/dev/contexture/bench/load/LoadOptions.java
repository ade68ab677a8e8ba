package dev.contexture.bench.load;

import dev.contexture.bench.support.BenchArgs;
import dev.contexture.bench.support.UsageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Options of a server under load.
 *
 * @param part the only part that runs; null: all of them
 * @param warmup how long clients work unmeasured
 * @param time how long they are measured
 * @param streams how many event streams are open in that part
 * @param general the options of all measurements
 */
record LoadOptions(
    @Nullable Part part, Duration warmup, Duration time, int streams, BenchArgs general) {
  private static final int STREAMS = 900; // one caller may have nine tenths of 1,024

  /** A part of the measurement. */
  enum Part {
    LOAD,
    KILL,
    HEAP,
    STREAMS;

    String wireName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  static LoadOptions parse(List<String> args) {
    List<String> rest = new ArrayList<>();
    Part part = null;
    int warmup = 0;
    int seconds = 0;
    int streams = STREAMS;
    for (Iterator<String> left = args.iterator(); left.hasNext(); ) {
      String option = left.next();
      switch (option) {
        case "--part" -> part = part(value(left));
        case "--warmup" -> warmup = number(option, value(left));
        case "--seconds" -> seconds = number(option, value(left));
        case "--streams" -> streams = number(option, value(left));
        default -> rest.add(option);
      }
    }
    BenchArgs general = BenchArgs.parse(rest);
    if (!general.files().isEmpty()) {
      throw new UsageException("server-load makes its own data and takes no files");
    }
    return new LoadOptions(
        part,
        Duration.ofSeconds(warmup > 0 ? warmup : general.quick() ? 2 : 10),
        Duration.ofSeconds(seconds > 0 ? seconds : general.quick() ? 5 : 60),
        streams,
        general);
  }

  private static String value(Iterator<String> left) {
    return left.hasNext() ? left.next() : "";
  }

  boolean has(Part asked) {
    return part == null || part == asked;
  }

  private static Part part(String name) {
    for (Part part : Part.values()) {
      if (part.wireName().equals(name)) {
        return part;
      }
    }
    throw new UsageException(
        "server-load: --part takes load, kill, heap or streams, not '" + name + "'");
  }

  private static int number(String option, String value) {
    try {
      int number = Integer.parseInt(value);
      if (number > 0) {
        return number;
      }
    } catch (NumberFormatException wrong) {
      // said below
    }
    throw new UsageException(
        "server-load: " + option + " takes a number above 0, not '" + value + "'");
  }
}
