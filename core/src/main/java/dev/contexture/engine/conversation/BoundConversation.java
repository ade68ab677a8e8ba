package dev.contexture.engine.conversation;

import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.render.RenderOptions;
import dev.contexture.render.Renderer;
import dev.contexture.request.Providers;
import dev.contexture.store.Commit;
import dev.contexture.store.EpochRow;
import dev.contexture.store.Precondition;
import dev.contexture.store.Reason;
import dev.contexture.store.Row;
import dev.contexture.store.StoredTurn;
import dev.contexture.store.TurnRow;
import dev.contexture.store.WriteSet;
import dev.contexture.timeline.Timeline;
import dev.contexture.timeline.TimelineEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.apiguardian.api.API;

/**
 * A conversation as those who put requests together need it: it is rendered, and what belongs to
 * its requests is kept with it. Thread-safe.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class BoundConversation {
  /** Where a block, and a turn, name memory blocks to show (M-92). */
  static final String BLOCK_REFS = "block_refs";

  private static final int MAX_REFERENCES = 1_000;
  private static final int MAX_INCOMPLETE = 100;

  private final Session session;
  private final Function<RenderOptions, RenderResult> rendering;

  BoundConversation(Session session, Function<RenderOptions, RenderResult> rendering) {
    this.session = session;
    this.rendering = rendering;
  }

  public Scope.OfConversation scope() {
    return session.scope();
  }

  public Instant now() {
    return session.services().now();
  }

  public Timeline timeline() {
    return session.locked(() -> session.current().timeline());
  }

  public RenderResult render(RenderOptions options) {
    return rendering.apply(options);
  }

  /**
   * Turns that are left out because they did not come to an end, from a block on; without those
   * that lie in an archived range.
   */
  public List<StoredTurn> incompleteTurns(long fromSeq) {
    Timeline timeline = timeline();
    return session
        .services()
        .store()
        .excludedTurns(session.scope(), fromSeq, MAX_INCOMPLETE)
        .stream()
        .filter(
            turn -> timeline.archived().stream().noneMatch(range -> range.contains(turn.lastSeq())))
        .toList();
  }

  /** How many messages a render without compaction would send, its summary not counted. */
  public int messages(RenderOptions options) {
    return session.locked(
        () -> Renderer.messages(session.renderer().view(session.current().timeline(), options)));
  }

  /**
   * Memory blocks that the active turn refers to: those recorded with it, then more, then those
   * that its blocks name; none without an active turn but those given.
   */
  public List<String> references(List<String> more) {
    return session.locked(
        () -> {
          Set<String> all = new LinkedHashSet<>();
          Optional<TurnId> active = session.current().timeline().activeTurn();
          active.ifPresent(turn -> all.addAll(recorded(turn)));
          all.addAll(more);
          active.ifPresent(turn -> all.addAll(named(turn)));
          if (all.size() > MAX_REFERENCES) {
            throw ContextureException.limit(
                ErrorCode.LIMIT_EXCEEDED,
                "blocks referred to",
                MAX_REFERENCES,
                all.size(),
                "references");
          }
          return List.copyOf(all);
        });
  }

  private List<String> recorded(TurnId turn) {
    return session
        .services()
        .store()
        .turn(session.scope(), turn)
        .map(StoredTurn::row)
        .map(row -> strings(row.meta()))
        .orElse(List.of());
  }

  private List<String> named(TurnId turn) {
    List<TimelineEntry> entries = session.current().timeline().entries();
    int first = entries.size();
    while (first > 0 && entries.get(first - 1).turn().equals(turn)) {
      first--;
    }
    List<String> named = new ArrayList<>();
    for (TimelineEntry entry : entries.subList(first, entries.size())) {
      named.addAll(strings(entry.block().meta()));
    }
    return named;
  }

  private static List<String> strings(JsonObject meta) {
    return meta.array(BLOCK_REFS).stream()
        .flatMap(array -> array.items().stream())
        .filter(JsonString.class::isInstance)
        .map(item -> ((JsonString) item).value())
        .toList();
  }

  /** The turn that is open. */
  public Optional<TurnId> activeTurn() {
    return session.locked(() -> session.current().timeline().activeTurn());
  }

  /** Records with a turn what it refers to, if it is still the active one and this is new. */
  public void keepReferences(TurnId turn, List<String> all) {
    if (!all.isEmpty()) {
      session.locked(() -> session.untilDone(() -> tryKeepReferences(turn, all)));
    }
  }

  private Optional<Boolean> tryKeepReferences(TurnId active, List<String> references) {
    long version = session.current().version(); // before the row is read
    if (!session.current().timeline().activeTurn().equals(Optional.of(active))) {
      return Optional.of(false);
    }
    Set<String> all = new LinkedHashSet<>(recorded(active));
    if (!all.addAll(references)) {
      return Optional.of(false);
    }
    TurnRow row = session.services().store().turn(session.scope(), active).orElseThrow().row();
    WriteSet set =
        WriteSet.of(session.scope(), now())
            .expect(new Precondition.VersionIs(version))
            .add(
                new Row.PutTurn(
                    row.withMeta(
                        row.meta().with(BLOCK_REFS, JsonArray.ofStrings(List.copyOf(all))))))
            .note(
                JsonObject.builder()
                    .put("type", "turn")
                    .put("turn_id", active.value())
                    .put("operation", "block_refs")
                    .build())
            .build();
    return committed(session.commit(set, before -> before));
  }

  /** How long the caches live that the agent's last request to a model asked for. */
  public Optional<Duration> cacheLife(Providers.Target target, String agent) {
    return session.locked(() -> session.ledger().cacheLife(target, agent));
  }

  /** What the prompts of an agent repeat here. */
  public Optional<EpochRow> epoch(String agent) {
    return session.services().store().epoch(session.scope(), agent);
  }

  /**
   * Begins an epoch and says why.
   *
   * @return false if another build has begun it meanwhile, or a block that it shows was erased
   */
  public boolean beginEpoch(EpochRow epoch, String cause) {
    JsonObject note =
        JsonObject.builder()
            .put("type", "epoch")
            .put("agent", epoch.agent())
            .put("number", epoch.number())
            .put("cause", cause)
            .build();
    return session.locked(
        () ->
            session.untilDone(
                () -> {
                  long version = session.current().version(); // before the epoch is read
                  return epoch(epoch.agent()).filter(e -> e.number() >= epoch.number()).isPresent()
                      ? Optional.of(false)
                      : begin(version, epoch, note);
                }));
  }

  private Optional<Boolean> begin(long version, EpochRow epoch, JsonObject note) {
    Commit commit = putEpochs(version, List.of(epoch), note);
    boolean erased =
        commit instanceof Commit.Conflict conflict
            && conflict.reason() instanceof Reason.MemoryErased;
    return erased ? Optional.of(false) : committed(commit);
  }

  private Commit putEpochs(long version, List<EpochRow> epochs, JsonObject note) {
    WriteSet.Builder set =
        WriteSet.of(session.scope(), now()).expect(new Precondition.VersionIs(version)).note(note);
    epochs.forEach(epoch -> set.add(new Row.PutEpoch(epoch)));
    return session.commit(set.build(), before -> before);
  }

  /** Says that the epoch of an agent was used. */
  public void touchEpoch(String agent) {
    Instant now = now();
    WriteSet set = WriteSet.of(session.scope(), now).add(new Row.TouchEpoch(agent, now)).build();
    session.locked(() -> session.commit(set, before -> before));
  }

  /**
   * Ends epochs, so that the next request of each agent begins one.
   *
   * @param reason the cause that it will name
   * @return whose epochs were ended
   */
  List<String> endEpochs(Function<EpochRow, Boolean> which, String reason) {
    return session.locked(
        () ->
            session.untilDone(
                () -> {
                  long version = session.current().version(); // before epochs are read
                  List<EpochRow> ended = new ArrayList<>();
                  for (EpochRow epoch : session.services().store().epochs(session.scope())) {
                    if (which.apply(epoch)) {
                      ended.add(ended(epoch, reason));
                    }
                  }
                  List<String> agents = ended.stream().map(EpochRow::agent).toList();
                  JsonObject note =
                      JsonObject.builder()
                          .put("type", "epoch")
                          .put("operation", "end")
                          .put("agents", JsonArray.ofStrings(agents))
                          .build();
                  return ended.isEmpty()
                      ? Optional.of(agents)
                      : committed(putEpochs(version, ended, note)).map(done -> agents);
                }));
  }

  private static EpochRow ended(EpochRow epoch, String reason) {
    return new EpochRow(
        epoch.agent(),
        epoch.number(),
        epoch.startedAt(),
        epoch.builtAt(),
        JsonObject.builder().put(ENDED, reason).build(),
        Set.of());
  }

  /** The member of an ended epoch's state that says why. */
  public static final String ENDED = "ended";

  private Optional<Boolean> committed(Commit commit) {
    if (Session.isOvertaken(commit)) {
      return Optional.empty();
    }
    if (commit instanceof Commit.Conflict conflict) {
      throw session.conflict(conflict);
    }
    return Optional.of(true);
  }
}
