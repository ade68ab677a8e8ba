package dev.contexture.server.operation;

import dev.contexture.error.ContextureException;
import dev.contexture.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Judges whether a server is well: what is wrong with it, and whether it should get requests. It
 * looks at most once in a second, however often it is asked, and answers also while the store
 * hangs. Thread-safe.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Health {
  private static final long KEPT_NANOS = Duration.ofSeconds(1).toNanos();
  private static final long STUCK_NANOS = Duration.ofSeconds(30).toNanos();
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final Signs signs;
  private final LongSupplier nanos;
  private final Duration patience;
  private final ReentrantLock looking = new ReentrantLock();
  private @Nullable List<Reason> last;
  private long lookedAt;
  private @Nullable FutureTask<Optional<ContextureException>> probe;
  private boolean lags;
  private long lagsSince;
  private long position;

  /**
   * The signs by which health is judged.
   *
   * @param store why writes would fail now
   * @param lag changes that are not indexed
   * @param position changes whenever something is indexed
   * @param parked entries that cannot be indexed
   * @param full whether no more requests are admitted
   * @param damaged whether a caller met damaged data lately
   * @param keysRefused whether the keys of the key file are not taken
   */
  public record Signs(
      Supplier<Optional<ContextureException>> store,
      LongSupplier lag,
      LongSupplier position,
      LongSupplier parked,
      BooleanSupplier full,
      BooleanSupplier damaged,
      BooleanSupplier keysRefused) {}

  /**
   * Something that is wrong.
   *
   * @param code stable, for programs
   * @param detail the same for people, without names of files
   * @param blocks whether requests should go elsewhere
   */
  record Reason(String code, String detail, boolean blocks) {
    JsonObject write() {
      return JsonObject.builder().put("code", code).put("detail", detail).build();
    }
  }

  public Health(Signs signs) {
    this(signs, System::nanoTime, PATIENCE);
  }

  /**
   * @param nanos the clock
   * @param patience how long the store may take to answer
   */
  public Health(Signs signs, LongSupplier nanos, Duration patience) {
    this.signs = signs;
    this.nanos = nanos;
    this.patience = patience;
  }

  /** What is wrong now; nothing, if all is well. */
  List<Reason> reasons() {
    looking.lock();
    try {
      List<Reason> known = last;
      if (known == null || nanos.getAsLong() - lookedAt >= KEPT_NANOS) {
        known = look();
        last = known;
        lookedAt = nanos.getAsLong();
      }
      return known;
    } finally {
      looking.unlock();
    }
  }

  private List<Reason> look() {
    List<Reason> found = new ArrayList<>();
    Optional<Reason> store = store();
    store.ifPresent(found::add);
    if (store.isEmpty()) { // the index asks the store, and would fail for the same reason
      index().ifPresent(found::add);
    }
    if (signs.keysRefused().getAsBoolean()) {
      found.add(
          new Reason(
              "key_file_refused",
              "the key file cannot be read, or others may write it: no key of it is taken",
              true));
    }
    long parked = signs.parked().getAsLong();
    if (parked > 0) {
      found.add(
          new Reason(
              "entries_parked",
              "entries that cannot be indexed, and are not found: " + parked,
              false));
    }
    if (signs.full().getAsBoolean()) {
      found.add(
          new Reason(
              "requests_full", "as many requests run as are allowed at the same time", true));
    }
    if (signs.damaged().getAsBoolean()) {
      found.add(new Reason("data_damaged", "stored data could not be read lately", false));
    }
    return List.copyOf(found);
  }

  /** Asks the store on a thread of its own, so that one that hangs holds up nobody twice. */
  private Optional<Reason> store() {
    FutureTask<Optional<ContextureException>> running = probe;
    boolean late = running != null;
    if (running == null) {
      running = new FutureTask<>(signs.store()::get);
      probe = running;
      Thread.ofVirtual().name("store-probe").start(running);
    }
    try {
      Optional<ContextureException> problem =
          running.get(late ? 0 : patience.toNanos(), TimeUnit.NANOSECONDS);
      probe = null;
      return problem.map(
          refused ->
              new Reason(refused.code().wireName(), ErrorMapper.storeWords(refused.code()), true));
    } catch (TimeoutException hangs) {
      return Optional.of(
          new Reason("store_slow", "the store did not answer within " + patience, true));
    } catch (ExecutionException failed) {
      probe = null;
      return Optional.of(new Reason("store_unavailable", "the store cannot be asked", true));
    } catch (InterruptedException early) {
      Thread.currentThread().interrupt();
      return Optional.of(new Reason("store_unavailable", "nobody waited for the store", true));
    }
  }

  private Optional<Reason> index() {
    long now = nanos.getAsLong();
    long lag = signs.lag().getAsLong();
    long at = signs.position().getAsLong();
    boolean lagged = lags;
    lags = lag > 0;
    if (!lags || !lagged || at != position) {
      position = at;
      lagsSince = now;
      return Optional.empty();
    }
    boolean stuck = now - lagsSince >= STUCK_NANOS;
    return stuck
        ? Optional.of(
            new Reason("index_stuck", "no change was indexed for 30 s; waiting: " + lag, true))
        : Optional.empty();
  }
}
