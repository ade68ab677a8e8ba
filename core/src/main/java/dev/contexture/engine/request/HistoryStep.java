package dev.contexture.engine.request;

import dev.contexture.compaction.CompactionOutcome;
import dev.contexture.compaction.CompactionReport;
import dev.contexture.compaction.CompressionStrategy;
import dev.contexture.compaction.HistoryLimits;
import dev.contexture.engine.session.Session;
import dev.contexture.engine.turn.ConversationRenderer;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.model.ModelFlag;
import dev.contexture.prompt.Omission;
import dev.contexture.render.RenderOptions;
import dev.contexture.render.Renderer;
import dev.contexture.request.Providers;
import dev.contexture.turn.RenderResult;
import dev.contexture.view.Dialect;
import dev.contexture.view.Reader;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Renders the conversation within the room that the rest of the request leaves. Which turns are
 * sent is decided by the configured strategy, through the one mechanism of the timeline: {@link
 * RenderOptions#withStrategy} is the seam. If the conversation had to be compacted, or the whole
 * does not fit, the next epoch begins and it is rendered again.
 */
final class HistoryStep implements RequestStep {
  private static final int MAX_FORCED = 3;

  @Override
  public void run(RequestState state) {
    try {
      fit(state);
      if (state.compacted != null && EpochStep.continues(state)) {
        EpochStep.beginNext(state, "compaction");
        run(state);
      }
    } catch (ContextureException tooSmall) {
      if (tooSmall.code() != ErrorCode.BUDGET_TOO_SMALL || !EpochStep.continues(state)) {
        throw tooSmall;
      }
      EpochStep.beginNext(state, "does_not_fit");
      run(state);
    }
  }

  private static void fit(RequestState state) {
    long before = state.costs.parts() + state.toolTokens;
    long available = available(state);
    long room = available - before - state.costs.update();
    state.historyBudget = Math.min(state.limits.historyTokens(), room);
    if (room < 0) {
      throw tooSmall(state, available, 0);
    }
    ConversationRenderer renderer = state.source.renderer();
    if (renderer == null) {
      return;
    }
    RenderResult rendered =
        StepFailures.step("timeline", () -> render(state, renderer, before, room));
    state.rendered = rendered;
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
    long used = tokens(rendered);
    if (used > room) {
      throw tooSmall(state, available, used);
    }
  }

  /** What a request may have: by its limits, and by what the model surely takes. */
  private static long available(RequestState state) {
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
    long budget = state.historyBudget;
    RenderOptions options =
        options(state)
            .withStrategy(state.strategy())
            .withSystemTokens(before)
            .withMaxTokens(Math.max(1, before + budget))
            .withHistory(new HistoryLimits(Math.max(1, budget), Math.max(1, room), cap));
    if (state.messagesBefore < 0) {
      state.messagesBefore = messages(state.session(), options);
    }
    RenderResult rendered = note(state, renderer.render(options, state.touches));
    while (cuts(state) && messages(rendered) > cap && state.forcedRenders < MAX_FORCED) {
      state.forcedRenders++;
      rendered = note(state, renderer.render(options.withForceSanitize(true), state.touches));
    }
    return rendered;
  }

  private static RenderOptions options(RequestState state) {
    RequestOptions asked = state.options;
    RenderOptions options =
        RenderOptions.defaults()
            .withDialect(Dialect.NATIVE)
            .withMeter(state.meter)
            .withSources(asked.includeSources)
            .withAnnounce(asked.includeAnnounce)
            .withSummarizer(asked.summarizer)
            .withReadOnly(asked.dryRun);
    Providers.Target target = asked.target;
    if (target == null) {
      return options;
    }
    boolean sees = target.profile().has(ModelFlag.IMAGES);
    return options.withReader(
        new Reader(target.model(), target.profile().reads(), !sees)
            .askedBy(asked.agent)
            .without(state.lost));
  }

  /** How many messages a render without compaction would send, its summary not counted. */
  private static int messages(Session session, RenderOptions options) {
    return session.locked(
        () -> Renderer.messages(session.renderer().view(session.current().timeline(), options)));
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
    }
    CompactionReport.Archiving facts = outcome.report().facts();
    if (facts != null) {
      facts.warnings().stream()
          .map(warning -> warning.toUpperCase(Locale.ROOT))
          .filter(warning -> !state.historyWarnings.contains(warning))
          .forEach(state.historyWarnings::add);
    }
    return rendered;
  }

  /** Names the parts that need the room, so that one can see which to shorten. */
  private static ContextureException tooSmall(RequestState state, long available, long history) {
    long parts = state.costs.parts();
    long update = state.costs.update();
    long all = parts + state.toolTokens + update + history;
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("field", "request");
    details.put("limit", available);
    details.put("actual", all);
    details.put("instructions_and_memory", parts);
    details.put("tools", state.toolTokens);
    details.put("memory_update", update);
    details.put("history", history);
    String message =
        String.format(
            Locale.ROOT,
            "request has %d tokens; allowed: at most %d. Instructions and memory need %d, tools %d,"
                + " changes of memory %d, the conversation %s; shorten one of them, or raise"
                + " max_tokens",
            all,
            available,
            parts,
            state.toolTokens,
            update,
            history == 0 ? "comes on top" : Long.toString(history));
    return new ContextureException(ErrorCode.BUDGET_TOO_SMALL, message, details, null);
  }
}
