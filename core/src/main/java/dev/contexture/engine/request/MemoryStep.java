package dev.contexture.engine.request;

import dev.contexture.block.TurnId;
import dev.contexture.engine.memory.MemoryStore;
import dev.contexture.engine.session.Session;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.memory.permission.Actor;
import dev.contexture.prompt.ActivityRenderer;
import dev.contexture.prompt.Omission;
import dev.contexture.store.StoredTurn;
import dev.contexture.timeline.Timeline;
import dev.contexture.timeline.TimelineEntry;
import dev.contexture.view.TailMemory;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Reads what the agent remembers, as far as this turn shows it, and what happened recently. */
final class MemoryStep implements RequestStep {
  private static final System.Logger LOG = System.getLogger(MemoryStep.class.getName());

  /** Where a block, and a turn, name memory blocks to show. */
  static final String BLOCK_REFS = "block_refs";

  private static final int MAX_REFERENCES = 1_000;

  @Override
  public void run(RequestState state) {
    state.references = state.options.blocks;
    Session session = state.session;
    if (session != null) {
      StepFailures.step("timeline", () -> session.locked(() -> readTimeline(state, session)));
    }
    String agent = state.options.agent;
    if (agent != null) {
      if (state.source.turn() != null && !state.options.dryRun) {
        StepFailures.step("memory", () -> prepared(state, agent));
      }
      state.lost = lost(state, agent);
      new PromptMemoryReader(state, agent).read();
      state.activity = activity(state, agent);
    }
  }

  private static boolean prepared(RequestState state, String agent) {
    state.memory.prepare(agent);
    return true;
  }

  private static Timeline readTimeline(RequestState state, Session session) {
    Timeline timeline = session.current().timeline();
    state.activeTurn = timeline.activeTurn().orElse(null);
    state.references = references(state, session, timeline);
    return timeline;
  }

  /**
   * Memory blocks that the active turn refers to: those recorded with it, then more, then those
   * that its blocks name; none without an active turn but those given.
   */
  private static List<String> references(RequestState state, Session session, Timeline timeline) {
    Set<String> all = new LinkedHashSet<>();
    TurnId active = state.activeTurn;
    if (active != null) {
      all.addAll(recorded(session, active));
    }
    all.addAll(state.options.blocks);
    if (active != null) {
      all.addAll(named(timeline, active));
    }
    if (all.size() > MAX_REFERENCES) {
      throw ContextureException.limit(
          ErrorCode.LIMIT_EXCEEDED, "blocks referred to", MAX_REFERENCES, all.size(), "references");
    }
    return List.copyOf(all);
  }

  /** What is recorded with a turn. */
  static List<String> recorded(Session session, TurnId turn) {
    return session
        .services()
        .store()
        .turn(session.scope(), turn)
        .map(StoredTurn::row)
        .map(row -> strings(row.meta()))
        .orElse(List.of());
  }

  private static List<String> named(Timeline timeline, TurnId turn) {
    List<TimelineEntry> entries = timeline.entries();
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

  /**
   * Memory that earlier requests told the agent of, as the conversation repeats it, and that it may
   * not read any more: unshared, deleted or erased.
   */
  private static Set<String> lost(RequestState state, String agent) {
    Session session = state.session;
    if (session == null) {
      return Set.of();
    }
    Timeline timeline = StepFailures.step("timeline", () -> session.timeline());
    Set<String> told = new HashSet<>();
    for (TimelineEntry entry : timeline.entries()) {
      if (TailMemory.isFor(entry.block(), agent)) {
        told.addAll(TailMemory.of(entry.block()));
      }
    }
    MemoryStore seen = state.memory.actingAs(Actor.agent(agent));
    told.removeIf(id -> !id.isEmpty() && seen.describeBlock(id).isPresent());
    return told;
  }

  private static String activity(RequestState state, String agent) {
    ActivityRenderer renderer = state.options.activity;
    int limit = state.options.config.activityEntriesLimit();
    if (renderer == null || limit == 0 || !state.options.adds().activity()) {
      return "";
    }
    try {
      Session session = state.session;
      ActivityRenderer told = session == null ? renderer : renderer.forUser(session.scope().user());
      return told.render(agent, limit).orElse("");
    } catch (RuntimeException failed) {
      LOG.log(System.Logger.Level.WARNING, "recent activity was left out", failed);
      state.dropped.add(
          new Omission(
              "activity",
              "recent_activity",
              Omission.Reason.ACTIVITY_FAILED,
              StepFailures.words(failed)));
      return "";
    }
  }
}
