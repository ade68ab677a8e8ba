package dev.contexture.store.sqlite;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.store.OwnerOnly;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apiguardian.api.API;

/**
 * Copies a store, also while its owner goes on writing.
 *
 * <p>The steps, each of which leaves the store and anything at the destination as they were:
 *
 * <ol>
 *   <li>SQLite writes what one read transaction sees into a new directory beside the destination
 *       ({@code VACUUM INTO}): everything that was acknowledged before it began, nothing that began
 *       later, nothing that was erased. Its own page-wise backup would start over with each write
 *       of another process, and never end under load.
 *   <li>The copy is read completely, each row against its checksum.
 *   <li>It is forced to the disk, and the directory gets its name in one step: a backup is there as
 *       a whole or not at all.
 * </ol>
 *
 * The search index is not copied; it is rebuilt where the copy is opened. What backups that were
 * killed left behind is removed by the next one into the same directory.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class SqliteBackup {
  private static final Duration TELL_EVERY = Duration.ofMillis(100);

  private SqliteBackup() {}

  /** Is told how far the copy is. */
  @FunctionalInterface
  public interface Progress {
    void at(long doneBytes, long totalBytes);
  }

  /**
   * Copies the store of a directory into a new directory, which then can be opened like the first.
   *
   * @return what the copy holds
   * @throws ContextureException {@code not_found} if there is no store; {@code invalid_argument} if
   *     the destination exists or the directory above it does not; {@code store_damaged} if the
   *     copy is not sound; another {@code store_} code if it cannot be written
   */
  public static SqliteInspection take(Path directory, Path destination, Progress progress) {
    SqliteInspection.of(directory, SqliteInspection.Depth.FACTS);
    Path wanted = destination.toAbsolutePath().normalize();
    Path above = wanted.getParent();
    if (Files.exists(wanted, LinkOption.NOFOLLOW_LINKS)) {
      throw refused(
          destination, "a directory that does not exist yet: a backup never overwrites anything");
    }
    if (above == null || !Files.isDirectory(above)) {
      throw refused(destination, "a directory to be made in one that exists");
    }
    try (PartialBackup partial = PartialBackup.begin(above, wanted.getFileName().toString())) {
      PartialBackup.removeAbandoned(above, partial);
      Path made = partial.directory();
      copy(directory.resolve(SqliteStore.FILE), made.resolve(SqliteStore.FILE), progress);
      SqliteInspection copied = SqliteInspection.of(made, SqliteInspection.Depth.ROWS);
      force(made.resolve(SqliteStore.FILE), StandardOpenOption.WRITE);
      partial.complete(wanted);
      forceName(above);
      return copied;
    } catch (IOException failed) {
      throw new ContextureException(
          ErrorCode.STORE_UNAVAILABLE,
          "the backup "
              + destination
              + " cannot be written: "
              + failed
              + "; free disk space or give another directory",
          Map.of("destination", destination.toString()),
          failed);
    }
  }

  private static ContextureException refused(Path destination, String allowed) {
    return ContextureException.invalid(
        ErrorCode.INVALID_ARGUMENT, "destination", destination.toString(), allowed);
  }

  /** SQLite says nothing until it is done, so the size of the file tells how far it is. */
  private static void copy(Path file, Path to, Progress progress) throws IOException {
    long total = Files.size(file);
    OwnerOnly.createFile(to); // SQLite fills an empty file, and would let others read a new one
    CompletableFuture<Void> result = new CompletableFuture<>();
    Thread copying =
        Thread.ofPlatform()
            .daemon()
            .name("contexture-backup")
            .start(
                () -> {
                  try {
                    SqliteDb.copy(file, to);
                    result.complete(null);
                  } catch (SQLException failed) {
                    result.completeExceptionally(SqliteErrors.of(failed, to));
                  } catch (RuntimeException failed) {
                    result.completeExceptionally(failed);
                  }
                });
    try {
      while (!copying.join(TELL_EVERY)) {
        progress.at(Math.min(total, Files.exists(to) ? Files.size(to) : 0), total);
      }
      result.join();
    } catch (InterruptedException early) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", early);
    } catch (CompletionException failed) {
      throw failed.getCause() instanceof ContextureException known ? known : failed;
    }
    progress.at(total, total);
  }

  private static void force(Path path, StandardOpenOption how) throws IOException {
    try (FileChannel channel = FileChannel.open(path, how)) {
      channel.force(true);
    }
  }

  /** Where a system cannot open directories, it keeps names in order by itself. */
  private static void forceName(Path directory) {
    try {
      force(directory, StandardOpenOption.READ);
    } catch (IOException notPossible) {
      // the copy is complete, and its name is as durable as this system makes names
    }
  }
}
