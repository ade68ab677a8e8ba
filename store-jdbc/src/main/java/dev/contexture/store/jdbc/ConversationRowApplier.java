package dev.contexture.store.jdbc;

import dev.contexture.block.Binary;
import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.store.Commit;
import dev.contexture.store.Feedback;
import dev.contexture.store.Outcome;
import dev.contexture.store.PinRow;
import dev.contexture.store.Reason;
import dev.contexture.store.Row;
import dev.contexture.store.SourceRow;
import dev.contexture.store.TurnRow;
import dev.contexture.store.WriteSet;
import dev.contexture.store.jdbc.ConversationState.TurnState;
import dev.contexture.timeline.ArchivedRange;
import dev.contexture.timeline.Summary;
import dev.contexture.timeline.TurnStatus;
import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Applies the rows of a conversation, and then writes what changed with all of them. Confined to
 * the writing thread.
 */
final class ConversationRowApplier {
  private static final String INSERT_BLOCK =
      "INSERT INTO blocks (id, conv, version, turn, type, path, artifact, caller_id, sha, wire,"
          + " stamp) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

  private final Db db;
  private final EncodedSet encoded;
  private final WriteSet set;
  private final ConversationState state;
  private final PreconditionChecker judge;
  private final TurnScopedRows kept;
  private final RequestReads requests;
  private final Set<TurnState> grown = new LinkedHashSet<>();
  private final long version;
  private long firstSeq;
  private int appended;

  ConversationRowApplier(
      Db db, EncodedSet encoded, ConversationState state, PreconditionChecker judge) {
    this.db = db;
    this.encoded = encoded;
    this.set = encoded.set();
    this.state = state;
    this.judge = judge;
    this.kept = new TurnScopedRows(db, state);
    this.requests = new RequestReads(db, set.scope().tenant());
    this.version = state.version + (set.raisesVersion() ? 1 : 0);
  }

  private Scope.OfConversation scope() {
    return Objects.requireNonNull(set.conversation(), "a set with such rows has one");
  }

  private void create() throws SQLException {
    state.createdAt = ConversationState.micros(set.at());
    state.lastActivity = state.createdAt;
    state.id =
        db.sql(
                "INSERT INTO conversations (tenant, project, owner, conversation, version,"
                    + " erased_version, next_seq, next_sid, turns, kept_turns, blocks, created_at,"
                    + " last_activity) VALUES (?, ?, ?, ?, 0, 0, 1, 1, 0, 0, 0, ?, ?) RETURNING id")
            .insert(scope(), state.createdAt, state.lastActivity);
    db.sql(
            "UPDATE conversations SET activity = "
                + ConversationState.NEXT_ACTIVITY
                + " WHERE id = ?")
        .update(state.lastActivity, state.lastActivity, state.id);
  }

  /** Writes a row, or says what keeps it from being written. */
  @Nullable Reason apply(Row.OfConversation row) throws SQLException {
    if (state.id == 0) {
      create();
    }
    return switch (row) {
      case Row.AppendBlocks append -> append(encoded.blocks(append));
      case Row.PutTurn put -> put(put.turn());
      case Row.PutSummary put -> put(put.summary());
      case Row.WithdrawSummary withdraw -> withdraw(withdraw.id());
      case Row.PutArchivedRange put -> put(put.range());
      case Row.PutVisibility put -> {
        new VisibilityRows(db, state).put(put.records(), version);
        yield null;
      }
      case Row.DropVisibility drop -> {
        new VisibilityRows(db, state).drop(drop.seqs(), version);
        yield null;
      }
      case Row.PutSources put -> sources(put.sources());
      case Row.SetAnnounce announce -> {
        Reason reason = kept(announce.turn(), encoded.blocks(announce), false);
        yield reason == null ? kept.announce(announce.turn(), encoded.blocks(announce)) : reason;
      }
      case Row.AddTransient add -> {
        Reason reason = kept(add.turn(), encoded.blocks(add), true);
        yield reason == null ? kept.add(add.turn(), encoded.blocks(add)) : reason;
      }
      case Row.SetPendingAnswer pending -> {
        Reason reason = judge.known(pending.turn());
        yield reason == null ? kept.pending(pending.turn(), pending.answer()) : reason;
      }
      case Row.ClearTurnScoped clear -> kept.clear(clear.turn());
      case Row.PutPin put -> put(put.pin());
      case Row.DropPin drop ->
          done(
              db.sql("DELETE FROM pins WHERE conv = ? AND path = ?")
                  .update(state.id, drop.path().text()));
      case Row.SetTitle title -> {
        state.title = title.title();
        yield described();
      }
      case Row.PutFeedback put -> feedback(put.turn(), put.feedback());
      case Row.DropFeedback drop ->
          done(
              db.sql("DELETE FROM feedback WHERE conv = ? AND turn = ? AND key = ?")
                  .update(state.id, drop.turn().value(), drop.key()));
      case Row.PutOutcome put -> outcome(put.outcome());
      case Row.IndexTurn index -> {
        index(index.turn());
        yield null;
      }
      case Row.Touch touch -> {
        state.touch = touch.touch();
        yield described();
      }
      case Row.PutRequest put -> request(put);
      case Row.DropRequests drop -> {
        for (String id : drop.ids()) {
          requests.drop(state.id, id);
        }
        yield null;
      }
      case Row.PutEpoch put -> {
        Reason erased = judge.memory(put.epoch().blocks());
        if (erased == null) {
          EpochReads.put(db, state.id, put.epoch());
        }
        yield erased;
      }
      case Row.TouchEpoch touch -> {
        EpochReads.touch(db, state.id, touch.agent(), touch.at());
        yield null;
      }
    };
  }

  private void index(TurnId turn) throws SQLException {
    TurnState known = state.turn(db, turn).orElse(null);
    long number = Outbox.changed(db, scope(), turn, known == null ? 0 : known.outboxNumber);
    if (known != null) {
      known.outboxNumber = number;
    }
  }

  private @Nullable Reason kept(TurnId turn, List<EncodedBlock> blocks, boolean idsMustBeUnused)
      throws SQLException {
    Reason reason = judge.known(turn);
    return reason == null ? judge.blocks(blocks, idsMustBeUnused) : reason;
  }

  private @Nullable Reason append(List<EncodedBlock> blocks) throws SQLException {
    Reason reason = judge.blocks(blocks, true);
    if (reason != null) {
      return reason;
    }
    for (EncodedBlock block : blocks) {
      Reason erased = block.memory().isEmpty() ? null : judge.memory(block.memory());
      if (erased != null) {
        return erased;
      }
      append(block);
    }
    return null;
  }

  private void append(EncodedBlock block) throws SQLException {
    TurnState turn = state.turn(db, block.block().turn()).orElseThrow();
    long seq = state.nextSeq++;
    long key = state.key(seq);
    db.sql(INSERT_BLOCK)
        .later(
            key,
            state.id,
            version,
            turn.id,
            block.block().type().name(),
            block.path(),
            block.artifact(),
            block.callerId(),
            block.sha(),
            block.wire(),
            RowChecksum.of(key, block.crc()));
    if (block.sha() != null) {
      db.sql(RequestReads.REFER).update(state.id, block.sha(), "b" + seq);
    }
    for (String memory : block.memory()) {
      db.sql("INSERT INTO block_memory (memory, block) VALUES (?, ?)").update(memory, key);
    }
    firstSeq = appended++ == 0 ? seq : firstSeq;
    state.blocks++;
    turn.firstSeq = turn.firstSeq == 0 ? seq : turn.firstSeq;
    turn.lastSeq = seq;
    turn.blocks++;
    grown.add(turn);
  }

  private @Nullable Reason put(TurnRow row) throws SQLException {
    String body = RowCodec.write(row);
    long stamp = RowChecksum.of(row.turn().value(), body);
    TurnState turn = state.turn(db, row.turn()).orElse(null);
    if (turn == null) {
      long id =
          db.sql(
                  "INSERT INTO turns (conv, turn, status, opened_version, status_version,"
                      + " first_seq, last_seq, blocks, body, stamp) VALUES (?, ?, ?, ?, ?, 0, 0, 0,"
                      + " ?, ?) RETURNING id")
              .insert(
                  state.id,
                  row.turn().value(),
                  RowCodec.code(row.status()),
                  version,
                  version,
                  body,
                  stamp);
      state.remember(row.turn(), new TurnState(id, row.status()));
      state.turns++;
      state.keptTurns += kept(row.status());
    } else {
      state.keptTurns += kept(row.status()) - kept(turn.status);
      db.sql(
              "UPDATE turns SET status = ?, body = ?, stamp = ?, status_version ="
                  + " CASE WHEN status = ? THEN status_version ELSE ? END WHERE id = ?")
          .update(
              RowCodec.code(row.status()),
              body,
              stamp,
              RowCodec.code(row.status()),
              version,
              turn.id);
      turn.status = row.status();
    }
    if (row.agent() != null && !row.agent().equals(state.agent)) {
      state.agent = row.agent();
      return described();
    }
    return null;
  }

  private static int kept(TurnStatus status) {
    return status.kept() ? 1 : 0;
  }

  private @Nullable Reason put(Summary summary) throws SQLException {
    Reason used = judge.summaryUnused(summary.id());
    if (used != null) {
      return used;
    }
    String body = RowCodec.write(summary, CoveredTurns.ranges(db, state.id, summary).orElse(null));
    return done(
        db.sql(
                "INSERT INTO summaries (conv, summary, cut_seq, created_at, withdrawn, body, stamp)"
                    + " VALUES (?, ?, ?, ?, ?, ?, ?)")
            .update(
                state.id,
                summary.id(),
                summary.cutSeq(),
                summary.createdAt(),
                summary.withdrawn(),
                body,
                RowChecksum.of(summary.id(), body)));
  }

  private @Nullable Reason withdraw(String id) throws SQLException {
    Reason gone = judge.summaryStands(id);
    return gone != null
        ? gone
        : done(
            db.sql("UPDATE summaries SET withdrawn = 1 WHERE conv = ? AND summary = ?")
                .update(state.id, id));
  }

  private @Nullable Reason put(ArchivedRange range) throws SQLException {
    Reason used = judge.rangeUnused(range.id());
    if (used != null) {
      return used;
    }
    String body = RowCodec.write(range);
    return done(
        db.sql(
                "INSERT INTO ranges (conv, range, from_seq, to_seq, version, body, stamp)"
                    + " VALUES (?, ?, ?, ?, ?, ?, ?)")
            .update(
                state.id,
                range.id(),
                range.fromSeq(),
                range.toSeq(),
                version,
                body,
                RowChecksum.of(range.id(), body)));
  }

  private @Nullable Reason put(PinRow pin) throws SQLException {
    String path = pin.path().text();
    String body = RowCodec.write(pin);
    return done(
        db.sql(
                "INSERT INTO pins (conv, path, turn, body, stamp) VALUES (?, ?, ?, ?, ?)"
                    + " ON CONFLICT "
                    + db.dialect().key("conv, path")
                    + " DO UPDATE SET body = excluded.body,"
                    + " stamp = excluded.stamp")
            .update(
                state.id,
                path,
                pin.path().turn().orElseThrow().value(),
                body,
                RowChecksum.of(path, body)));
  }

  private @Nullable Reason sources(List<SourceRow> sources) throws SQLException {
    for (SourceRow source : sources) {
      String body = RowCodec.write(source);
      db.sql(
              "INSERT INTO sources (conv, sid, body, stamp) VALUES (?, ?, ?, ?)"
                  + " ON CONFLICT "
                  + db.dialect().key("conv, sid")
                  + " DO UPDATE SET body = excluded.body,"
                  + " stamp = excluded.stamp")
          .update(
              state.id, source.sid(), body, RowChecksum.of(source.sid(), RowChecksum.crc(body)));
      state.nextSid = Math.max(state.nextSid, source.sid() + 1);
    }
    return null;
  }

  private @Nullable Reason feedback(TurnId turn, Feedback feedback) throws SQLException {
    Reason unknown = judge.known(turn);
    if (unknown != null) {
      return unknown;
    }
    String body = feedback.value().toJson();
    return done(
        db.sql(
                "INSERT INTO feedback (conv, turn, key, body, stamp) VALUES (?, ?, ?, ?, ?)"
                    + " ON CONFLICT "
                    + db.dialect().key("conv, turn, key")
                    + " DO UPDATE SET body = excluded.body,"
                    + " stamp = excluded.stamp")
            .update(
                state.id,
                turn.value(),
                feedback.key(),
                body,
                RowChecksum.of(feedback.key(), body)));
  }

  private @Nullable Reason outcome(Outcome outcome) throws SQLException {
    Reason used = judge.outcomeUnused(outcome.key());
    String body = outcome.value().toJson();
    return used != null
        ? used
        : done(
            db.sql("INSERT INTO outcomes (conv, key, turn, body, stamp) VALUES (?, ?, ?, ?, ?)")
                .update(
                    state.id,
                    outcome.key(),
                    outcome.turn().value(),
                    body,
                    RowChecksum.of(outcome.key(), body)));
  }

  private @Nullable Reason request(Row.PutRequest put) throws SQLException {
    Reason erased = judge.memory(put.request().memory());
    if (erased != null) {
      return erased;
    }
    for (Binary content : put.contents()) {
      requests.keep(content);
    }
    Reason missing = judge.binaries(put.request().binaries());
    if (missing == null) {
      requests.put(state.id, put.request(), version);
    }
    return missing;
  }

  /** Writes what describes the conversation and seldom changes. */
  private @Nullable Reason described() throws SQLException {
    var touch = state.touch;
    return done(
        db.sql(
                "UPDATE conversations SET title = ?, agent = ?, touch_at = ?, touch_ttl = ? WHERE"
                    + " id = ?")
            .update(
                RowCodec.quoted(state.title),
                RowCodec.quoted(state.agent),
                touch == null ? null : touch.at().toString(),
                touch == null ? null : touch.ttlSeconds(),
                state.id));
  }

  /** Nothing kept the row from being written, however many it changed. */
  private static @Nullable Reason done(int unused) {
    return null;
  }

  /** Writes what changed with every commit. */
  Commit.Committed finish(long lastEvent) throws SQLException {
    for (TurnState turn : grown) {
      if (turn.firstSeq >= firstSeq) { // its first blocks: later ones leave the index alone
        db.sql("UPDATE turns SET first_seq = ?, last_seq = ?, blocks = ? WHERE id = ?")
            .later(turn.firstSeq, turn.lastSeq, turn.blocks, turn.id);
      } else {
        db.sql("UPDATE turns SET last_seq = ?, blocks = ? WHERE id = ?")
            .later(turn.lastSeq, turn.blocks, turn.id);
      }
    }
    if (set.raisesVersion()) {
      raise();
    }
    return new Commit.Committed(version, firstSeq, appended, lastEvent);
  }

  private void raise() throws SQLException {
    state.version = version;
    state.lastActivity = ConversationState.micros(set.at());
    db.sql(
            "UPDATE conversations SET version = ?, next_seq = ?, next_sid = ?, turns = ?,"
                + " kept_turns = ?, blocks = ?, last_activity = ?, activity = "
                + ConversationState.NEXT_ACTIVITY
                + " WHERE id = ?")
        .later(
            state.version,
            state.nextSeq,
            state.nextSid,
            state.turns,
            state.keptTurns,
            state.blocks,
            state.lastActivity,
            state.lastActivity,
            state.lastActivity,
            state.id);
    if (set.note() != null) {
      note(db, state, ConversationState.micros(set.at()), set.note().toJson());
    }
  }

  static void note(Db db, ConversationState state, long at, String body) throws SQLException {
    db.sql("INSERT INTO notes (conv, version, at, body, stamp) VALUES (?, ?, ?, ?, ?)")
        .later(
            state.id,
            state.version,
            at,
            body,
            RowChecksum.of(state.version, RowChecksum.crc(body)));
  }
}
