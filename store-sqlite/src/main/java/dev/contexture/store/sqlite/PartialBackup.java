package dev.contexture.store.sqlite;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The directory in which a backup is made, until it gets its name. A lock on a file in it, which
 * ends with the process, says that somebody works on it. Confined to one thread.
 */
final class PartialBackup implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(PartialBackup.class.getName());
  private static final String MARK = ".partial-";
  private static final Pattern NAME = Pattern.compile("\\..+\\.partial-[0-9]+");
  private static final String LOCK = "backup.lock";
  private static final Set<String> OURS =
      Set.of(
          LOCK,
          SqliteStore.FILE,
          SqliteStore.FILE + "-journal",
          SqliteStore.FILE + "-wal",
          SqliteStore.FILE + "-shm");

  /** One without a lock may be just beginning or ending; one that is as old as this is not. */
  private static final Duration UNLOCKED_FOR = Duration.ofHours(1);

  private final Path directory;
  private final FileChannel channel;
  private boolean complete;

  private PartialBackup(Path directory, FileChannel channel) {
    this.directory = directory;
    this.channel = channel;
  }

  static PartialBackup begin(Path above, String name) throws IOException {
    Path made = Files.createTempDirectory(above, "." + name + MARK);
    try {
      FileChannel channel =
          FileChannel.open(
              made.resolve(LOCK), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      channel.lock(); // held until the channel closes
      return new PartialBackup(made, channel);
    } catch (IOException failed) {
      remove(made);
      throw failed;
    }
  }

  Path directory() {
    return directory;
  }

  /** Gives it its name, in one step. */
  void complete(Path wanted) throws IOException {
    channel.close();
    Files.delete(directory.resolve(LOCK));
    Files.move(directory, wanted, StandardCopyOption.ATOMIC_MOVE);
    complete = true;
  }

  /** Removes it, unless it is complete. */
  @Override
  public void close() throws IOException {
    channel.close();
    if (!complete) {
      remove(directory);
    }
  }

  /**
   * Removes what killed backups left in a directory: only what looks like one in name and content,
   * and only where nobody works on it.
   */
  static void removeAbandoned(Path above, PartialBackup own) throws IOException {
    Instant now = Files.getLastModifiedTime(own.directory).toInstant();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(above, ".*" + MARK + "*")) {
      for (Path other : found) {
        if (!other.equals(own.directory) && isPartial(other) && isAbandoned(other, now)) {
          remove(other);
        }
      }
    } catch (IOException | java.nio.file.DirectoryIteratorException unreadable) {
      LOG.log(System.Logger.Level.WARNING, "partial backups in " + above + " stay", unreadable);
    }
  }

  private static boolean isPartial(Path path) throws IOException {
    if (!NAME.matcher(path.getFileName().toString()).matches()
        || !Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    try (Stream<Path> files = Files.list(path)) {
      return files.allMatch(
          file ->
              OURS.contains(file.getFileName().toString())
                  && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS));
    }
  }

  private static boolean isAbandoned(Path partial, Instant now) throws IOException {
    Path lock = partial.resolve(LOCK);
    if (!Files.exists(lock, LinkOption.NOFOLLOW_LINKS)) {
      Instant used = Files.getLastModifiedTime(partial).toInstant();
      return used.plus(UNLOCKED_FOR).isBefore(now);
    }
    try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.WRITE);
        FileLock free = channel.tryLock()) {
      return free != null;
    } catch (OverlappingFileLockException ours) {
      return false;
    }
  }

  private static void remove(Path partial) throws IOException {
    List<Path> files;
    try (Stream<Path> listed = Files.list(partial)) {
      files = listed.toList();
    }
    for (Path file : files) {
      Files.deleteIfExists(file);
    }
    Files.deleteIfExists(partial);
  }
}
