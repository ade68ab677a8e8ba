package dev.contexture.store.sqlite;

import dev.contexture.error.ContextureException;
import dev.contexture.store.jdbc.schema.Migrations;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * Finds out whether writes are expected to work, for health checks. Thread-safe.
 *
 * <p>It looks at the files, at the permissions of their directory and at the room on the disk each
 * time, which costs next to nothing. It writes, without a change, if the last write failed, or if
 * none was made for some seconds: a server that nobody writes to notices a broken disk too.
 */
final class WriteProbe {
  private static final long RESERVE_BYTES = 16 << 20; // what the log takes until it is moved
  static final Duration IDLE = Duration.ofSeconds(5);

  private final DatabaseFiles files;
  private final Writer writer;
  private final Disk disk;
  private final Duration idle;

  /** The disk, as far as the system tells of it. */
  interface Disk {
    boolean isWritable(Path directory);

    /** How much can be written; very much where the system does not count. */
    long usableBytes(Path directory);

    Disk REAL =
        new Disk() {
          @Override
          public boolean isWritable(Path directory) {
            return Files.isWritable(directory);
          }

          @Override
          public long usableBytes(Path directory) {
            File folder = directory.toFile(); // a FileStore would need a descriptor to be found
            return folder.getTotalSpace() > 0 ? folder.getUsableSpace() : Long.MAX_VALUE;
          }
        };
  }

  /**
   * @param idle how long after a write another one is made to see whether it works
   */
  WriteProbe(DatabaseFiles files, Writer writer, Disk disk, Duration idle) {
    this.files = files;
    this.writer = writer;
    this.disk = disk;
    this.idle = idle;
  }

  /** Why a write would be refused now. */
  Optional<ContextureException> problem() {
    return files.problem().or(this::ofDisk).or(this::ofWrite);
  }

  private Optional<ContextureException> ofDisk() {
    Path file = files.database();
    Path directory = Objects.requireNonNull(file.toAbsolutePath().getParent());
    if (!disk.isWritable(directory)) {
      return Optional.of(SqliteErrors.readOnly(file, null));
    }
    return disk.usableBytes(directory) < RESERVE_BYTES
        ? Optional.of(SqliteErrors.full(file, null))
        : Optional.empty();
  }

  private Optional<ContextureException> ofWrite() {
    if (!writer.isFailing() && !writer.isIdle(idle)) {
      return Optional.empty();
    }
    try {
      writer.write(Migrations::touch, (db, touched) -> false);
      return Optional.empty();
    } catch (ContextureException refused) {
      return Optional.of(refused);
    }
  }
}
