package dev.contexture.simulator;

import dev.contexture.simulator.PrefixTree.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The entries of a cache with marks, by the number of the path node that each stands for. */
final class CacheEntries {
  private final Map<Integer, Entry> entries = new HashMap<>();

  /**
   * One entry.
   *
   * @param life in seconds
   * @param expires when it is gone
   * @param readable from when on it can be read
   */
  record Entry(double life, double expires, double readable) {
    boolean isLive(double at) {
      return readable <= at && at < expires;
    }
  }

  Optional<Entry> find(Path path, int block) {
    return Optional.ofNullable(entries.get(path.node(block)));
  }

  boolean isLive(Path path, int block) {
    Entry entry = entries.get(path.node(block));
    return entry != null && entry.isLive(path.request().start());
  }

  /** Writes an entry, or lets one that lives begin its life again. */
  void write(Path path, int block, double life) {
    double start = path.request().start();
    if (isLive(path, block)) {
      refresh(path, block);
    } else {
      double readable = path.request().firstToken();
      entries.put(path.node(block), new Entry(life, start + life, readable));
    }
  }

  /** A read lets an entry begin its life again. */
  void refresh(Path path, int block) {
    double start = path.request().start();
    entries.computeIfPresent(
        path.node(block),
        (unused, entry) -> new Entry(entry.life, start + entry.life, entry.readable));
  }
}
