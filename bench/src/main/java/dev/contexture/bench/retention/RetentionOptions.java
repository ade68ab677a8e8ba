package dev.contexture.bench.retention;

import dev.contexture.bench.replay.PeerPolicy;
import dev.contexture.bench.replay.ReplayBench;
import dev.contexture.bench.support.BenchArgs;
import dev.contexture.bench.support.UsageException;
import dev.contexture.compaction.CompactionPolicy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What {@code bench/run retention} is asked for.
 *
 * @param parts what is measured
 * @param files data that was named; a folder holds dialogues with questions, a file is a session
 * @param limits tokens of a request, empty: those of each part
 * @param presets how the engine compacts, by name
 * @param peers what it is compared with
 */
record RetentionOptions(
    Set<Part> parts,
    List<Path> files,
    List<Long> limits,
    Map<String, CompactionPolicy> presets,
    List<PeerPolicy> peers,
    boolean json,
    boolean quick) {
  private static final String SESSION = ".events.jsonl";

  /** What others do, by the names that choose them. */
  private static final Map<String, PeerPolicy> PEERS = peersByName();

  /** What can be measured alone. */
  enum Part {
    NEEDLES,
    DIALOGUES,
    SESSIONS;

    String shown() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Reads the arguments.
   *
   * @throws UsageException for an unknown option, part or preset, or a file that does not exist
   */
  static RetentionOptions parse(List<String> args) {
    Set<Part> parts = EnumSet.noneOf(Part.class);
    List<String> rest = new ArrayList<>();
    List<Long> limits = List.of();
    List<String> names = Stream.concat(names().stream(), PEERS.keySet().stream()).toList();
    List<UnaryOperator<CompactionPolicy>> settings = new ArrayList<>();
    for (int i = 0; i < args.size(); i++) {
      String arg = args.get(i);
      Optional<Part> part =
          Arrays.stream(Part.values()).filter(known -> known.shown().equals(arg)).findFirst();
      if (part.isPresent()) {
        parts.add(part.get());
      } else if (!arg.startsWith("--") || arg.equals("--json") || arg.equals("--quick")) {
        rest.add(arg);
      } else {
        String value = ReplayBench.Options.value(args, ++i, arg);
        switch (arg) {
          case "--limits" -> limits = limits(value);
          case "--presets" -> names = list(value);
          default -> settings.add(ReplayBench.Options.setting(arg, value));
        }
      }
    }
    BenchArgs read = BenchArgs.parse(rest);
    return new RetentionOptions(
        parts.isEmpty() ? EnumSet.allOf(Part.class) : parts,
        read.files(),
        limits,
        presets(names, settings),
        names.stream().filter(PEERS::containsKey).map(PEERS::get).toList(),
        read.json(),
        read.quick());
  }

  private static Map<String, PeerPolicy> peersByName() {
    Map<String, PeerPolicy> named = new LinkedHashMap<>();
    named.put("last-messages", PeerPolicy.LAST_MESSAGES);
    named.put("window", PeerPolicy.WINDOW);
    named.put("blind-summary", PeerPolicy.KEEP_THIRD);
    return named;
  }

  private static List<String> names() {
    return CompactionPolicy.names();
  }

  private static List<String> list(String value) {
    return Arrays.stream(value.split(",", -1)).map(String::strip).toList();
  }

  private static List<Long> limits(String value) {
    return list(value).stream()
        .map(limit -> Math.max(1, ReplayBench.Options.number("--limits", limit)))
        .toList();
  }

  private static Map<String, CompactionPolicy> presets(
      List<String> names, List<UnaryOperator<CompactionPolicy>> settings) {
    Map<String, CompactionPolicy> presets = new LinkedHashMap<>();
    for (String name : names) {
      if (PEERS.containsKey(name)) {
        continue;
      }
      CompactionPolicy policy =
          CompactionPolicy.find(name)
              .orElseThrow(
                  () ->
                      new UsageException(
                          "there is no preset '"
                              + name
                              + "'; --presets takes "
                              + names()
                              + " and "
                              + PEERS.keySet()));
      for (UnaryOperator<CompactionPolicy> setting : settings) {
        policy = setting.apply(policy);
      }
      presets.put(name, policy);
    }
    return presets;
  }

  /** The limits that were asked for, or else a part's own; the second smallest of them if quick. */
  List<Long> limitsOr(List<Long> usual) {
    return limits.isEmpty() ? quick ? usual.subList(1, 2) : usual : limits;
  }

  /** Recorded sessions: those that were named, or else those at hand. */
  List<Path> sessions() {
    List<Path> named = files.stream().filter(file -> file.toString().contains(SESSION)).toList();
    if (!named.isEmpty()) {
      return named;
    }
    Path folder = data().resolve("sessions");
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> listed = Files.list(folder)) {
      return listed
          .filter(file -> file.toString().contains(SESSION))
          .sorted()
          .limit(quick ? 1 : Long.MAX_VALUE)
          .toList();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Folders of dialogues with questions: those that were named, or else the one at hand. */
  List<Path> dialogues() {
    List<Path> named = files.stream().filter(Files::isDirectory).toList();
    Path folder = data().resolve("retrieval/locomo");
    return !named.isEmpty() ? named : Files.isDirectory(folder) ? List.of(folder) : List.of();
  }

  private static Path data() {
    String named = System.getProperty("contexture.data");
    return named != null
        ? Path.of(named)
        : Path.of(System.getProperty("contexture.root", "."), "../shared/data");
  }

  /** The name of a peer on the command line. */
  static String nameOf(PeerPolicy peer) {
    return PEERS.entrySet().stream()
        .filter(entry -> entry.getValue() == peer)
        .map(Map.Entry::getKey)
        .collect(Collectors.joining());
  }
}
