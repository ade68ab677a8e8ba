package dev.contexture.store.sqlite;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A lock on the database file itself. It keeps a second owner out also where {@code
 * contexture.lock} was deleted: to get around this one takes another database.
 *
 * <p>It is on a byte far behind everything that SQLite reads, writes or locks. On POSIX systems a
 * process loses all its locks on a file when it closes the file anywhere. Hence:
 *
 * <ol>
 *   <li>This class closes its channel only when SQLite has let go of the file, and a process opens
 *       no second one ({@link #OWNED}).
 *   <li>SQLite keeps a file open as long as one of its connections has a lock on it, which each one
 *       has that has read. The lock is taken again ({@link #renew}) once they all have.
 * </ol>
 *
 * Thread-safe.
 */
final class DatabaseLock implements AutoCloseable {
  private static final long LOCKED_AT = Long.MAX_VALUE - 1;

  /** The files that this process has locked. */
  private static final Set<Object> OWNED = ConcurrentHashMap.newKeySet();

  private final Path file;
  private final Object key;
  private final FileChannel channel;
  private FileLock lock;

  private DatabaseLock(Path file, Object key, FileChannel channel, FileLock lock) {
    this.file = file;
    this.key = key;
    this.channel = channel;
    this.lock = lock;
  }

  /**
   * Locks a database that exists and that no connection of this process has open.
   *
   * @throws ContextureException {@code store_in_use} if another store has it open; {@code
   *     store_foreign} if the file is no database
   */
  static DatabaseLock take(Path file) throws IOException {
    Object key = DatabaseFiles.key(file.toRealPath());
    if (key == null || !OWNED.add(key)) {
      throw inUse(file);
    }
    FileChannel channel = null;
    try {
      Schema.checkFile(file);
      channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
      FileLock lock = tryLock(channel);
      if (lock == null) {
        throw inUse(file);
      }
      return new DatabaseLock(file, key, channel, lock);
    } catch (IOException | RuntimeException refused) {
      if (channel != null) {
        channel.close();
      }
      OWNED.remove(key);
      throw refused;
    }
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock(LOCKED_AT, 1, false);
    } catch (OverlappingFileLockException sameProcess) {
      return null;
    }
  }

  private static ContextureException inUse(Path file) {
    return new ContextureException(
        ErrorCode.STORE_IN_USE,
        file
            + " is in use by another process, whose "
            + DirectoryLock.FILE
            + " was removed; stop that process",
        Map.of("file", file.toString()),
        null);
  }

  /**
   * Takes the lock again after connections were closed, which may have dropped it.
   *
   * @throws ContextureException {@code store_in_use} if another process was faster
   */
  synchronized void renew() throws IOException {
    lock.release();
    FileLock again = tryLock(channel);
    if (again == null) {
      throw inUse(file);
    }
    lock = again;
  }

  @Override
  public synchronized void close() throws IOException {
    OWNED.remove(key);
    channel.close();
  }
}
