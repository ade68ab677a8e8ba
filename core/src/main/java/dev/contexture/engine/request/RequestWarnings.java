package dev.contexture.engine.request;

import dev.contexture.block.CallId;
import dev.contexture.compaction.CompressionStrategy;
import dev.contexture.compaction.summary.Summarizer;
import dev.contexture.engine.session.Session;
import dev.contexture.model.ModelProfile;
import dev.contexture.model.WireFinding;
import dev.contexture.prompt.ModelContextLimits;
import dev.contexture.prompt.Omission;
import dev.contexture.timeline.TurnStatus;
import dev.contexture.turn.RenderResult;
import dev.contexture.view.DroppedBlock;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Collects warnings about a request, beside the list of what it leaves out. Used once. */
final class RequestWarnings {
  private final RequestState state;
  private final List<WireFinding> all = new ArrayList<>();

  RequestWarnings(RequestState state) {
    this.state = state;
  }

  List<WireFinding> all() {
    memory();
    window();
    if (!state.cancelled.isEmpty()) {
      warn(
          "calls_cancelled",
          "these calls had no result and were answered as cancelled: "
              + state.cancelled.stream().map(CallId::value).collect(Collectors.joining(", ")));
    }
    if (state.rendered != null) {
      history(state.rendered);
      summarizer(state.session());
      crashed();
    }
    return all;
  }

  private void warn(String code, String message) {
    all.add(new WireFinding(code, "", message));
  }

  private void memory() {
    if (state.shown().coreOverBudget()) {
      warn(
          "core_over_budget",
          "core blocks need "
              + state.costs.core()
              + " tokens of "
              + state.limits.memoryTokens()
              + "; nothing else of memory is shown");
      return;
    }
    String unshown =
        RequestOmissions.memory(state).stream()
            .filter(block -> block.reason() == Omission.Reason.OVER_MEMORY_BUDGET)
            .map(Omission::id)
            .distinct()
            .collect(Collectors.joining(", "));
    if (!unshown.isEmpty()) {
      warn(
          "memory_over_budget",
          "memory_tokens is "
              + state.limits.memoryTokens()
              + ", too little for these blocks, which are not shown: "
              + unshown);
    }
  }

  /** A limit that somebody set, and that the model's window does not hold. */
  private void window() {
    ModelContextLimits limits = state.limits;
    ModelProfile profile = state.profile;
    long available = HistoryStep.available(state);
    boolean fits = limits.maxTokens() - limits.reservedResponseTokens() <= available;
    if (profile == null || fits || limits.equals(ModelContextLimits.DEFAULT)) {
      return;
    }
    warn(
        "limit_above_window",
        "max_tokens is "
            + limits.maxTokens()
            + ", of which "
            + limits.reservedResponseTokens()
            + " are for the answer; "
            + profile.id()
            + " has a window of "
            + profile.contextWindow()
            + " by the catalogue, of which "
            + available
            + " counted tokens of input are used to be safe; lower max_tokens, or correct the"
            + " catalogue (--model-fact, --models)");
  }

  private void history(RenderResult rendered) {
    state.historyWarnings.forEach(code -> warn(code, ""));
    int cap = state.options.config.maxMessagesCap();
    if (HistoryStep.cuts(state) && HistoryStep.messages(rendered) > cap) {
      warn("messages_over_cap", "");
    }
    long pins =
        rendered.context().view().dropped().stream()
            .filter(dropped -> dropped.reason() == DroppedBlock.Reason.PIN_OVER_SHARE)
            .count();
    if (pins > 0) {
      warn(
          "pins_over_share",
          pins + " pins are not shown: a quarter of max_tokens is too little for them");
    }
    long used = HistoryStep.tokens(rendered);
    if (used > state.historyBudget) {
      warn(
          "history_over_budget",
          "the conversation needs " + used + " tokens of " + state.historyBudget);
    }
  }

  /** A model that nobody asks. */
  private void summarizer(Session session) {
    Summarizer asked = state.options.summarizer;
    Summarizer used = asked == null ? session.services().summarizer() : asked;
    String model =
        state.strategy() instanceof CompressionStrategy.RecursiveSummarization recursive
            ? recursive.modelName()
            : null;
    if (model != null && used.isExtractive()) {
      warn(
          "summarization_model_unused",
          "summaries are written by the built-in summariser, which asks no model: "
              + model
              + " is not used");
    }
  }

  /** Turns that a crash left without an end, so that what they did is not shown. */
  private void crashed() {
    String turns =
        state.incomplete.stream()
            .filter(turn -> turn.row().status() == TurnStatus.INCOMPLETE)
            .map(turn -> turn.turn().value())
            .collect(Collectors.joining(", "));
    if (!turns.isEmpty()) {
      warn(
          "turn_incomplete",
          "these turns have no end and are not shown, start turns with on_incomplete 'interrupt' to"
              + " keep such ones: "
              + turns);
    }
  }
}
