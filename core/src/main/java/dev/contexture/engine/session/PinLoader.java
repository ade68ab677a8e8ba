package dev.contexture.engine.session;

import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.store.PinRow;
import dev.contexture.store.Store;
import dev.contexture.store.StoredBlock;
import dev.contexture.store.StoredTurn;
import dev.contexture.timeline.Pin;
import dev.contexture.timeline.Pins;
import dev.contexture.timeline.Timeline;
import dev.contexture.timeline.TurnStatus;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/** Reads what pinned paths held when they were pinned. */
@API(status = API.Status.INTERNAL, since = "0.2")
public final class PinLoader {
  private final Store store;
  private final Scope.OfConversation scope;

  public PinLoader(Store store, Scope.OfConversation scope) {
    this.store = store;
    this.scope = scope;
  }

  /** The pins whose text is still there and of a turn that is shown. */
  Pins load(List<PinRow> rows) {
    Pins pins = Pins.NONE;
    for (PinRow row : rows) {
      pins = load(row).map(pins::with).orElse(pins);
    }
    return pins;
  }

  public Optional<Pin> load(PinRow row) {
    Timeline found = Timeline.empty();
    for (StoredBlock stored : store.blocksOn(scope, row.path())) {
      if (isShown(stored.block().turn())) {
        found = found.load(stored.seq(), stored.block());
      }
    }
    return Pin.of(row.path(), row.at(), row.asOf(), found.entries());
  }

  private boolean isShown(TurnId turn) {
    TurnStatus status = store.turn(scope, turn).map(StoredTurn::status).orElse(TurnStatus.COMPLETE);
    return status.kept() || status == TurnStatus.OPEN;
  }
}
