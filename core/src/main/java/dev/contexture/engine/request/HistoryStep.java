package dev.contexture.engine.request;

import dev.contexture.compaction.CompactionOutcome;
import dev.contexture.compaction.CompactionReport;
import dev.contexture.compaction.CompressionStrategy;
import dev.contexture.compaction.ExtractiveSummarizer;
import dev.contexture.compaction.HistoryLimits;
import dev.contexture.compaction.summary.TurnHead;
import dev.contexture.engine.session.Session;
import dev.contexture.engine.turn.ConversationRenderer;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.model.ModelFlag;
import dev.contexture.prompt.Omission;
import dev.contexture.render.RenderOptions;
import dev.contexture.render.Renderer;
import dev.contexture.request.Providers;
import dev.contexture.timeline.Timeline;
import dev.contexture.timeline.TimelineEntry;
import dev.contexture.turn.RenderResult;
import dev.contexture.view.Dialect;
import dev.contexture.view.Emitter;
import dev.contexture.view.Reader;
import dev.contexture.view.View;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Renders the conversation within the room that the rest of the request leaves. Which turns are
 * sent is decided by the configured strategy, through the one mechanism of the timeline: {@link
 * RenderOptions#withStrategy} is the seam. If the conversation had to be compacted, or the whole
 * does not fit, the next epoch begins and it is rendered again.
 */
final class HistoryStep implements RequestStep {
  private static final int MAX_FORCED = 3;
  private static final int MAX_PROBES = 6;
  private static final int MAX_FITS = 3;

  @Override
  public void run(RequestState state) {
    try {
      fit(state);
      if (state.compacted != null && EpochStep.continues(state)) {
        EpochStep.beginNext(state, "compaction");
        run(state);
      }
    } catch (ContextureException tooSmall) {
      if (tooSmall.code() != ErrorCode.BUDGET_TOO_SMALL || !isShorter(state)) {
        throw tooSmall;
      }
      run(state);
    }
  }

  /** Leaves out what need not be there; whether there was something. */
  private static boolean isShorter(RequestState state) {
    if (!state.activity.isEmpty()) {
      EpochStep.leaveOutActivity(state);
      return true;
    }
    boolean goesOn = EpochStep.continues(state);
    if (goesOn) {
      EpochStep.beginNext(state, "does_not_fit");
    }
    return goesOn;
  }

  /**
   * Renders beside what stands at the end. A compaction may take away what the conversation said of
   * that, so that more of it has to be said, and less room is left.
   */
  private static void fit(RequestState state) {
    ConversationRenderer renderer = state.source.renderer();
    if (renderer == null) {
      state.say(tail(state, null));
      checkRoom(state, null);
      return;
    }
    RenderOptions options = options(state).withViewTokens(state.limits.maxTokens());
    state.say(tail(state, renderer.view(options)));
    for (int i = 0; i < MAX_FITS; i++) {
      long assumed = state.tailCost();
      fit(state, renderer);
      state.say(tail(state, state.context().view()));
      if (state.tailCost() <= assumed) {
        return;
      }
    }
    checkRoom(state, renderer);
  }

  /** What stands behind the conversation, never repeated, and is not said yet. */
  private static List<String> tail(RequestState state, @Nullable View view) {
    if (state.epoch == null || isPaused(state)) {
      return List.of();
    }
    List<String> texts =
        Stream.of(state.activity, state.update.text()).filter(text -> !text.isBlank()).toList();
    return view == null ? texts : BoundTail.of(view).left(texts);
  }

  /** Whether the model goes on with what it has said, so that nothing may stand behind that. */
  private static boolean isPaused(RequestState state) {
    if (state.source.session() == null) {
      return false;
    }
    List<TimelineEntry> entries = state.session().timeline().entries();
    return !entries.isEmpty() && entries.getLast().isPaused();
  }

  private static long before(RequestState state) {
    return state.costs.parts() + state.toolTokens;
  }

  private static long checkRoom(RequestState state, @Nullable ConversationRenderer renderer) {
    long available = available(state);
    long room = available - before(state) - state.tailCost();
    state.historyBudget = Math.min(state.limits.historyTokens(), room);
    long used = state.rendered == null ? 0 : tokens(state.rendered);
    if (room < used) {
      long first = Math.max(1, used);
      throw tooSmall(state, available, used, leastHistory(state, renderer, before(state), first));
    }
    return room;
  }

  private static void fit(RequestState state, ConversationRenderer renderer) {
    state.rendered = null;
    long before = before(state);
    long room = checkRoom(state, renderer);
    long available = available(state);
    long prompt = promptTokens(state, before, room);
    if (prompt > room) {
      long least = Math.max(prompt, leastHistory(state, renderer, before, prompt));
      throw tooSmall(state, available, prompt, least);
    }
    RenderResult rendered =
        StepFailures.step("timeline", () -> render(state, renderer, before, room));
    long used = tokens(rendered);
    if (used > room) {
      state.compacted = null; // it was not stored
      throw tooSmall(state, available, used, leastHistory(state, renderer, before, used));
    }
    state.rendered = rendered;
    state.shortened = true; // a second round of this step must not do it again
    CompactionReport.Archiving facts = rendered.compaction().report().facts();
    if (facts != null) {
      facts
          .archived()
          .forEach(
              turn ->
                  state.archived.add(
                      new Omission(
                          "turn", turn.value(), Omission.Reason.ARCHIVED, "by this request")));
    }
  }

  /** What the request of the open turn needs: it is never summarised away for want of room. */
  private static long promptTokens(RequestState state, long before, long room) {
    RenderOptions options = options(state, before, room, state.limits.maxTokens());
    Session session = state.session();
    return session.locked(
        () -> {
          Timeline timeline = session.current().timeline().forView(options.viewTokens());
          Emitter emitter = session.renderer().emitter(options);
          return timeline
              .activeTurn()
              .map(turn -> TurnHead.of(timeline, emitter, turn).promptCost())
              .orElse(0L);
        });
  }

  /** What a request may have: by its limits, and by what the model surely takes. */
  static long available(RequestState state) {
    long reserved = state.limits.reservedResponseTokens();
    long available = state.limits.maxTokens() - reserved;
    if (state.profile == null || state.profile.unknownModel()) {
      return available;
    }
    long window = state.profile.contextWindow() - reserved;
    long input = Math.min(window, state.profile.maxInput().orElse(Integer.MAX_VALUE));
    double mostPerToken = 1 + state.profile.tokenizer().priorError().doubleValue();
    return Math.min(available, (long) Math.floor(input / mostPerToken));
  }

  private static RenderResult render(
      RequestState state, ConversationRenderer renderer, long before, long room) {
    int cap = state.options.config.maxMessagesCap();
    RenderOptions options = options(state, before, room, state.limits.maxTokens());
    if (state.messagesBefore < 0) {
      state.messagesBefore = Renderer.messages(renderer.view(options));
    }
    boolean force = !state.shortened && (state.options.forceCompaction || state.windowWasFull);
    RenderResult rendered =
        note(state, renderer.render(options.withForceSanitize(force), state.touches));
    while (cuts(state) && messages(rendered) > cap && state.forcedRenders < MAX_FORCED) {
      state.forcedRenders++;
      rendered = note(state, renderer.render(options.withForceSanitize(true), state.touches));
    }
    return rendered;
  }

  /**
   * What the conversation is rendered with.
   *
   * @param before what stands before it
   * @param room what it may have at most
   * @param maxTokens what the whole request may have
   */
  private static RenderOptions options(RequestState state, long before, long room, long maxTokens) {
    long budget = Math.min(state.limits.historyTokens(), room);
    int cap = state.options.config.maxMessagesCap();
    return options(state)
        .withStrategy(state.strategy())
        .withSystemTokens(before)
        .withMaxTokens(Math.max(1, before + budget))
        .withViewTokens(maxTokens)
        .withStoredUpTo(before + room)
        .withHistory(new HistoryLimits(Math.max(1, budget), Math.max(1, room), cap));
  }

  /**
   * The least room that the conversation can be brought into: tried, without storing anything, with
   * as much as the try before needed.
   *
   * @param first where to begin
   */
  private static long leastHistory(
      RequestState state, @Nullable ConversationRenderer renderer, long before, long first) {
    if (renderer == null) {
      return 0;
    }
    long room = first;
    for (int i = 0; i < MAX_PROBES; i++) {
      long maxTokens = state.limits.reservedResponseTokens() + before + state.tailCost() + room;
      RenderOptions options =
          options(state, before, room, maxTokens)
              .withReadOnly(true)
              .withSummarizer(new ExtractiveSummarizer());
      long needed = tokens(renderer.render(options, new ArrayList<>()));
      if (needed <= room) {
        return room;
      }
      room = needed;
    }
    return room;
  }

  static RenderOptions options(RequestState state) {
    RequestOptions asked = state.options;
    RenderOptions options =
        RenderOptions.defaults()
            .withDialect(Dialect.NATIVE)
            .withMeter(state.meter)
            .withSources(asked.includeSources && !isPaused(state))
            .withAnnounce(asked.includeAnnounce && !isPaused(state))
            .withSummarizer(asked.summarizer)
            .withHooks(asked.hooks)
            .withPaths(ReadablePaths.offeredBy(state.tools))
            .withAdds(asked.adds())
            .withReadOnly(asked.dryRun);
    Providers.Target target = asked.target;
    if (target == null) {
      return options;
    }
    boolean sees = target.profile().has(ModelFlag.IMAGES);
    return options.withReader(
        new Reader(target.model(), target.profile().reads(), !sees)
            .askedBy(asked.agent)
            .carriedBy(asked.carrier)
            .without(state.lost));
  }

  /** How many messages were rendered, the summary not counted. */
  static int messages(RenderResult rendered) {
    return Renderer.messages(rendered.context().view());
  }

  static long tokens(RenderResult rendered) {
    return rendered.context().report().stableTokens() + rendered.context().report().tailTokens();
  }

  /** Whether the strategy makes room by a summary at a cut. */
  static boolean cuts(RequestState state) {
    return state.strategy() instanceof CompressionStrategy.Compaction;
  }

  private static RenderResult note(RequestState state, RenderResult rendered) {
    CompactionOutcome outcome = rendered.compaction();
    if (outcome.summary().isPresent() || !outcome.archived().isEmpty()) {
      state.compacted = outcome.report();
      if (state.tokensBefore < 0) {
        state.tokensBefore = outcome.report().tokensBefore();
      }
    }
    CompactionReport.Archiving facts = outcome.report().facts();
    Stream.concat(
            facts == null ? Stream.of() : facts.warnings().stream(),
            outcome.report().warnings().stream())
        .filter(warning -> !state.historyWarnings.contains(warning))
        .forEach(state.historyWarnings::add);
    return rendered;
  }

  /** Names the parts that need the room, so that one can see which to shorten. */
  private static ContextureException tooSmall(
      RequestState state, long available, long history, long leastHistory) {
    long parts = state.costs.parts();
    long update = state.tailCost();
    long all = parts + state.toolTokens + update + history;
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("field", "request");
    details.put("limit", available);
    details.put("actual", all);
    details.put("instructions_and_memory", parts);
    details.put("tools", state.toolTokens);
    details.put("memory_update", update);
    details.put("history", history);
    long least = all - history + leastHistory + state.limits.reservedResponseTokens();
    boolean helps = least > state.limits.maxTokens();
    if (helps) {
      details.put("least_max_tokens", least);
    }
    String message =
        String.format(
            Locale.ROOT,
            "request has %d tokens; allowed: at most %d. Instructions and memory need %d, tools %d,"
                + " changes of memory %d, the conversation %s; shorten one of them, or %s",
            all,
            available,
            parts,
            state.toolTokens,
            update,
            history == 0 ? "comes on top" : Long.toString(history),
            helps ? "raise max_tokens to at least " + least : "take a model with a larger window");
    return new ContextureException(ErrorCode.BUDGET_TOO_SMALL, message, details, null);
  }
}
