package dev.contexture.store.sqlite;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.store.OwnerOnly;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The directory of a store: made, kept from others, and looked at before it is opened. */
final class StoreDirectory {
  private static final System.Logger LOG = System.getLogger(StoreDirectory.class.getName());
  private static final List<String> LOG_FILES =
      List.of(SqliteStore.FILE + "-wal", SqliteStore.FILE + "-shm");
  private static final String INDEX = "index";

  private StoreDirectory() {}

  /**
   * Makes the directory, or sees to it that only its owner can read the one that is there.
   *
   * @throws ContextureException {@code store_unavailable} if it belongs to another user and is open
   *     to others; {@code store_read_only} or {@code store_full} if it cannot be made
   */
  static void prepare(Path directory) {
    try {
      if (!Files.exists(directory)) {
        OwnerOnly.createDirectory(directory);
      }
    } catch (IOException failed) {
      throw SqliteErrors.of(failed, directory, "cannot make the directory " + directory);
    }
    try {
      keepFromOthers(directory);
    } catch (IOException failed) {
      throw SqliteErrors.of(failed, directory, "cannot look at the directory " + directory);
    }
  }

  private static void keepFromOthers(Path directory) throws IOException {
    if (OwnerOnly.isOpenToOthers(directory)) {
      requireOurs(directory);
      tighten(directory);
    }
    List<String> names = new ArrayList<>(LOG_FILES);
    names.addAll(List.of(SqliteStore.FILE, DirectoryLock.FILE, INDEX));
    for (String name : names) {
      Path path = directory.resolve(name);
      if (Files.exists(path) && OwnerOnly.isOpenToOthers(path)) {
        tighten(path);
      }
    }
  }

  /** A file that this process makes there belongs to whoever it runs as. */
  private static void requireOurs(Path directory) throws IOException {
    if (!Files.isWritable(directory)) {
      return; // refused where it is written to, with that reason
    }
    Path probe = Files.createTempFile(directory, ".owner-", "");
    UserPrincipal us;
    try {
      us = Files.getOwner(probe);
    } finally {
      Files.delete(probe);
    }
    UserPrincipal owner = Files.getOwner(directory);
    if (!owner.equals(us)) {
      throw new ContextureException(
          ErrorCode.STORE_UNAVAILABLE,
          directory
              + " belongs to "
              + owner.getName()
              + " and others may use it ("
              + PosixFilePermissions.toString(Files.getPosixFilePermissions(directory))
              + "), but a store is for "
              + us.getName()
              + " alone; give a directory below it, which is then made, or change it: chown "
              + us.getName()
              + ", chmod 700",
          Map.of("directory", directory.toString(), "owner", owner.getName()),
          null);
    }
  }

  /** Goes on where the permissions cannot be changed: some file systems have the same for all. */
  private static void tighten(Path path) throws IOException {
    String before = PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    try {
      OwnerOnly.tighten(path);
      LOG.log(
          System.Logger.Level.INFO,
          "{0} had the permissions {1}; now only its owner may use it",
          path,
          before);
    } catch (IOException refused) {
      LOG.log(
          System.Logger.Level.WARNING,
          path + " has the permissions " + before + ", which cannot be changed",
          refused);
    }
  }

  /**
   * Whether there is a database.
   *
   * @param hadDatabase whether the lock file says that there was one
   * @throws ContextureException {@code store_damaged} if it is empty, or missing although other
   *     files of a store are there: to start again would hide that everything is lost
   */
  static boolean hasDatabase(Path directory, boolean hadDatabase) throws IOException {
    Path file = directory.resolve(SqliteStore.FILE);
    if (Files.exists(file)) {
      if (Files.size(file) == 0) {
        throw lost(directory, "is empty", List.of(SqliteStore.FILE));
      }
      return true;
    }
    List<String> others = new ArrayList<>();
    for (String name : LOG_FILES) {
      if (Files.exists(directory.resolve(name))) {
        others.add(name);
      }
    }
    if (holdsFiles(directory.resolve(INDEX))) {
      others.add(INDEX);
    }
    if (hadDatabase) {
      others.add(DirectoryLock.FILE);
    }
    if (!others.isEmpty()) {
      throw lost(directory, "is missing, but " + String.join(", ", others) + " is there", others);
    }
    return false;
  }

  private static boolean holdsFiles(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return false;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      return files.anyMatch(Files::isRegularFile);
    }
  }

  private static ContextureException lost(Path directory, String how, List<String> others) {
    return new ContextureException(
        ErrorCode.STORE_DAMAGED,
        directory.resolve(SqliteStore.FILE)
            + " "
            + how
            + "; restore it from a backup, or, to begin anew, remove "
            + String.join(", ", others)
            + " first",
        Map.of("directory", directory.toString()),
        null);
  }
}
