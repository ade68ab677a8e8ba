package dev.contexture.store.sqlite;

import dev.contexture.block.Binary;
import dev.contexture.block.BlockPath;
import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.store.ChangeRecord;
import dev.contexture.store.Commit;
import dev.contexture.store.ConversationEntry;
import dev.contexture.store.EpochRow;
import dev.contexture.store.Head;
import dev.contexture.store.OutboxRow;
import dev.contexture.store.OutboxTail;
import dev.contexture.store.Outcome;
import dev.contexture.store.RequestRow;
import dev.contexture.store.SourceRow;
import dev.contexture.store.Store;
import dev.contexture.store.StoredBlock;
import dev.contexture.store.StoredTurn;
import dev.contexture.store.StoredWindow;
import dev.contexture.store.WriteSet;
import dev.contexture.store.memory.EraseReport;
import dev.contexture.store.memory.MemoryTables;
import dev.contexture.timeline.Summary;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
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
public final class SqliteStore implements Store {
  /** The name of the database in its directory. */
  public static final String FILE = "contexture.db";

  private static final int MAX_READERS = 8;

  private final DirectoryLock lock;
  private final DatabaseFiles files;
  private final Writer writer;
  private final FileEraser eraser;
  private final Readers readers;
  private final MemoryTables memory;
  private final WriteProbe probe;
  private final AtomicBoolean closed = new AtomicBoolean();

  private SqliteStore(
      DirectoryLock lock, DatabaseFiles files, Writer writer, Readers readers, Tuning tuning) {
    this.lock = lock;
    this.files = files;
    this.writer = writer;
    this.eraser = new FileEraser(writer);
    this.readers = readers;
    this.memory = new SqliteMemory(writer, eraser, readers);
    this.probe = new WriteProbe(files, writer, tuning.disk(), tuning.idle());
  }

  /** What tests change. */
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
      try (Db db = Db.writer(file, tuning.maxPages(), tuning.faults())) {
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
    Writer writer =
        new Writer(
            file,
            files,
            () -> {
              files.require();
              return Db.writer(file, tuning.maxPages(), tuning.faults());
            });
    try {
      Readers readers =
          new Readers(
              files,
              tuning.readers(),
              () -> {
                files.require();
                return Db.reader(file);
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
    try {
      lock.announce(address);
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
          new IntegrityCheck(db, files.database()).run();
          return true;
        });
  }

  @Override
  public Commit commit(WriteSet set) {
    return writer.commit(EncodedSet.of(set));
  }

  @Override
  public void putBinary(Scope scope, Binary binary) {
    byte[] content = binary.bytes();
    String sha = binary.sha256();
    writer.write(
        db -> {
          RequestReads.keep(db, scope.tenant(), sha, content);
          return true;
        });
  }

  @Override
  public Optional<Binary> binary(Scope.OfConversation conversation, String sha256) {
    return readers.read(
        db -> {
          ConversationState state = ConversationState.find(db, conversation).orElse(null);
          return state != null
                  && db.exists(
                      "SELECT 1 FROM binary_refs WHERE conv = ? AND sha = ? LIMIT 1",
                      state.id,
                      sha256)
              ? BlockReads.content(db, conversation.tenant(), sha256)
              : Optional.empty();
        });
  }

  @Override
  public Optional<Head> head(Scope.OfConversation conversation) {
    return read(conversation, ConversationReads::head);
  }

  @Override
  public Optional<StoredWindow> load(Scope.OfConversation conversation) {
    return read(conversation, ConversationReads::window);
  }

  @Override
  public long windowBytes(Scope.OfConversation conversation) {
    return read(conversation, ConversationReads::windowBytes).orElse(0L);
  }

  @Override
  public List<StoredBlock> readRange(
      Scope.OfConversation conversation, long from, long to, int limit) {
    return list(conversation, reads -> reads.blocks().range(from, to, page(limit)));
  }

  @Override
  public List<StoredBlock> blocksOn(Scope.OfConversation conversation, BlockPath path) {
    return list(conversation, reads -> reads.blocks().on(path));
  }

  @Override
  public Map<String, StoredBlock> blocksWithIds(
      Scope.OfConversation conversation, Collection<String> ids) {
    return read(conversation, reads -> reads.blocks().withIds(ids)).orElse(Map.of());
  }

  @Override
  public Optional<StoredTurn> turn(Scope.OfConversation conversation, TurnId turn) {
    return read(conversation, reads -> reads.turn(turn)).flatMap(found -> found);
  }

  @Override
  public Optional<String> otherAgent(Scope.OfConversation conversation, String agent) {
    return list(conversation, reads -> reads.otherAgents(agent)).stream().findFirst();
  }

  @Override
  public List<StoredTurn> turns(
      Scope.OfConversation conversation, @Nullable TurnId after, int limit) {
    return list(conversation, reads -> reads.turns(after, page(limit)));
  }

  @Override
  public List<StoredTurn> excludedTurns(
      Scope.OfConversation conversation, long fromSeq, int limit) {
    return list(conversation, reads -> reads.excludedTurns(fromSeq, page(limit)));
  }

  @Override
  public List<StoredBlock> turnBlocks(Scope.OfConversation conversation, TurnId turn) {
    return list(conversation, reads -> reads.blocks().ofTurn(turn));
  }

  @Override
  public List<Summary> summaries(Scope.OfConversation conversation) {
    return list(conversation, ConversationReads::summaries);
  }

  @Override
  public List<SourceRow> sources(Scope.OfConversation conversation) {
    return list(conversation, ConversationReads::sources);
  }

  @Override
  public Optional<Outcome> outcome(Scope.OfConversation conversation, String key) {
    return read(conversation, reads -> reads.outcome(key)).flatMap(found -> found);
  }

  @Override
  public Optional<RequestRow> request(Scope.OfConversation conversation, String id) {
    return read(conversation, reads -> reads.request(id)).flatMap(found -> found);
  }

  @Override
  public List<RequestRow> requests(
      Scope.OfConversation conversation, @Nullable String before, int limit) {
    return list(conversation, reads -> reads.requests(before, page(limit)));
  }

  @Override
  public Optional<EpochRow> epoch(Scope.OfConversation conversation, String agent) {
    return read(conversation, reads -> reads.epoch(agent)).flatMap(found -> found);
  }

  @Override
  public List<EpochRow> epochs(Scope.OfConversation conversation) {
    return list(conversation, ConversationReads::epochs);
  }

  @Override
  public List<ChangeRecord> changes(
      Scope.OfConversation conversation, long afterVersion, int limit) {
    return list(conversation, reads -> reads.changes(afterVersion, page(limit)));
  }

  @Override
  public List<ConversationEntry> conversations(
      Scope.OfUser owner, ConversationEntry.@Nullable Cursor after, int limit) {
    return readers.read(db -> ConversationReads.conversations(db, owner, after, page(limit)));
  }

  @Override
  public List<OutboxRow> outbox(Scope scope, long afterNumber, int limit) {
    return readers.read(db -> Outbox.read(db, scope, afterNumber, page(limit)));
  }

  @Override
  public OutboxTail outboxTail(Scope scope, long afterNumber) {
    return readers.read(db -> Outbox.tail(db, scope, afterNumber));
  }

  @Override
  public List<Scope> outboxScopes(@Nullable Scope after, int limit) {
    return readers.read(db -> Outbox.scopes(db, after, page(limit)));
  }

  @Override
  public MemoryTables memory() {
    return memory;
  }

  @Override
  public boolean eraseConversation(Scope.OfConversation conversation, Instant at) {
    return eraser.erase(
        db -> new RowEraser(db).conversation(conversation),
        (db, erased) -> ConversationState.find(db, conversation).isEmpty());
  }

  @Override
  public Commit eraseTurn(
      Scope.OfConversation conversation, TurnId turn, Instant at, JsonObject note) {
    return eraser.erase(
        db -> new RowEraser(db).turn(conversation, turn, at, note),
        (db, commit) -> Writer.raised(db, conversation, commit));
  }

  @Override
  public long eraseTenant(String tenant, Instant at) {
    return eraser.erase(
        db -> new RowEraser(db).tenant(tenant), (db, erased) -> !RowEraser.anything(db, tenant));
  }

  @Override
  public Optional<ContextureException> writeProblem() {
    return closed.get() ? Optional.of(Writer.closed()) : probe.problem();
  }

  @Override
  public EraseReport eraseUser(Scope.OfUser user, Instant at) {
    return eraser.user(user);
  }

  @Override
  public EraseReport eraseProject(Scope scope, Instant at) {
    return eraser.project(scope);
  }

  @Override
  public void forgetErased(Scope scope, long upTo) {
    eraser.erase(db -> Outbox.forget(db, scope, upTo), (db, gone) -> false);
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

  /** A reading of a conversation that exists. */
  private interface Reading<T> {
    T run(ConversationReads reads) throws SQLException;
  }

  private <T> Optional<T> read(Scope.OfConversation conversation, Reading<T> reading) {
    return readers.read(
        db -> {
          Optional<ConversationState> state = ConversationState.find(db, conversation);
          return state.isEmpty()
              ? Optional.empty()
              : Optional.of(reading.run(new ConversationReads(db, state.get(), conversation)));
        });
  }

  private <T> List<T> list(Scope.OfConversation conversation, Reading<List<T>> reading) {
    return read(conversation, reading).orElse(List.of());
  }

  private static int page(int limit) {
    return Math.clamp(limit, 1, MAX_PAGE);
  }
}
