package dev.contexture.engine.request;

import dev.contexture.compaction.CompactionReport;
import dev.contexture.engine.session.Session;
import dev.contexture.model.WireFinding;
import dev.contexture.prompt.ContextMetadata;
import dev.contexture.prompt.Omission;
import dev.contexture.render.Message;
import dev.contexture.request.Providers;
import dev.contexture.store.StoredTurn;
import dev.contexture.timeline.Summary;
import dev.contexture.timeline.Timeline;
import dev.contexture.timeline.TurnLimit;
import dev.contexture.token.Calibration;
import dev.contexture.token.TokenMeter;
import dev.contexture.turn.RenderResult;
import dev.contexture.view.DroppedBlock;
import dev.contexture.view.Part;
import dev.contexture.view.StreamItem;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Counts what the request holds and says why it holds that. */
final class CountStep implements RequestStep {
  private static final int MAX_INCOMPLETE = 100;

  @Override
  public void run(RequestState state) {
    RenderResult rendered = state.rendered;
    int tools = state.tools == null ? 0 : state.tools.size();
    EpochChoice epoch = state.epoch;
    state.metadata =
        new ContextMetadata(
            tokens(state, rendered),
            new ContextMetadata.Limits(state.limits, state.chosen.key(), state.historyBudget),
            rendered == null
                ? new ContextMetadata.Counts(0, 0, tools, 0)
                : new ContextMetadata.Counts(
                    HistoryStep.messages(rendered),
                    turns(rendered),
                    tools,
                    TurnLimit.omittedTurns(rendered.context().view().timeline())),
            rendered == null ? ContextMetadata.Compression.NONE : compression(state, rendered),
            epoch == null
                ? null
                : new ContextMetadata.Epoch(
                    epoch.number(), epoch.cause(), state.update.labels(), state.update.gone()),
            state.shown().labels(),
            warnings(state, rendered),
            dropped(state, rendered),
            joined(state.shown().truncated(), state.update.truncated()));
    Providers.Target target = state.options.target;
    if (target != null && rendered != null) {
      estimate(state, target, rendered);
    }
  }

  private static ContextMetadata.Tokens tokens(
      RequestState state, @Nullable RenderResult rendered) {
    EpochStep.Costs costs = state.costs;
    long summary = rendered == null ? 0 : summaryTokens(rendered);
    return new ContextMetadata.Tokens(
        costs.instructions(),
        costs.core(),
        costs.working(),
        costs.activity(),
        costs.rules(),
        state.toolTokens,
        summary,
        rendered == null ? 0 : rendered.context().report().stableTokens() - summary,
        costs.update(),
        rendered == null ? 0 : rendered.context().report().tailTokens());
  }

  private static long summaryTokens(RenderResult rendered) {
    return rendered.context().view().items().stream()
        .filter(item -> item.summary().isPresent())
        .mapToLong(StreamItem::cost)
        .sum();
  }

  private static int turns(RenderResult rendered) {
    return (int)
        rendered.context().view().items().stream()
            .filter(item -> item.summary().isEmpty() && !item.pinned())
            .map(StreamItem::turn)
            .distinct()
            .count();
  }

  private static ContextMetadata.Compression compression(
      RequestState state, RenderResult rendered) {
    CompactionReport applied = state.compacted;
    CompactionReport shown = applied == null ? rendered.compaction().report() : applied;
    CompactionReport.Archiving facts = shown.facts();
    return new ContextMetadata.Compression(
        facts == null ? state.strategy().wireName() : facts.strategy(),
        applied != null,
        state.messagesBefore,
        HistoryStep.messages(rendered),
        shown.tokensBefore(),
        shown.tokensAfter(),
        facts == null ? List.of() : facts.archived().stream().map(turn -> turn.value()).toList(),
        rendered.context().view().window().summary().map(Summary::id).orElse(null),
        HistoryStep.cuts(state) ? shown.toJson() : null);
  }

  private static List<WireFinding> warnings(RequestState state, @Nullable RenderResult rendered) {
    List<WireFinding> warnings = new ArrayList<>();
    if (state.shown().coreOverBudget()) {
      warnings.add(
          warning(
              "CORE_OVER_BUDGET",
              "core blocks need "
                  + state.costs.core()
                  + " tokens of "
                  + state.limits.memoryTokens()
                  + "; nothing else of memory is shown"));
    }
    if (rendered == null) {
      return warnings;
    }
    state.historyWarnings.forEach(code -> warnings.add(warning(code, "")));
    int cap = state.options.config.maxMessagesCap();
    if (HistoryStep.cuts(state) && HistoryStep.messages(rendered) > cap) {
      warnings.add(warning("MESSAGES_OVER_CAP", ""));
    }
    long unshown =
        rendered.context().view().dropped().stream()
            .filter(dropped -> dropped.reason() == DroppedBlock.Reason.PIN_OVER_SHARE)
            .count();
    if (unshown > 0) {
      warnings.add(
          warning(
              "PINS_OVER_SHARE",
              unshown + " pins are not shown: a quarter of max_tokens is too little for them"));
    }
    long used = HistoryStep.tokens(rendered);
    if (used > state.historyBudget) {
      warnings.add(
          warning(
              "HISTORY_OVER_BUDGET",
              "the conversation needs " + used + " tokens of " + state.historyBudget));
    }
    return warnings;
  }

  private static WireFinding warning(String code, String message) {
    return new WireFinding(code, "", message);
  }

  private static List<Omission> dropped(RequestState state, @Nullable RenderResult rendered) {
    List<Omission> dropped = joined(state.shown().dropped(), state.update.dropped());
    dropped.addAll(state.dropped);
    if (rendered != null) {
      dropped.addAll(incomplete(state.session(), rendered));
      dropped.addAll(state.archived);
    }
    dropped.addAll(state.emptyMessages);
    return dropped;
  }

  private static List<Omission> joined(List<Omission> some, List<Omission> more) {
    List<Omission> all = new ArrayList<>(some);
    all.addAll(more);
    return all;
  }

  /**
   * Turns behind the summary that are not sent because they have no end; without those that lie in
   * an archived range.
   */
  private static List<Omission> incomplete(Session session, RenderResult rendered) {
    long from = rendered.context().view().window().summary().map(Summary::cutSeq).orElse(1L);
    Timeline timeline = session.timeline();
    List<Omission> incomplete = new ArrayList<>();
    for (StoredTurn turn :
        session.services().store().excludedTurns(session.scope(), from, MAX_INCOMPLETE)) {
      if (timeline.archived().stream().noneMatch(range -> range.contains(turn.lastSeq()))) {
        incomplete.add(
            new Omission(
                "turn",
                turn.turn().value(),
                Omission.Reason.INCOMPLETE_TURN,
                "its status is " + turn.row().status().wireName()));
      }
    }
    return incomplete;
  }

  /** Counts as the calibration wants them: text without the catalogue's ratio, media apart. */
  private static void estimate(RequestState state, Providers.Target target, RenderResult rendered) {
    state.mediaTokens = 0;
    for (Message message : rendered.context().messages()) {
      for (Part part : message.parts()) {
        state.mediaTokens += media(state.meter, part);
      }
    }
    double ratio = target.profile().tokenizer().ratio().doubleValue();
    long text = Math.max(0, state.metadata().tokens().total() - state.mediaTokens);
    state.baseTokens = Math.round(text / ratio);
    Calibration known =
        state.session().services().calibrations().of(target.model(), target.profile());
    state.estimate = known.estimate(state.baseTokens, state.mediaTokens);
  }

  private static long media(TokenMeter meter, Part part) {
    return switch (part) {
      case Part.Image image -> meter.image(image.data());
      case Part.Document document -> meter.document(document.data());
      case Part.ToolResult result ->
          result.content().stream().mapToLong(inner -> media(meter, inner)).sum();
      case Part.Text _unused -> 0;
      case Part.ToolCall _unused -> 0;
      case Part.Opaque _unused -> 0;
    };
  }
}
