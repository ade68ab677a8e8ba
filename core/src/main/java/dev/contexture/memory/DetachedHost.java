package dev.contexture.memory;

import dev.contexture.crdt.ReplicaId;
import dev.contexture.error.ContextureException;
import dev.contexture.memory.permission.Actor;
import dev.contexture.memory.permission.ConsentAnswer;
import dev.contexture.memory.permission.ConsentBroker;
import dev.contexture.memory.permission.ConsentRequest;
import dev.contexture.memory.schema.DocumentSettings;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.random.RandomGenerator;
import org.apiguardian.api.API;

/**
 * Keeps one document in memory under the rules of every other: the gate, consent, validation,
 * versions and listeners. All its handles are confined to one thread.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class DetachedHost implements DocumentHost {
  private static final RandomGenerator RANDOM = new SecureRandom();

  private final DocumentSubscriptions subscriptions = new DocumentSubscriptions();
  private final InstantSource clock;
  private final ConsentBroker broker;
  private DocumentSettings settings;
  private DocumentState state;

  /** With the clock of the system; whatever needs consent is denied. */
  public DetachedHost(DocumentSettings settings) {
    this(settings, InstantSource.system(), ConsentBroker.DENY);
  }

  public DetachedHost(DocumentSettings settings, InstantSource clock, ConsentBroker broker) {
    this.settings = settings;
    this.clock = clock;
    this.broker = broker;
    this.state = DocumentState.empty(freshReplica(), settings.limits());
  }

  /** A handle that acts as someone. */
  public StructuredDocument open(Actor actor) {
    return StructuredDocument.open(current(), this, actor);
  }

  /** Lets other rules hold from the next operation on. */
  public void settings(DocumentSettings changed) {
    settings = changed;
  }

  @Override
  public DocumentSettings settings() {
    return settings;
  }

  @Override
  public long publish(PendingCommit commit) {
    ConsentRequest request = commit.requireAllowed(settings);
    DocumentState.Prepared prepared = state.prepare(commit, settings);
    if (request != null) {
      ask(prepared.shownIn(request));
    }
    state = prepared.state();
    boolean merged =
        commit.edits().stream().allMatch(edit -> edit.operation() == MemoryOperation.APPLY_UPDATES);
    subscriptions.publish(
        new DocumentChange(
            state.version(),
            merged ? DocumentChange.Origin.REMOTE : DocumentChange.Origin.LOCAL,
            commit.actor(),
            commit.operation(),
            prepared.changed()));
    return state.version();
  }

  private void ask(ConsentRequest request) {
    ConsentAnswer answer;
    try {
      answer = broker.request(request);
    } catch (RuntimeException failed) {
      throw request.refused("the broker failed", failed);
    }
    switch (answer) {
      case ConsentAnswer.Granted _unused -> {}
      case ConsentAnswer.Denied denied -> throw request.refused(denied.reason(), null);
      case ConsentAnswer.Undecided _unused ->
          throw request.refused("nobody answered the request", null);
    }
  }

  /**
   * The committed state as a copy.
   *
   * @throws ContextureException never for a state that was made here
   */
  @Override
  public DocumentState current() {
    return state.fork(freshReplica());
  }

  @Override
  public DocumentSubscriptions subscriptions() {
    return subscriptions;
  }

  @Override
  public ReplicaId freshReplica() {
    return ReplicaId.of(RANDOM.nextLong());
  }

  @Override
  public Instant now() {
    return clock.instant();
  }
}
