package dev.contexture.testkit;

import dev.contexture.block.Block;
import dev.contexture.block.TurnId;
import dev.contexture.store.Commit;
import dev.contexture.store.NewBlock;
import dev.contexture.store.Row;
import dev.contexture.store.SourceRow;
import dev.contexture.store.StoredBlock;
import dev.contexture.store.StoredWindow;
import dev.contexture.store.TurnRow;
import dev.contexture.store.WriteSet;
import dev.contexture.testkit.InMemoryConversation.Entry;
import dev.contexture.testkit.InMemoryConversation.ScopedState;
import dev.contexture.testkit.InMemoryConversation.TurnState;
import dev.contexture.testkit.InMemoryConversation.Versioned;
import dev.contexture.timeline.Summary;
import dev.contexture.timeline.Visibility;
import java.util.Objects;

/** Applies the rows of a set that was judged. Confined to the lock of its store. */
final class InMemoryWriter {
  private final InMemoryConversation state;
  private final long version;
  private long firstSeq;
  private int appended;

  private InMemoryWriter(InMemoryConversation state, long version) {
    this.state = state;
    this.version = version;
  }

  static Commit.Committed apply(InMemoryConversation state, WriteSet set) {
    boolean raises = set.raisesVersion();
    InMemoryWriter writer = new InMemoryWriter(state, state.version + (raises ? 1 : 0));
    set.rows().forEach(writer::apply);
    state.version = writer.version;
    if (raises) {
      state.lastActivityAt = set.at();
    }
    if (raises && set.note() != null) {
      state.notes.put(writer.version, new InMemoryConversation.Noted(set.at(), set.note()));
    }
    return new Commit.Committed(writer.version, writer.firstSeq, writer.appended);
  }

  private void apply(Row row) {
    switch (row) {
      case Row.AppendBlocks append -> append.blocks().forEach(this::append);
      case Row.PutTurn put -> put(put.turn());
      case Row.PutSummary put -> state.summaries.put(put.summary().id(), put.summary());
      case Row.WithdrawSummary withdraw ->
          state.summaries.computeIfPresent(withdraw.id(), (id, summary) -> summary.withdraw());
      case Row.PutArchivedRange put ->
          state.ranges.put(put.range().id(), new Versioned<>(put.range(), version));
      case Row.PutVisibility put -> put.records().forEach(record -> visible(record.seq(), record));
      case Row.DropVisibility drop ->
          drop.seqs().stream().filter(state.visibility::containsKey).forEach(this::drop);
      case Row.PutSources put -> put.sources().forEach(this::put);
      case Row.SetAnnounce set -> scoped(set.turn()).announce = set.blocks();
      case Row.AddTransient add -> add.blocks().forEach(block -> keep(add, block));
      case Row.SetPendingAnswer set -> scoped(set.turn()).pendingAnswer = set.answer();
      case Row.ClearTurnScoped clear -> clear(clear);
      case Row.SetTitle set -> state.title = set.title();
      case Row.PutFeedback put -> turn(put).feedback.put(put.feedback().key(), put.feedback());
      case Row.DropFeedback drop -> {
        TurnState turn = state.turns.get(drop.turn());
        if (turn != null) {
          turn.feedback.remove(drop.key());
        }
      }
      case Row.PutOutcome put -> state.outcomes.put(put.outcome().key(), put.outcome());
      case Row.IndexTurn _unused -> {} // the store's outbox takes it
      case Row.Touch touch -> state.touch = touch.touch();
      case Row.PutRequest put ->
          state.requests.put(put.request().id(), new Versioned<>(put.request(), version));
      case Row.DropRequests drop -> drop.ids().forEach(state.requests::remove);
      case Row.PutEpoch put -> state.epochs.put(put.epoch().agent(), put.epoch());
      case Row.TouchEpoch touch ->
          state.epochs.computeIfPresent(touch.agent(), (agent, epoch) -> epoch.builtAt(touch.at()));
    }
  }

  private void append(NewBlock block) {
    long seq = state.nextSeq++;
    if (appended++ == 0) {
      firstSeq = seq;
    }
    state.blocks.put(
        seq,
        new Entry(
            new StoredBlock(seq, version, block.block()), block.artifactPath(), block.memory()));
    block.block().id().ifPresent(id -> state.seqById.put(id, seq));
  }

  private void put(TurnRow row) {
    TurnState known = state.turns.get(row.turn());
    if (known == null) {
      state.turns.put(row.turn(), new TurnState(row, version));
    } else {
      known.statusVersion = known.row.status() == row.status() ? known.statusVersion : version;
      known.row = row;
    }
    if (row.agent() != null) {
      state.agent = row.agent();
    }
  }

  private void visible(long seq, Visibility record) {
    state.visibility.put(seq, new Versioned<>(record, version));
  }

  private void drop(long seq) {
    state.visibility.put(seq, new Versioned<>(null, version));
  }

  private void put(SourceRow source) {
    state.sources.put(source.sid(), source);
    state.nextSid = Math.max(state.nextSid, source.sid() + 1);
  }

  private ScopedState scoped(TurnId turn) {
    return state.scoped.computeIfAbsent(turn, id -> new ScopedState());
  }

  private void keep(Row.AddTransient add, Block block) {
    scoped(add.turn()).transients.add(new StoredWindow.Transient(state.nextSeq - 1, block));
    block.id().ifPresent(id -> state.seqById.put(id, 0L));
  }

  private void clear(Row.ClearTurnScoped clear) {
    ScopedState scoped = state.scoped.remove(clear.turn());
    if (scoped != null) {
      scoped.transients.forEach(kept -> kept.block().id().ifPresent(state.seqById::remove));
    }
  }

  private TurnState turn(Row.PutFeedback put) {
    return Objects.requireNonNull(state.turns.get(put.turn()), "judged before");
  }

  /** Removes a turn and everything that quotes it. */
  static void erase(InMemoryConversation state, TurnState turn) {
    var id = turn.row.turn();
    state.version++;
    state.erasedVersion = state.version;
    state
        .blocks
        .values()
        .removeIf(
            entry -> {
              boolean hit = entry.block().block().turn().equals(id);
              if (hit) {
                state.visibility.remove(entry.block().seq());
                entry.block().block().id().ifPresent(state.seqById::remove);
              }
              return hit;
            });
    state.turns.remove(id);
    state.scoped.remove(id);
    state.outcomes.values().removeIf(outcome -> outcome.turn().equals(id));
    state.summaries.values().removeIf(summary -> quotes(summary, turn));
    state.ranges.values().removeIf(range -> range.value().turns().contains(id));
    state.requests.values().removeIf(request -> request.version() >= turn.openedVersion);
  }

  private static boolean quotes(Summary summary, TurnState turn) {
    return summary.turn().equals(turn.row.turn())
        || summary.coveredTurns().contains(turn.row.turn());
  }
}
