package dev.contexture.engine.request;

import dev.contexture.compaction.CompactionReport;
import dev.contexture.prompt.ContextMetadata;
import dev.contexture.render.Message;
import dev.contexture.request.Providers;
import dev.contexture.timeline.Summary;
import dev.contexture.timeline.TurnLimit;
import dev.contexture.token.Calibration;
import dev.contexture.token.TokenMeter;
import dev.contexture.turn.RenderResult;
import dev.contexture.view.Part;
import dev.contexture.view.StreamItem;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Counts what the request holds and says why it holds that. */
final class CountStep implements RequestStep {
  @Override
  public void run(RequestState state) {
    RenderResult rendered = state.rendered;
    if (rendered != null) {
      state.incomplete = RequestOmissions.incomplete(state.session(), rendered.context().view());
    }
    int tools = (state.tools == null ? 0 : state.tools.size()) + state.nativeTools.size();
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
            new RequestWarnings(state).all(),
            new RequestOmissions(state).dropped(),
            new RequestOmissions(state).truncated());
    if (state.options.target != null && rendered != null) {
      estimate(state);
    }
  }

  private static ContextMetadata.Tokens tokens(
      RequestState state, @Nullable RenderResult rendered) {
    EpochStep.Costs costs = state.costs;
    long summary = rendered == null ? 0 : summaryTokens(rendered);
    long activity = 0;
    for (int i = 0; i < state.tail.size(); i++) {
      activity += state.tail.get(i).startsWith(BoundTail.ACTIVITY) ? state.tailCosts.get(i) : 0;
    }
    return new ContextMetadata.Tokens(
        costs.instructions(),
        costs.core(),
        costs.working(),
        costs.activity() + activity,
        costs.rules(),
        state.toolTokens,
        summary,
        rendered == null ? 0 : rendered.context().report().stableTokens() - summary,
        state.tailCost() - activity,
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

  /** What happened while this request was built, whichever of its renders did it. */
  private static ContextMetadata.Compression compression(
      RequestState state, RenderResult rendered) {
    CompactionReport applied = state.compacted;
    CompactionReport shown = applied == null ? rendered.compaction().report() : applied;
    CompactionReport.Archiving facts = shown.facts();
    boolean due = shown.status() != CompactionReport.Status.NOT_NEEDED;
    List<String> archived = new ArrayList<>();
    state.archived.forEach(turn -> archived.add(turn.id()));
    return new ContextMetadata.Compression(
        facts == null ? state.strategy().wireName() : facts.strategy(),
        applied != null,
        state.messagesBefore,
        HistoryStep.messages(rendered),
        state.tokensBefore < 0 ? shown.tokensBefore() : state.tokensBefore,
        shown.tokensAfter(),
        archived,
        rendered.context().view().window().summary().map(Summary::id).orElse(null),
        due ? shown.toJson() : null);
  }

  /** Counts as the calibration wants them: text without the catalogue's ratio, media apart. */
  static void estimate(RequestState state) {
    Providers.Target target = state.target();
    state.mediaTokens = 0;
    for (Message message : state.context().messages()) {
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
