package dev.contexture.engine.memory.stored;

import dev.contexture.engine.memory.BlockVersion;
import dev.contexture.engine.memory.ConsentWait;
import dev.contexture.engine.memory.PendingConsent;
import dev.contexture.engine.memory.WaitContext;
import dev.contexture.engine.memory.row.MemoryRecords;
import dev.contexture.error.ContextureException;
import dev.contexture.json.JsonObject;
import dev.contexture.memory.permission.Actor;
import dev.contexture.memory.permission.ConsentAnswer;
import dev.contexture.memory.permission.ConsentBroker;
import dev.contexture.memory.permission.ConsentKind;
import dev.contexture.memory.permission.ConsentRequest;
import dev.contexture.store.Commit;
import dev.contexture.store.MemoryRow;
import dev.contexture.store.Precondition;
import dev.contexture.store.Reason;
import dev.contexture.store.WriteSet;
import dev.contexture.store.memory.BlockRow;
import dev.contexture.store.memory.ConsentRow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Asks for approval and takes the answers. Thread-safe; whoever asks holds no lock.
 *
 * <p>How a question is answered: its row makes it visible to every process. The broker is asked on
 * a thread of its own, while the row is looked at again and again; the first answer that gets into
 * the row counts. When it is known, or time is up, the row is dropped. A grant gets into the row
 * only while the block has the version that was shown; when it has another, the question is
 * withdrawn, and the caller has to ask again.
 */
final class Consents {
  private static final int MAX_LISTED = 1_000;
  private static final long POLL_MILLIS = 100;
  private static final int LOOKS_PER_READ = 3; // what this process answers wakes whoever waits

  private final MemoryServices services;
  private final Map<String, CompletableFuture<Boolean>> waiting = new ConcurrentHashMap<>();

  Consents(MemoryServices services) {
    this.services = services;
  }

  /** The time that one write has for all its questions. Confined to one thread. */
  final class Patience {
    private long end;

    /**
     * Waits for an answer.
     *
     * @return who approved, and when; empty if the block was edited since the preview was made
     * @throws ContextureException {@code consent_denied}; {@code limit_exceeded} if too many wait
     */
    Optional<BlockVersion.Grant> ask(ConsentRequest request, String block) {
      Duration most = services.limits().consentWait();
      long now = System.nanoTime();
      if (end == 0) {
        end = now + most.toNanos();
      } else {
        most = Duration.ofNanos(Math.max(1, end - now));
      }
      return Consents.this.ask(request, block, most);
    }
  }

  Patience patience() {
    return new Patience();
  }

  private Optional<BlockVersion.Grant> ask(ConsentRequest request, String block, Duration most) {
    String owner = request.subject().owner();
    boolean brokered = services.broker() != ConsentBroker.DENY;
    if (!brokered && services.ownPartner(owner).isEmpty()) {
      throw request.refused("agent \"" + owner + "\" has no partner who could be asked", null);
    }
    if (most.isZero()) {
      throw request.refused("nobody waits for an answer here", null);
    }
    ConsentWait wait = WaitContext.HOLDER.get();
    wait.begin();
    try {
      return asked(request, block, wait, most);
    } finally {
      wait.end();
    }
  }

  private Optional<BlockVersion.Grant> asked(
      ConsentRequest request, String block, ConsentWait wait, Duration most) {
    Instant now = services.now();
    ConsentRow row =
        new ConsentRow(
            services.ids().next("con_"),
            block,
            MemoryRecords.request(request),
            now,
            now.plus(most),
            null);
    put(row);
    CompletableFuture<Boolean> woken = new CompletableFuture<>();
    waiting.put(row.id(), woken);
    boolean interrupted = false;
    try {
      if (services.broker() != ConsentBroker.DENY) {
        Thread.ofVirtual()
            .name("contexture-consent-broker")
            .start(() -> askBroker(row, request, woken));
      }
      return await(row, request, wait, woken, most);
    } finally {
      waiting.remove(row.id());
      interrupted = Thread.interrupted(); // an entry must not outlive its caller
      drop(row.id());
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void put(ConsentRow row) {
    WriteSet.Builder set =
        WriteSet.of(services.scope(), services.now())
            .expect(new Precondition.ConsentsBelow(services.limits().pendingConsents()));
    for (ConsentRow old : services.rows().consents(services.scope(), MAX_LISTED)) {
      if (!old.expiresAt().isAfter(row.askedAt())) {
        set.add(new MemoryRow.DropConsent(old.id())); // whoever asked is gone
      }
    }
    Commit commit = services.store().commit(set.add(new MemoryRow.AddConsent(row)).build());
    if (commit instanceof Commit.Conflict conflict
        && conflict.reason() instanceof Reason.TooManyConsents many) {
      MemoryRefusals.atMost("pending consents", many.limit(), many.actual() + 1, "requests");
    }
    if (commit instanceof Commit.Conflict conflict) {
      throw new IllegalStateException("a new request conflicts: " + conflict.reason());
    }
  }

  private void drop(String id) {
    services
        .store()
        .commit(
            WriteSet.of(services.scope(), services.now())
                .add(new MemoryRow.DropConsent(id))
                .build());
  }

  private Optional<BlockVersion.Grant> await(
      ConsentRow row,
      ConsentRequest request,
      ConsentWait wait,
      CompletableFuture<Boolean> woken,
      Duration most) {
    long end = System.nanoTime() + most.toNanos();
    for (int look = 0; ; look++) {
      boolean reads = look % LOOKS_PER_READ == 0 || woken.isDone();
      ConsentRow found =
          reads ? services.rows().consent(services.scope(), row.id()).orElse(null) : row;
      if (found == null) {
        throw request.refused("the question was withdrawn", null);
      }
      String over = wait.ended(); // after the answer was read, before it is used
      JsonObject answer = found.answer();
      if (over == null && answer != null) {
        return Optional.of(granted(request, answer));
      }
      if (over == null && reads && hasMoved(row, request.subject().version())) {
        return Optional.empty();
      }
      long left = end - System.nanoTime();
      if (left <= 0 || over != null) {
        throw request.refused(over == null ? "no answer in time" : over, null);
      }
      waitFor(woken, Math.min(left, TimeUnit.MILLISECONDS.toNanos(POLL_MILLIS)), request);
    }
  }

  /** Whether a block was edited since it had a version, or is gone. */
  private boolean hasMoved(ConsentRow row, long version) {
    String block = row.block();
    return block != null
        && services
            .rows()
            .block(services.scope(), block)
            .filter(now -> now.seq() == version)
            .isEmpty();
  }

  private static void waitFor(
      CompletableFuture<Boolean> woken, long nanos, ConsentRequest request) {
    try {
      if (woken.isDone()
          && !woken
              .isCompletedExceptionally()) { // answered or left to the host: only the row tells
        // from here on
        TimeUnit.NANOSECONDS.sleep(nanos);
      } else {
        woken.get(nanos, TimeUnit.NANOSECONDS);
      }
    } catch (TimeoutException later) {
      // look again
    } catch (ExecutionException failed) {
      throw request.refused("the broker failed", failed.getCause());
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw request.refused("interrupted while waiting", stop);
    }
  }

  private void askBroker(ConsentRow row, ConsentRequest request, CompletableFuture<Boolean> woken) {
    try {
      switch (services.broker().request(request)) {
        case ConsentAnswer.Granted granted ->
            answer(row, true, granted.granter(), "granted by the broker");
        case ConsentAnswer.Denied denied -> answer(row, false, Actor.system(), denied.reason());
        case ConsentAnswer.Undecided _unused -> {
          return; // the host may still answer
        }
      }
      woken.complete(true);
    } catch (RuntimeException failed) {
      woken.completeExceptionally(failed);
    }
  }

  private BlockVersion.Grant granted(ConsentRequest request, JsonObject answer) {
    if (!answer.isTrue("granted")) {
      throw request.refused(answer.string("reason").orElse("denied"), null);
    }
    return new BlockVersion.Grant(
        Actor.parse(answer.string("by").orElseThrow()),
        Instant.parse(answer.string("at").orElseThrow()));
  }

  /** Puts an answer into the row; a grant only while the block is as it was shown. */
  private Commit answer(ConsentRow row, boolean granted, Actor by, String reason) {
    Instant now = services.now();
    JsonObject answer =
        JsonObject.builder()
            .put("granted", granted)
            .put("by", by.toString())
            .put("at", now.toString())
            .put("reason", reason)
            .build();
    WriteSet.Builder set = WriteSet.of(services.scope(), now);
    String block = row.block();
    if (granted && block != null) {
      set.expect(new Precondition.SeqIs(block, pending(row).subject().version()));
    }
    return services.store().commit(set.add(new MemoryRow.AnswerConsent(row.id(), answer)).build());
  }

  /**
   * What waits for the host, in the order in which it was asked.
   *
   * @param user for whom it is looked: what is about blocks of others is left out; null: all
   */
  List<PendingConsent> pending(@Nullable String user) {
    Instant now = services.now();
    return services.rows().consents(services.scope(), MAX_LISTED).stream()
        .filter(row -> row.expiresAt().isAfter(now))
        .map(this::pending)
        .filter(asked -> user == null || asked.user() == null || user.equals(asked.user()))
        .toList();
  }

  private PendingConsent pending(ConsentRow row) {
    String block = row.block();
    String user =
        block == null
            ? null
            : services.rows().block(services.scope(), block).map(BlockRow::user).orElse(null);
    return MemoryRecords.pending(row, user);
  }

  /** The host's answer. */
  void answer(Actor actor, String id, boolean granted, @Nullable String reason) {
    ConsentRow row =
        services
            .rows()
            .consent(services.scope(), id)
            .filter(found -> found.answer() == null)
            .orElseThrow(() -> closed(id));
    PendingConsent pending = pending(row);
    String partner = services.partnerOf(pending.subject().owner());
    if (pending.kind() == ConsentKind.PARTNER
        && actor instanceof Actor.Human human
        && !human.id().equals(partner)) {
      throw MemoryRefusals.notFor(
          actor, "answering consent " + id, "human:" + partner + ", the partner");
    }
    String why = reason == null || reason.isBlank() ? "denied by " + actor : reason;
    Commit commit = answer(row, granted, actor, why);
    CompletableFuture<Boolean> woken = waiting.get(id);
    if (woken != null) {
      woken.complete(true);
    }
    if (commit instanceof Commit.Conflict conflict) {
      throw conflict.reason() instanceof Reason.ConsentClosed
          ? closed(id)
          : MemoryRefusals.moved(pending);
    }
  }

  private static ContextureException closed(String id) {
    return MemoryRefusals.argument("consent", id, "the id of a request that waits for an answer");
  }
}
