package dev.contexture.engine.turn;

import dev.contexture.block.Author;
import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.block.TurnId;
import dev.contexture.compaction.CompactionOutcome;
import dev.contexture.engine.session.Session;
import dev.contexture.json.JsonObject;
import dev.contexture.render.RenderOptions;
import dev.contexture.render.RenderedContext;
import dev.contexture.render.Renderer;
import dev.contexture.store.CacheTouch;
import dev.contexture.store.Commit;
import dev.contexture.store.Head;
import dev.contexture.store.Precondition;
import dev.contexture.store.Row;
import dev.contexture.store.WriteSet;
import dev.contexture.timeline.Timeline;
import dev.contexture.timeline.TimelineEntry;
import dev.contexture.turn.RenderResult;
import dev.contexture.view.PruneSettings;
import dev.contexture.view.TtlPruner;
import dev.contexture.view.View;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Renders a stored conversation: prunes, compacts if that is due, shows. The caller holds no lock.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ConversationRenderer {
  private final Session session;
  private final @Nullable TurnId turn;
  private final PruneSettings pruning;
  private final Set<TurnId> omitted;

  public ConversationRenderer(
      Session session, @Nullable TurnId turn, PruneSettings pruning, Set<TurnId> omitted) {
    this.session = session;
    this.turn = turn;
    this.pruning = pruning;
    this.omitted = omitted;
  }

  public RenderResult render(RenderOptions options) {
    List<Row> touches = new ArrayList<>();
    RenderResult rendered = render(options, touches);
    if (!touches.isEmpty()) {
      WriteSet.Builder set = WriteSet.of(session.scope(), session.services().now());
      touches.forEach(set::add);
      session.locked(() -> session.commit(set.build(), before -> before));
    }
    return rendered;
  }

  /**
   * Renders for a caller who writes more.
   *
   * @param touches gets the row that says when the prompt cache was used, for the caller to write
   */
  public RenderResult render(RenderOptions asked, List<Row> touches) {
    RenderOptions options = asked.withDefaultPolicy(session.services().policy());
    TtlPruner.Outcome pruned =
        session.locked(() -> session.untilDone(() -> Optional.ofNullable(prune(options, touches))));
    CompactionOutcome compacted = new ConversationCompactor(session, options, omitted).compact();
    return session.locked(() -> show(options, pruned, compacted));
  }

  /** The stream as it is now, before anything is compacted. */
  public View view(RenderOptions options) {
    return session.locked(
        () -> session.renderer().view(without(session.current().timeline(), omitted), options));
  }

  private RenderResult show(
      RenderOptions options, TtlPruner.Outcome pruned, CompactionOutcome compacted) {
    Timeline timeline = without(session.current().timeline(), omitted);
    if (options.readOnly()) {
      timeline = timeline.withVisibility(pruned.records());
    }
    if (!options.stores(compacted.report().tokensAfter())) {
      timeline = compacted.applyTo(timeline);
    }
    if (!compacted.leftOut().isEmpty()) {
      Set<TurnId> all = new HashSet<>(omitted);
      all.addAll(compacted.leftOut());
      timeline = timeline.withOmittedTurns(all);
    }
    RenderedContext context = session.renderer().render(timeline, options);
    if (options.stores(context.report().totalTokens())) {
      OptionalLong budget = options.maxTokens();
      long stream =
          budget.isEmpty()
              ? Long.MAX_VALUE
              : Math.max(1, budget.getAsLong() - options.systemTokens());
      session.current().seen().rendered(timeline, options.viewTokens(), stream);
    }
    return new RenderResult(context, compacted, pruned, session.current().version());
  }

  private static Timeline without(Timeline timeline, Set<TurnId> omitted) {
    return omitted.isEmpty() ? timeline : timeline.withOmittedTurns(omitted);
  }

  /**
   * Prunes what an expired cache makes free to change, and touches the cache.
   *
   * @return null if another process wrote in between, so that it has to be planned again
   */
  private TtlPruner.@Nullable Outcome prune(RenderOptions options, List<Row> touches) {
    if (pruning.ttlSeconds() == 0) {
      return new TtlPruner.Outcome(TtlPruner.Status.DISABLED, List.of());
    }
    Instant now = session.services().now();
    Optional<CacheTouch> touch =
        touches.isEmpty()
            ? session.services().store().head(session.scope()).map(Head::touch)
            : Optional.of(((Row.Touch) touches.getLast()).touch());
    boolean first = session.current().firstRender();
    long ttl =
        first
            ? touch.map(CacheTouch::ttlSeconds).orElse(pruning.ttlSeconds())
            : pruning.ttlSeconds();
    Renderer renderer = session.renderer();
    Timeline timeline = without(session.current().timeline(), omitted);
    TtlPruner.Outcome outcome =
        new TtlPruner(renderer.view(timeline, options), renderer.emitter(options), pruning)
            .plan(touch.map(CacheTouch::at).orElse(null), ttl, now);
    if (options.readOnly()) {
      return outcome;
    }
    if (!outcome.records().isEmpty() && !keep(outcome, now)) {
      return null;
    }
    touches.clear();
    touches.add(new Row.Touch(new CacheTouch(now, pruning.ttlSeconds())));
    return outcome;
  }

  /** Stores what was pruned; false if it was planned on something that has changed. */
  private boolean keep(TtlPruner.Outcome outcome, Instant now) {
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
    List<Block> message = turn == null ? List.of() : message(turn, now);
    if (!message.isEmpty()) {
      set.append(BlockAppender.rows(message));
    }
    Commit commit =
        session.commit(
            set.build(), before -> before.append(message).withVisibility(outcome.records()));
    if (commit instanceof Commit.Conflict conflict && !Session.isOvertaken(commit)) {
      throw session.conflict(conflict);
    }
    return commit instanceof Commit.Committed;
  }

  /** Tells the agent once per turn that content was shortened. */
  private List<Block> message(TurnId open, Instant now) {
    BlockPath path = BlockPath.artifact(open, "system.message.cache_pruned");
    for (TimelineEntry entry : session.current().timeline().entries().reversed()) {
      if (!entry.turn().equals(open)) {
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
            .build(open, now));
  }
}
