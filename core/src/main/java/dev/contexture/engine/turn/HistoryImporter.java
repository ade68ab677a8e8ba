package dev.contexture.engine.turn;

import dev.contexture.block.Block;
import dev.contexture.engine.session.Session;
import dev.contexture.engine.session.TimelineLoader;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.request.history.ImportedHistory;
import dev.contexture.store.Commit;
import dev.contexture.store.Precondition;
import dev.contexture.store.Row;
import dev.contexture.store.TurnRow;
import dev.contexture.store.WriteSet;
import dev.contexture.timeline.TurnStatus;
import dev.contexture.turn.ImportResult;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Stores foreign turns as complete ones. Inside the session's lock. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class HistoryImporter {
  private final Session session;

  public HistoryImporter(Session session) {
    this.session = session;
  }

  /** Checks all blocks before the first turn is stored, then stores turn by turn. */
  public ImportResult store(ImportedHistory history, @Nullable String agent) {
    check(history);
    int turns = 0;
    int blocks = 0;
    for (ImportedHistory.ImportedTurn turn : history.turns()) {
      boolean stored = session.locked(() -> session.untilDone(() -> tryStore(turn, agent)));
      turns += stored ? 1 : 0;
      blocks += stored ? turn.blocks().size() : 0;
    }
    return new ImportResult(history, turns, blocks);
  }

  /**
   * Refuses what cannot be stored; stores nothing.
   *
   * @return how many turns are new
   * @throws ContextureException {@code limit_exceeded}, {@code id_conflict} or {@code
   *     turn_in_progress}
   */
  public int check(ImportedHistory history) {
    int added = 0;
    for (ImportedHistory.ImportedTurn turn : history.turns()) {
      session.services().limits().checkTurn(turn.id(), turn.blocks().size());
      turn.blocks().forEach(session.services().limits()::check);
      added += session.locked(() -> isKnown(turn)) ? 0 : 1;
    }
    if (added > 0) {
      session.locked(
          () -> {
            checkClosed();
            return true;
          });
    }
    return added;
  }

  private void checkClosed() {
    session
        .services()
        .store()
        .head(session.scope())
        .map(head -> head.openTurn())
        .ifPresent(
            open -> {
              throw Session.inProgress(open);
            });
  }

  /** Whether the turn is stored already, with the same blocks; only their times may differ. */
  private boolean isKnown(ImportedHistory.ImportedTurn turn) {
    if (session.services().store().turn(session.scope(), turn.id()).isEmpty()) {
      return false;
    }
    List<Block> stored =
        session.services().store().turnBlocks(session.scope(), turn.id()).stream()
            .map(row -> at(row.block(), Instant.EPOCH))
            .toList();
    if (!turn.blocks().stream().map(block -> at(block, Instant.EPOCH)).toList().equals(stored)) {
      throw ContextureException.invalid(
          ErrorCode.ID_CONFLICT,
          "import_id",
          turn.id(),
          "the messages that this id was imported with, or another id");
    }
    return true;
  }

  private static Block at(Block block, Instant ts) {
    return block.toBuilder().ts(ts).build();
  }

  /** Whether the turn was new; empty: another process was faster. */
  private Optional<Boolean> tryStore(ImportedHistory.ImportedTurn turn, @Nullable String agent) {
    if (isKnown(turn)) {
      return Optional.of(false);
    }
    checkClosed();
    List<Block> blocks = turn.blocks();
    Instant now = session.services().now();
    Instant at = blocks.getFirst().ts().orElse(now);
    TurnRow row =
        TurnRow.open(turn.id(), at)
            .withAgent(agent)
            .withMeta(turn.meta())
            .closed(TurnStatus.COMPLETE, blocks.getLast().ts().orElse(at));
    WriteSet set =
        WriteSet.of(session.scope(), now)
            .expect(new Precondition.TurnUnused(turn.id()))
            .expect(new Precondition.NoOpenTurn(null))
            .add(new Row.PutTurn(row))
            .append(BlockAppender.rows(blocks))
            .note(
                JsonObject.builder()
                    .put("type", "turn")
                    .put("turn_id", turn.id().value())
                    .put("status", TurnStatus.COMPLETE.wireName())
                    .build())
            .build();
    Commit commit =
        session.commit(set, before -> before.append(blocks).withTurn(TimelineLoader.state(row)));
    if (commit instanceof Commit.Conflict) {
      return Optional.empty();
    }
    return Optional.of(true);
  }
}
