package dev.contexture.store.sqlite;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The files of an open database, and whether their names still lead to them. SQLite goes on with
 * files that were removed or replaced: what it then writes is gone when the process ends, and a new
 * log beside an old database damages it. Thread-safe.
 */
final class DatabaseFiles {
  private static final List<String> SUFFIXES = List.of("", "-wal", "-shm");
  private static final long FRESH_NANOS = Duration.ofMillis(100).toNanos();

  private final Path file;
  private final Map<Path, Object> opened = new LinkedHashMap<>();
  private final Runnable upkeep;
  private volatile long goodAt;
  private volatile long keptUpAt;

  /**
   * Takes the files as they are, once there is a connection that has read.
   *
   * @param upkeep is run from time to time while the files are used
   */
  DatabaseFiles(Path file, Runnable upkeep) {
    this.file = file;
    this.upkeep = upkeep;
    for (String suffix : SUFFIXES) {
      Path each = file.resolveSibling(file.getFileName() + suffix);
      Object key = key(each);
      if (key == null) {
        throw gone(each);
      }
      opened.put(each, key);
    }
    goodAt = System.nanoTime();
    keptUpAt = goodAt;
  }

  /** The database itself. */
  Path database() {
    return file;
  }

  /** What tells the file at a path from every other; null if there is none. */
  static @Nullable Object key(Path path) {
    try {
      Object key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
      return key == null ? path.toRealPath() : key; // where the system numbers no files
    } catch (IOException missing) {
      return null;
    }
  }

  /** Why the files may not be used; empty if they are those that were opened. */
  Optional<ContextureException> problem() {
    long now = System.nanoTime();
    if (now - keptUpAt > FRESH_NANOS) {
      keptUpAt = now;
      upkeep.run();
    }
    for (Map.Entry<Path, Object> each : opened.entrySet()) {
      if (!each.getValue().equals(key(each.getKey()))) {
        goodAt = now - FRESH_NANOS - 1; // reads look too, from now on
        return Optional.of(gone(each.getKey()));
      }
    }
    goodAt = now;
    return Optional.empty();
  }

  /**
   * Refuses to go on with files that are gone.
   *
   * @throws ContextureException {@code store_unavailable}
   */
  void require() {
    Optional<ContextureException> problem = problem();
    if (problem.isPresent()) {
      throw problem.get();
    }
  }

  /** The same for what changes nothing: a look of a moment ago is good enough. */
  void requireForReading() {
    if (System.nanoTime() - goodAt > FRESH_NANOS) {
      require();
    }
  }

  private ContextureException gone(Path missing) {
    return new ContextureException(
        ErrorCode.STORE_UNAVAILABLE,
        missing
            + " was removed or replaced while the store was open; nothing is written any more, so"
            + " that nothing is lost: put the file back, or stop this process and restore the"
            + " directory from a backup",
        Map.of("file", file.toString()),
        null);
  }
}
