package dev.contexture.engine.request;

import dev.contexture.engine.ledger.BlockAttribution;
import dev.contexture.prompt.ContextMetadata;
import dev.contexture.prompt.Omission;
import dev.contexture.request.ProviderRequest;
import dev.contexture.view.StreamItem;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes over how the body was judged, and counts what it really holds. A format proves what it
 * writes at once, because a repair is written again; a body that cannot be repaired has been
 * refused by then.
 */
final class ProveStep implements RequestStep {
  @Override
  public void run(RequestState state) {
    ProviderRequest request = state.request();
    state.repairs = request.repairs();
    BlockAttribution blocks = state.attribution();
    ContextMetadata.Tokens counted = state.metadata().tokens();
    long stable = counted.summary() + counted.history();
    long sent = blocks.streamTokens(request);
    if (sent != stable) {
      state.metadata = state.metadata().withDropped(unsent(blocks.unsent(request)));
    }
    long change = sent + blocks.addedTokens(request) - stable;
    if (change != 0) {
      state.metadata = state.metadata().withTokens(counted.withHistory(counted.history() + change));
      CountStep.estimate(state);
    }
  }

  private static List<Omission> unsent(List<StreamItem> items) {
    List<Omission> unsent = new ArrayList<>();
    for (StreamItem item : items) {
      item.entry()
          .ifPresent(
              entry ->
                  unsent.add(
                      Omission.of(
                          entry,
                          Omission.Reason.NOT_TAKEN,
                          "the provider's format or the model does not take it, see repairs",
                          item.cost())));
    }
    return unsent;
  }
}
