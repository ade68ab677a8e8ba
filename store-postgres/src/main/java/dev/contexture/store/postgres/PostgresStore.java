package dev.contexture.store.postgres;

import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.error.Cancellation;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.event.Changes;
import dev.contexture.event.WriteTopic;
import dev.contexture.json.JsonObject;
import dev.contexture.store.Commit;
import dev.contexture.store.EraseReport;
import dev.contexture.store.OutboxRow;
import dev.contexture.store.jdbc.Db;
import dev.contexture.store.jdbc.EncodedSet;
import dev.contexture.store.jdbc.EraseJob;
import dev.contexture.store.jdbc.JdbcStore;
import dev.contexture.store.jdbc.Outbox;
import dev.contexture.store.jdbc.SetGroup;
import dev.contexture.store.jdbc.schema.Migrations;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.apiguardian.api.API;

/**
 * A store in a PostgreSQL database. Thread-safe.
 *
 * <p>What a returned call wrote is committed there: how safe that is against the loss of a machine
 * is a setting of the database. Work runs on platform threads of the store, one for each connection
 * there may be, so that whoever calls may be interrupted without breaking a connection.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class PostgresStore extends JdbcStore {
  static final String NO_TENANT = ALL_TENANTS;

  private static final int MAX_WAITING = 10_000;
  private static final Duration IDLE = Duration.ofSeconds(5);

  private final String address;
  private final ConnectionPool pool;
  private final Transactions transactions;
  private final ThreadPoolExecutor threads;
  private final CommitGroups groups;
  private final StoreNodes nodes = new StoreNodes();
  private final WriteNotices notices;
  private final PostgresEraser eraser = new PostgresEraser(this);
  private final AtomicBoolean closed = new AtomicBoolean();

  private PostgresStore(PostgresSettings settings, Db.FaultPoint faults) {
    this.address = settings.address();
    this.pool = new ConnectionPool(settings, faults);
    this.transactions = new Transactions(pool, address);
    this.notices = new WriteNotices(settings);
    this.threads =
        new ThreadPoolExecutor(
            settings.connections(),
            settings.connections(),
            1,
            TimeUnit.MINUTES,
            new LinkedBlockingQueue<>(MAX_WAITING),
            Thread.ofPlatform().name("contexture-postgres-", 1).daemon().factory());
    threads.allowCoreThreadTimeOut(true);
    this.groups = new CommitGroups(transactions, threads);
  }

  /**
   * Opens the store in a database, whose tables are made or brought up to date.
   *
   * @throws ContextureException {@code store_unavailable}, {@code store_foreign}, {@code
   *     store_newer} or {@code store_read_only}; the database is left as it was. {@code
   *     invalid_config} for a role that row-level security does not bind
   */
  public static PostgresStore open(PostgresSettings settings) {
    return open(settings, Db.FaultPoint.NONE, new PostgresSchema(settings.address()));
  }

  static PostgresStore open(
      PostgresSettings settings, Db.FaultPoint faults, PostgresSchema schema) {
    PostgresStore store = new PostgresStore(settings, faults);
    try {
      store.bringUp(schema);
      store.eraser.finishLeftOver();
      return store;
    } catch (RuntimeException failed) {
      store.close();
      throw failed;
    }
  }

  private void bringUp(PostgresSchema schema) {
    boolean unused = read(NO_TENANT, DatabaseRole::of).requireBound();
    if (read(NO_TENANT, schema::found) < schema.newest()) {
      write(NO_TENANT, schema::migrate);
    }
    write(NO_TENANT, DatabaseClock::advance);
    transactions.numbersOf(identity());
  }

  /**
   * The name of this store and of what its numbers mean: an index that was made of a store of
   * another name, or of this one before it was restored from a dump, is of no use.
   */
  public String identity() {
    return read(NO_TENANT, DatabaseClock::name);
  }

  @Override
  protected <T> T read(String tenant, Db.Work<T> reading) {
    return run(Cancellation.carried(() -> transactions.read(tenant, reading)));
  }

  <T> T write(String tenant, Db.Work<T> work) {
    return run(() -> transactions.write(tenant, work));
  }

  @Override
  protected <T> T write(String tenant, Db.Work<T> work, Db.Landed<T> landed) {
    return write(tenant, work); // the database itself knows the outcome of a transaction
  }

  @Override
  protected <T> T erase(String tenant, Db.Work<T> work, Db.Landed<T> landed) {
    T erased = write(tenant, work);
    notices.erased();
    return erased;
  }

  @Override
  protected EraseReport erase(EraseJob.Kind kind, Scope scope, String subject) {
    EraseReport erased = eraser.inSteps(kind, scope, subject);
    notices.erased(WriteTopic.of(scope), WriteTopic.memory(scope));
    return erased;
  }

  @Override
  public boolean eraseConversation(Scope.OfConversation conversation, Instant at) {
    boolean erased = super.eraseConversation(conversation, at);
    tellErased(conversation);
    return erased;
  }

  @Override
  public Commit eraseTurn(
      Scope.OfConversation conversation, TurnId turn, Instant at, JsonObject note) {
    Commit erased = super.eraseTurn(conversation, turn, at, note);
    tellErased(conversation);
    return erased;
  }

  private void tellErased(Scope.OfConversation conversation) {
    notices.erased(WriteTopic.of(conversation), WriteTopic.of(conversation.owner().scope()));
  }

  @Override
  public boolean eraseMemoryBlock(Scope scope, String block, Instant at) {
    boolean erased = super.eraseMemoryBlock(scope, block, at);
    notices.erased(WriteTopic.of(scope), WriteTopic.memory(scope));
    return erased;
  }

  @Override
  protected Commit commit(EncodedSet set) {
    Commit commit = SetGroup.takes(set) ? join(() -> groups.commit(set)) : super.commit(set);
    if (commit instanceof Commit.Committed) {
      notices.wrote(set.set());
    }
    return commit;
  }

  @Override
  public Changes.Subscription whenOthersWrite(WriteTopic topic, Runnable listener) {
    return notices.follow(topic, listener);
  }

  @Override
  public long outboxEnd() {
    return read(NO_TENANT, DatabaseClock::settled);
  }

  private <T> T run(Supplier<T> work) {
    return join(() -> CompletableFuture.supplyAsync(work, threads));
  }

  private <T> T join(Supplier<CompletableFuture<T>> work) {
    try {
      return work.get().join();
    } catch (RejectedExecutionException refused) {
      throw closed.get()
          ? closedStore()
          : new ContextureException(
              ErrorCode.STORE_UNAVAILABLE,
              MAX_WAITING + " calls of the store are waiting; try again later");
    } catch (CompletionException failed) {
      throw failed.getCause() instanceof ContextureException known
          ? new ContextureException(
              known.code(), String.valueOf(known.getMessage()), known.details(), known)
          : failed;
    }
  }

  private static ContextureException closedStore() {
    return new ContextureException(ErrorCode.STORE_UNAVAILABLE, "the store is closed");
  }

  @Override
  public boolean isShared() {
    return true;
  }

  @Override
  public List<OutboxRow> erasures(long afterNumber, int limit) {
    return read(NO_TENANT, db -> Outbox.erasures(db, afterNumber, Math.clamp(limit, 1, MAX_PAGE)));
  }

  @Override
  public void forgotErased(long upToNumber) {
    String numbers =
        write(
            NO_TENANT,
            db -> {
              nodes.alive(db, upToNumber);
              DatabaseClock.advance(db);
              return DatabaseClock.name(db);
            });
    if (transactions.numbersOf(numbers)) {
      System.getLogger(PostgresStore.class.getName())
          .log(
              System.Logger.Level.WARNING,
              address
                  + " was taken over by a replica or restored: if its replication was"
                  + " asynchronous, the last writes may be lost; start every server again");
      notices.tell(WriteTopic.TAKEN_OVER);
    }
  }

  @Override
  public boolean isErasing() {
    return read(NO_TENANT, StoreNodes::isErasing);
  }

  @Override
  public Optional<ContextureException> writeProblem() {
    if (closed.get()) {
      return Optional.of(closedStore());
    }
    if (transactions.problem().isEmpty() && !transactions.isIdle(IDLE)) {
      return Optional.empty();
    }
    try {
      write(NO_TENANT, Migrations::touch);
      return Optional.empty();
    } catch (ContextureException refused) {
      return Optional.of(refused);
    }
  }

  /** The others need not wait for this process; those that cannot be told find out by time. */
  private void leave() {
    try {
      write(NO_TENANT, nodes::leave);
    } catch (ContextureException unreachable) {
      System.getLogger(PostgresStore.class.getName())
          .log(System.Logger.Level.DEBUG, "the database was not told of the end", unreachable);
    }
  }

  @Override
  public int waiting() {
    return threads.getQueue().size();
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      notices.close();
      leave();
      threads.shutdown();
      boolean interrupted = false;
      while (!threads.isTerminated()) {
        try {
          threads.awaitTermination(1, TimeUnit.SECONDS);
        } catch (InterruptedException later) {
          interrupted = true;
        }
      }
      pool.close();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
