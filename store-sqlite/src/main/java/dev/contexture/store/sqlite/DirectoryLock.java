package dev.contexture.store.sqlite;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The lock that makes one process the owner of a data directory. The operating system lets go of it
 * when the process ends, however that happens. Thread-safe.
 *
 * <p>The file {@code contexture.lock} says who the owner is, so that a command line can talk to a
 * server that has the directory open: {@link #owner}.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class DirectoryLock implements AutoCloseable {
  /** The name of the file. */
  public static final String FILE = "contexture.lock";

  private static final long LOCKED_AT = Long.MAX_VALUE - 1; // far behind what the file says
  private static final int MAX_BYTES = 4_096;

  private final FileChannel channel;
  private final FileLock lock;

  private DirectoryLock(FileChannel channel, FileLock lock) {
    this.channel = channel;
    this.lock = lock;
  }

  /**
   * Who owns a directory.
   *
   * @param pid the process
   * @param server the address of its server, if it is one
   */
  public record Owner(long pid, @Nullable String server) {}

  /** The present owner of a directory; empty if no living process has it open. */
  public static Optional<Owner> owner(Path directory) {
    Path file = directory.resolve(FILE);
    if (!Files.isRegularFile(file)) {
      return Optional.empty();
    }
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      FileLock free = tryLock(channel);
      if (free != null) {
        free.release();
        return Optional.empty();
      }
      return Optional.of(read(file));
    } catch (IOException unreadable) {
      throw new ContextureException(
          ErrorCode.STORE_UNAVAILABLE,
          file + " cannot be read: " + unreadable.getMessage(),
          Map.of("file", file.toString()),
          unreadable);
    }
  }

  /**
   * Becomes the owner.
   *
   * @throws ContextureException {@code store_in_use} if another process, or another store of this
   *     one, is the owner; {@code store_read_only} if the file cannot be written
   */
  static DirectoryLock take(Path directory) {
    Path file = directory.resolve(FILE);
    FileChannel channel = null;
    try {
      channel =
          FileChannel.open(
              file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
      FileLock lock = tryLock(channel);
      if (lock == null) {
        Owner owner = read(file);
        channel.close();
        throw inUse(directory, owner);
      }
      DirectoryLock taken = new DirectoryLock(channel, lock);
      taken.announce(null);
      return taken;
    } catch (IOException failure) {
      close(channel, failure);
      throw new ContextureException(
          ErrorCode.STORE_READ_ONLY,
          "cannot write in " + directory + ": " + failure + "; give this user write permission",
          Map.of("directory", directory.toString()),
          failure);
    }
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock(LOCKED_AT, 1, false);
    } catch (OverlappingFileLockException sameProcess) {
      return null;
    }
  }

  private static ContextureException inUse(Path directory, Owner owner) {
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("directory", directory.toString());
    details.put("pid", owner.pid());
    if (owner.server() != null) {
      details.put("server", owner.server());
    }
    String where = owner.server() == null ? "stop it" : "use its server at " + owner.server();
    return new ContextureException(
        ErrorCode.STORE_IN_USE,
        directory + " is in use by process " + owner.pid() + "; " + where,
        details,
        null);
  }

  private static Owner read(Path file) throws IOException {
    long pid = 0;
    String server = null;
    for (String line : Files.readString(file, StandardCharsets.UTF_8).split("\n", -1)) {
      if (line.startsWith("pid=")) {
        pid = Long.parseLong(line.substring(4));
      } else if (line.startsWith("server=")) {
        server = line.substring(7);
      }
    }
    return new Owner(pid, server);
  }

  /** Writes who the owner is, and where its server listens. */
  void announce(@Nullable String server) throws IOException {
    String text =
        "pid=" + ProcessHandle.current().pid() + "\n" + (server == null ? "" : "server=" + server);
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > MAX_BYTES || text.chars().filter(c -> c == '\n').count() > 1) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_PARAMS, "server", server, "an address of one line");
    }
    channel.truncate(0);
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    while (buffer.hasRemaining()) {
      channel.write(buffer, buffer.position());
    }
  }

  @Override
  public void close() {
    try {
      lock.release();
      channel.close();
    } catch (IOException gone) {
      throw new ContextureException(
          ErrorCode.STORE_UNAVAILABLE, "the lock cannot be released: " + gone, Map.of(), gone);
    }
  }

  private static void close(@Nullable FileChannel channel, IOException failure) {
    if (channel != null) {
      try {
        channel.close();
      } catch (IOException second) {
        failure.addSuppressed(second);
      }
    }
  }
}
