package dev.contexture.engine.conversation;

import dev.contexture.block.Author;
import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.block.TurnId;
import dev.contexture.json.JsonObject;
import dev.contexture.render.RenderCall;
import dev.contexture.render.RenderOptions;
import dev.contexture.render.RenderedContext;
import dev.contexture.render.Renderer;
import dev.contexture.store.CacheTouch;
import dev.contexture.store.Commit;
import dev.contexture.store.Head;
import dev.contexture.store.Precondition;
import dev.contexture.store.Row;
import dev.contexture.store.WriteSet;
import dev.contexture.timeline.Entry;
import dev.contexture.timeline.Timeline;
import dev.contexture.timeline.TurnLimit;
import dev.contexture.view.PruneSettings;
import dev.contexture.view.TtlPruning;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Renders a stored conversation: prunes, keeps what was pruned, shows. Inside the session's lock.
 */
final class Rendering {
  private final Session session;

  Rendering(Session session) {
    this.session = session;
  }

  /** Renders as a call from outside wants it: in the open turn, if there is one. */
  Rendered render(RenderCall call) {
    Timeline timeline = session.current().timeline();
    TurnId turn = timeline.activeTurn().orElse(null);
    Instant now = session.services().now();
    Set<TurnId> omitted =
        call.turnLimit().equals(TurnLimit.NONE)
            ? Set.of()
            : call.turnLimit().omitted(timeline, now);
    return render(turn, call.options(), call.pruning(), omitted);
  }

  Rendered render(
      @Nullable TurnId turn, RenderOptions options, PruneSettings pruning, Set<TurnId> omitted) {
    TtlPruning.Outcome pruned =
        pruning.ttlSeconds() > 0
            ? prune(turn, options, pruning, omitted)
            : new TtlPruning.Outcome(TtlPruning.Status.DISABLED, List.of());
    Timeline timeline = session.current().timeline();
    RenderedContext context = session.renderer().render(without(timeline, omitted), options);
    return new Rendered(context, pruned, session.current().version());
  }

  private static Timeline without(Timeline timeline, Set<TurnId> omitted) {
    return omitted.isEmpty() ? timeline : timeline.withOmittedTurns(omitted);
  }

  /** Prunes what an expired cache makes free to change, and touches the cache (T-51, T-52). */
  private TtlPruning.Outcome prune(
      @Nullable TurnId turn, RenderOptions options, PruneSettings pruning, Set<TurnId> omitted) {
    Instant now = session.services().now();
    Optional<CacheTouch> touch = session.services().store().head(session.scope()).map(Head::touch);
    boolean first = session.current().firstRender();
    long ttl =
        first
            ? touch.map(CacheTouch::ttlSeconds).orElse(pruning.ttlSeconds())
            : pruning.ttlSeconds();
    Renderer renderer = session.renderer();
    Timeline timeline = without(session.current().timeline(), omitted);
    TtlPruning.Outcome outcome =
        new TtlPruning(renderer.view(timeline, options), renderer.emitter(options), pruning)
            .plan(touch.map(CacheTouch::at).orElse(null), ttl, now);
    if (!outcome.records().isEmpty()) {
      keep(outcome, turn, pruning, now);
    }
    WriteSet touched =
        WriteSet.of(session.scope(), now)
            .add(new Row.Touch(new CacheTouch(now, pruning.ttlSeconds())))
            .build();
    session.commit(touched, before -> before);
    return outcome;
  }

  private void keep(
      TtlPruning.Outcome outcome, @Nullable TurnId turn, PruneSettings pruning, Instant now) {
    WriteSet.Builder set =
        WriteSet.of(session.scope(), now)
            .expect(new Precondition.VersionIs(session.current().version()))
            .add(new Row.PutVisibility(outcome.records()))
            .note(
                JsonObject.builder()
                    .put("type", "visibility")
                    .put("operation", "ttl")
                    .put("blocks", outcome.records().size())
                    .build());
    List<Block> message = turn == null ? List.of() : message(turn, pruning, now);
    if (!message.isEmpty()) {
      set.append(Contributing.rows(message));
    }
    Commit commit =
        session.commit(
            set.build(), before -> before.append(message).withVisibility(outcome.records()));
    if (commit instanceof Commit.Conflict conflict) {
      throw session.conflict(conflict);
    }
  }

  /** Tells the agent once per turn that content was shortened (T-56). */
  private List<Block> message(TurnId turn, PruneSettings pruning, Instant now) {
    BlockPath path = BlockPath.artifact(turn, "system.message.cache_pruned");
    for (Entry entry : session.current().timeline().entries().reversed()) {
      if (!entry.turn().equals(turn)) {
        break;
      }
      if (entry.block().path().filter(path::equals).isPresent()) {
        return List.of();
      }
    }
    return List.of(
        Block.builder(BlockType.SYSTEM_MESSAGE)
            .author(Author.SYSTEM)
            .path(path)
            .text(
                "Older content was shortened because the prompt cache had expired (TTL "
                    + pruning.ttlSeconds()
                    + " s). Paths can be read again with react.read.")
            .build(turn, now));
  }
}
