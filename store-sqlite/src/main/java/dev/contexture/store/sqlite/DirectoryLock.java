package dev.contexture.store.sqlite;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.store.OwnerOnly;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The lock that makes one process the owner of a data directory. The operating system lets go of it
 * when the process ends, however that happens. Thread-safe.
 *
 * <p>The file {@code contexture.lock} says who the owner is, so that a command line can talk to a
 * server that has the directory open: {@link #owner}. People delete such files; the database is
 * locked too ({@link DatabaseLock}), and the owner makes the file again.
 *
 * <p>On POSIX systems a process loses its locks on a file when it closes the file anywhere. So this
 * process never opens a file that it has locked a second time ({@link #HELD}).
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class DirectoryLock implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(DirectoryLock.class.getName());

  /** The name of the file. */
  public static final String FILE = "contexture.lock";

  private static final long LOCKED_AT = Long.MAX_VALUE - 1; // far behind what the file says
  private static final int MAX_BYTES = 4_096;
  private static final int MAX_ADDRESS = 1_000;

  private static final String PID = "pid=";
  private static final String SERVER = "server=";
  private static final String KEY = "key=";
  private static final String DATABASE = "database=";

  /** The locks that this process holds, by the identity of their file. Guarded by itself. */
  private static final Map<Object, DirectoryLock> HELD = new HashMap<>();

  private final Path file;
  private final boolean hadDatabase;
  private FileChannel channel;
  private Object key;
  private @Nullable DatabaseLock database;
  private @Nullable String server;
  private @Nullable String serverKey;

  private DirectoryLock(Path file, FileChannel channel, Object key, boolean hadDatabase) {
    this.file = file;
    this.channel = channel;
    this.key = key;
    this.hadDatabase = hadDatabase;
  }

  /**
   * The owner of a directory.
   *
   * @param pid the process
   * @param server the address of its server, if it is one
   * @param key what its server takes from whoever may read this directory; null: the server is none
   *     for those alone, and says itself whom it lets in
   */
  public record Owner(long pid, @Nullable String server, @Nullable String key) {}

  /** The present owner of a directory; empty if no living process has it open. */
  public static Optional<Owner> owner(Path directory) {
    Path file = directory.resolve(FILE);
    if (!Files.isRegularFile(file)) {
      return Optional.empty();
    }
    synchronized (HELD) {
      DirectoryLock own = HELD.get(DatabaseFiles.key(file));
      return own == null ? foreignOwner(file) : Optional.of(own.owner());
    }
  }

  private static Optional<Owner> foreignOwner(Path file) {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      FileLock free = channel.tryLock(LOCKED_AT, 1, false);
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
   * Becomes the owner, if the database is not locked either ({@link #lockDatabase}).
   *
   * @throws ContextureException {@code store_in_use} if another process, or another store of this
   *     one, is the owner; {@code store_read_only} if the file cannot be written
   */
  public static DirectoryLock take(Path directory) {
    Path file = directory.resolve(FILE);
    synchronized (HELD) {
      DirectoryLock own = HELD.get(DatabaseFiles.key(file));
      if (own != null) {
        throw inUse(directory, own.owner());
      }
      DirectoryLock taken = takeFree(directory, file);
      HELD.put(taken.key, taken);
      return taken;
    }
  }

  private static DirectoryLock takeFree(Path directory, Path file) {
    FileChannel channel = null;
    try {
      channel = open(file);
      if (channel.tryLock(LOCKED_AT, 1, false) == null) {
        Owner owner = read(file);
        channel.close();
        throw inUse(directory, owner);
      }
      boolean hadDatabase = readString(channel).contains(DATABASE);
      return new DirectoryLock(file, channel, requiredKey(file), hadDatabase);
    } catch (IOException failure) {
      close(channel, failure);
      throw SqliteErrors.of(failure, directory, "cannot write in " + directory);
    }
  }

  /** This process, as the file says to others. */
  private synchronized Owner owner() {
    return new Owner(ProcessHandle.current().pid(), server, serverKey);
  }

  private static FileChannel open(Path file) throws IOException {
    return FileChannel.open(
        file,
        Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
        OwnerOnly.fileAttributes());
  }

  private static Object requiredKey(Path file) throws IOException {
    Object key = DatabaseFiles.key(file);
    if (key == null) {
      throw new NoSuchFileException(file.toString());
    }
    return key;
  }

  /** Through the channel: to open the file once more and close it would drop the lock. */
  private static String readString(FileChannel channel) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(MAX_BYTES);
    while (buffer.hasRemaining() && channel.read(buffer, buffer.position()) > 0) {
      // until all is read
    }
    return new String(buffer.array(), 0, buffer.position(), StandardCharsets.UTF_8);
  }

  /** Whether the owner before had a database. */
  boolean hadDatabase() {
    return hadDatabase;
  }

  /**
   * Becomes the owner of the database too, and says so in the file.
   *
   * @throws ContextureException {@code store_in_use} if another process has it open
   */
  synchronized void lockDatabase(Path database) {
    try {
      this.database = DatabaseLock.take(database);
      announce(null, null);
    } catch (IOException failure) {
      throw SqliteErrors.of(failure, file, "cannot lock " + database);
    }
  }

  /** To be called when the connections are open: see {@link DatabaseLock}. */
  synchronized void renewDatabase() {
    try {
      if (database != null) {
        database.renew();
      }
    } catch (IOException failure) {
      throw SqliteErrors.of(failure, file, "cannot lock the database");
    }
  }

  /**
   * Takes the lock file again if it was removed or replaced, so that others find this process. The
   * lock on the database keeps them out meanwhile.
   */
  void renew() {
    synchronized (HELD) {
      synchronized (this) {
        Object present = DatabaseFiles.key(file);
        if (!key.equals(present) && !HELD.containsKey(present)) {
          takeAgain();
        }
      }
    }
  }

  private void takeAgain() {
    try {
      FileChannel next = open(file);
      if (next.tryLock(LOCKED_AT, 1, false) == null) {
        next.close(); // by one that is about to be refused
        return;
      }
      channel.close();
      channel = next;
      HELD.remove(key, this);
      key = requiredKey(file);
      HELD.put(key, this);
      announce(server, serverKey);
    } catch (IOException later) {
      LOG.log(System.Logger.Level.WARNING, file + " cannot be written again", later);
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
    String key = null;
    for (String line : Files.readString(file, StandardCharsets.UTF_8).split("\n", -1)) {
      if (line.startsWith(PID)) {
        pid = Long.parseLong(line.substring(PID.length()));
      } else if (line.startsWith(SERVER)) {
        server = line.substring(SERVER.length());
      } else if (line.startsWith(KEY)) {
        key = line.substring(KEY.length());
      }
    }
    return new Owner(pid, server, key);
  }

  /**
   * Writes who the owner is, and where its server listens.
   *
   * @param serverKey what the server takes from whoever may read this directory; null: nothing
   */
  public synchronized void announce(@Nullable String server, @Nullable String serverKey)
      throws IOException {
    if (server != null && (server.length() > MAX_ADDRESS || server.contains("\n"))) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT,
          "server",
          server,
          "an address of one line and at most " + MAX_ADDRESS + " characters");
    }
    if (serverKey != null && OwnerOnly.isOpenToOthers(file)) {
      OwnerOnly.tighten(file);
    }
    this.server = server;
    this.serverKey = serverKey;
    String text =
        PID
            + ProcessHandle.current().pid()
            + "\n"
            + (database == null && !hadDatabase ? "" : DATABASE + SqliteStore.FILE + "\n")
            + (server == null ? "" : SERVER + server)
            + (serverKey == null ? "" : "\n" + KEY + serverKey);
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    while (buffer.hasRemaining()) { // over what is there: a full disk has room for that
      channel.write(buffer, buffer.position());
    }
    channel.truncate(bytes.length);
  }

  /** To be called when nothing has the database open any more. */
  @Override
  public void close() {
    synchronized (HELD) {
      synchronized (this) {
        HELD.remove(key, this);
        release();
      }
    }
  }

  private void release() {
    try {
      if (database != null) {
        database.close();
      }
      channel.close(); // lets go of the lock
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
