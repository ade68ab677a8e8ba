package dev.contexture.store.sqlite;

import dev.contexture.block.Scope;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.store.EraseReport;
import dev.contexture.store.jdbc.Db;
import dev.contexture.store.jdbc.EraseJob;
import dev.contexture.store.jdbc.JdbcStore;
import dev.contexture.store.jdbc.OutboxReads;
import dev.contexture.store.jdbc.RowCheck;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A store in a directory of its own, which one process at a time owns. Thread-safe.
 *
 * <p>The directory holds {@code contexture.db}, its log while it is open, and {@code
 * contexture.lock}. What a returned call wrote survives the end of the process and of the machine.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class SqliteStore extends JdbcStore {
  /** The name of the database in its directory. */
  public static final String FILE = "contexture.db";

  private static final int MAX_READERS = 8;

  private final DirectoryLock lock;
  private final DatabaseFiles files;
  private final Writer writer;
  private final FileEraser eraser;
  private final Readers readers;
  private final WriteProbe probe;
  private final AtomicBoolean closed = new AtomicBoolean();

  private SqliteStore(
      DirectoryLock lock, DatabaseFiles files, Writer writer, Readers readers, Tuning tuning) {
    this.lock = lock;
    this.files = files;
    this.writer = writer;
    this.eraser = new FileEraser(writer);
    this.readers = readers;
    this.probe = new WriteProbe(files, writer, tuning.disk(), tuning.idle());
  }

  /** The settings that tests change. */
  record Tuning(
      long maxPages, int readers, Db.FaultPoint faults, WriteProbe.Disk disk, Duration idle) {
    static final Tuning DEFAULT =
        new Tuning(
            0,
            Math.clamp(Runtime.getRuntime().availableProcessors(), 2, MAX_READERS),
            Db.FaultPoint.NONE);

    Tuning(long maxPages, int readers, Db.FaultPoint faults) {
      this(maxPages, readers, faults, WriteProbe.Disk.REAL, WriteProbe.IDLE);
    }
  }

  /**
   * Opens the store in a directory, which is made if it does not exist.
   *
   * @throws ContextureException {@code store_in_use}, {@code store_read_only}, {@code
   *     store_foreign}, {@code store_newer}, {@code store_damaged}, {@code store_full} or {@code
   *     store_unavailable}; the directory is left as it was
   */
  public static SqliteStore open(Path directory) {
    return open(directory, Tuning.DEFAULT);
  }

  static SqliteStore open(Path directory, Tuning tuning) {
    StoreDirectory.prepare(directory);
    DirectoryLock lock = DirectoryLock.take(directory);
    try {
      return open(lock, directory, tuning);
    } catch (IOException failed) {
      lock.close();
      throw SqliteErrors.of(failed, directory, "cannot open " + directory);
    } catch (RuntimeException refused) {
      lock.close();
      throw refused;
    }
  }

  private static SqliteStore open(DirectoryLock lock, Path directory, Tuning tuning)
      throws IOException {
    Path file = directory.resolve(FILE);
    try {
      if (!StoreDirectory.hasDatabase(directory, lock.hadDatabase())) {
        Schema.create(file, tuning);
      }
      lock.lockDatabase(file);
      try (Db db = SqliteDb.writer(file, tuning.maxPages(), tuning.faults())) {
        Schema.migrate(db, file);
        boolean erasing = FileEraser.isDue(db);
        db.rollback(); // ends the reading
        SqliteStore store = open(lock, new DatabaseFiles(file, lock::renew), tuning);
        store.eraser.start(erasing);
        lock.renewDatabase();
        return store;
      }
    } catch (SQLException failed) {
      throw SqliteErrors.of(failed, file);
    }
  }

  private static SqliteStore open(DirectoryLock lock, DatabaseFiles files, Tuning tuning)
      throws SQLException {
    Path file = files.database();
    OutboxReads outboxReads = new OutboxReads();
    Writer writer =
        new Writer(
            file,
            files,
            () -> {
              files.require();
              return SqliteDb.writer(file, tuning.maxPages(), tuning.faults(), outboxReads);
            });
    try {
      Readers readers =
          new Readers(
              files,
              tuning.readers(),
              () -> {
                files.require();
                return SqliteDb.reader(file, outboxReads);
              });
      writer.start();
      return new SqliteStore(lock, files, writer, readers, tuning);
    } catch (SQLException | RuntimeException failed) {
      writer.close();
      throw failed;
    }
  }

  /**
   * Writes into the lock file where this process serves the store, so that others can find it with
   * {@link DirectoryLock#owner}.
   */
  public void announceServer(String address) {
    announceServer(address, null);
  }

  /**
   * The same for a server that is there for those who may read the directory, and for nobody else.
   *
   * @param key what the server takes from them; it stands in the lock file, which only its owner
   *     may read; null: nothing
   */
  public void announceServer(String address, @Nullable String key) {
    try {
      lock.announce(address, key);
    } catch (IOException failed) {
      throw new ContextureException(
          ErrorCode.STORE_UNAVAILABLE,
          "cannot write the lock file: " + failed,
          Map.of("file", DirectoryLock.FILE),
          failed);
    }
  }

  /**
   * Reads every row of the database and checks it.
   *
   * @throws ContextureException {@code store_damaged} that names the first damage
   */
  public void check() {
    readers.read(
        db -> {
          SqliteDb.checkStructure(db, files.database());
          RowCheck.run(db);
          return true;
        });
  }

  @Override
  protected <T> T read(String tenant, Db.Work<T> reading) {
    return readers.read(reading);
  }

  @Override
  protected <T> T write(String tenant, Db.Work<T> work, Db.Landed<T> landed) {
    return writer.write(work, landed);
  }

  @Override
  protected <T> T erase(String tenant, Db.Work<T> work, Db.Landed<T> landed) {
    return eraser.erase(work, landed);
  }

  @Override
  protected EraseReport erase(EraseJob.Kind kind, Scope scope, String subject) {
    return eraser.inSteps(kind, scope, subject);
  }

  @Override
  public Optional<ContextureException> writeProblem() {
    return closed.get() ? Optional.of(Writer.closed()) : probe.problem();
  }

  @Override
  public boolean isErasing() {
    return eraser.isErasing();
  }

  @Override
  public int waiting() {
    return writer.waiting();
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      try {
        readers.close();
      } finally {
        try {
          eraser.close();
          writer.close();
        } finally {
          lock.close();
        }
      }
    }
  }
}
