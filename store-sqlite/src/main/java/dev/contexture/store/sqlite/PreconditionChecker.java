package dev.contexture.store.sqlite;

import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.json.JsonObject;
import dev.contexture.store.Outcome;
import dev.contexture.store.Precondition;
import dev.contexture.store.Reason;
import dev.contexture.timeline.Summary;
import dev.contexture.timeline.TurnStatus;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds what keeps a write set from being applied. Reads only. Confined to the writing thread. */
final class PreconditionChecker {
  private final Db db;
  private final ConversationState state;
  private final Scope scope;

  PreconditionChecker(Db db, ConversationState state, Scope scope) {
    this.db = db;
    this.state = state;
    this.scope = scope;
  }

  @Nullable Reason judge(Precondition condition) throws SQLException {
    return switch (condition) {
      case Precondition.VersionIs is ->
          is.version() == state.version
              ? null
              : new Reason.VersionDiffers(is.version(), state.version);
      case Precondition.TurnIs is -> turnIs(is);
      case Precondition.TurnUnused unused ->
          state.turn(db, unused.turn()).isPresent() ? new Reason.TurnUsed(unused.turn()) : null;
      case Precondition.NoOpenTurn none -> noOpenTurn(none.except());
      case Precondition.NewestSummaryIs is -> newestSummaryIs(is.summaryId());
      case Precondition.UnchangedSince since ->
          changed(since)
              ? new Reason.RangeChanged(since.version(), since.fromSeq(), since.toSeq())
              : null;
      case Precondition.NextSidIs is ->
          is.sid() == state.nextSid ? null : new Reason.NextSidDiffers(is.sid(), state.nextSid);
      case Precondition.NoTitle _unused -> {
        String title = state.title;
        yield title == null ? null : new Reason.Titled(title);
      }
    };
  }

  private @Nullable Reason turnIs(Precondition.TurnIs is) throws SQLException {
    TurnStatus actual = state.turn(db, is.turn()).map(turn -> turn.status).orElse(null);
    return actual == is.status() ? null : new Reason.TurnDiffers(is.turn(), is.status(), actual);
  }

  private @Nullable Reason noOpenTurn(@Nullable TurnId except) throws SQLException {
    List<TurnId> open =
        db.list(
            "SELECT turn FROM turns WHERE conv = ? AND status = 0 ORDER BY id",
            row -> TurnId.of(row.getString(1)),
            state.id);
    for (TurnId turn : open) {
      if (!turn.equals(except)) {
        return new Reason.TurnOpen(turn);
      }
    }
    return null;
  }

  private @Nullable Reason newestSummaryIs(@Nullable String expected) throws SQLException {
    String actual = SummaryReads.newestUsable(db, state.id).map(Summary::id).orElse(null);
    return Objects.equals(expected, actual) ? null : new Reason.SummaryDiffers(expected, actual);
  }

  private boolean changed(Precondition.UnchangedSince since) throws SQLException {
    return state.erasedVersion > since.version()
        || db.exists(
            "SELECT 1 FROM visibility WHERE id >= ? AND id < ? AND version > ? LIMIT 1",
            state.key(since.fromSeq()),
            state.key(since.toSeq()),
            since.version())
        || db.exists(
            "SELECT 1 FROM ranges WHERE conv = ? AND version > ? AND from_seq < ? AND to_seq >= ?"
                + " LIMIT 1",
            state.id,
            since.version(),
            since.toSeq(),
            since.fromSeq())
        || db.exists(
            "SELECT 1 FROM turns t WHERE t.conv = ? AND t.status_version > ? AND EXISTS (SELECT 1"
                + " FROM blocks b WHERE b.id >= ? AND b.id < ? AND b.turn = t.id) LIMIT 1",
            state.id,
            since.version(),
            state.key(since.fromSeq()),
            state.key(since.toSeq()));
  }

  @Nullable Reason known(TurnId turn) throws SQLException {
    return state.turn(db, turn).isPresent() ? null : new Reason.TurnUnknown(turn);
  }

  @Nullable Reason blocks(List<EncodedBlock> blocks, boolean idsMustBeUnused) throws SQLException {
    for (EncodedBlock block : blocks) {
      Reason unknown = known(block.block().turn());
      if (unknown != null) {
        return unknown;
      }
    }
    Map<String, Long> used = idsMustBeUnused ? used(blocks) : Map.of();
    return used.isEmpty() ? binaries(hashes(blocks)) : new Reason.BlockIdsUsed(used);
  }

  private Map<String, Long> used(List<EncodedBlock> blocks) throws SQLException {
    Map<String, Long> used = Map.of();
    for (EncodedBlock block : blocks) {
      Optional<Long> seq = block.callerId() == null ? Optional.empty() : seqOf(block.callerId());
      if (seq.isPresent()) {
        used = used.isEmpty() ? new LinkedHashMap<>() : used;
        used.put(block.callerId(), seq.get());
      }
    }
    return used;
  }

  private static Set<String> hashes(List<EncodedBlock> blocks) {
    Set<String> hashes = Set.of();
    for (EncodedBlock block : blocks) {
      if (block.sha() != null) {
        hashes = hashes.isEmpty() ? new LinkedHashSet<>() : hashes;
        hashes.add(block.sha());
      }
    }
    return hashes;
  }

  private Optional<Long> seqOf(String callerId) throws SQLException {
    Optional<Long> stored =
        db.one(
            "SELECT id FROM blocks WHERE conv = ? AND caller_id = ?",
            row -> ConversationState.seq(row.getLong(1)),
            state.id,
            callerId);
    return stored.isPresent()
        ? stored
        : db.one(
            "SELECT 0 FROM kept WHERE conv = ? AND caller_id = ?",
            row -> row.getLong(1),
            state.id,
            callerId);
  }

  @Nullable Reason binaries(Collection<String> hashes) throws SQLException {
    Set<String> missing = new LinkedHashSet<>();
    for (String sha : hashes) {
      if (!db.exists("SELECT 1 FROM binaries WHERE tenant = ? AND sha = ?", scope.tenant(), sha)) {
        missing.add(sha);
      }
    }
    return missing.isEmpty() ? null : new Reason.BinariesMissing(missing);
  }

  /** Memory blocks that are gone for good; deleted ones are still there. */
  @Nullable Reason memory(Collection<String> blocks) throws SQLException {
    MemoryReads reads = new MemoryReads(db, scope);
    Set<String> erased = new LinkedHashSet<>();
    for (String block : blocks) {
      if (reads.key(block).isEmpty()) {
        erased.add(block);
      }
    }
    return erased.isEmpty() ? null : new Reason.MemoryErased(erased);
  }

  @Nullable Reason summaryUnused(String id) throws SQLException {
    return db.exists("SELECT 1 FROM summaries WHERE conv = ? AND summary = ?", state.id, id)
        ? new Reason.SummaryUsed(id)
        : null;
  }

  @Nullable Reason summaryStands(String id) throws SQLException {
    return db.exists(
            "SELECT 1 FROM summaries WHERE conv = ? AND summary = ? AND withdrawn = 0",
            state.id,
            id)
        ? null
        : new Reason.SummaryGone(id);
  }

  @Nullable Reason rangeUnused(String id) throws SQLException {
    return db.exists("SELECT 1 FROM ranges WHERE conv = ? AND range = ?", state.id, id)
        ? new Reason.RangeUsed(id)
        : null;
  }

  @Nullable Reason outcomeUnused(String key) throws SQLException {
    return outcome(db, state.id, key).map(Reason.AlreadyDone::new).orElse(null);
  }

  static Optional<Outcome> outcome(Db db, long conv, String key) throws SQLException {
    return db.one(
        "SELECT key, turn, body, stamp FROM outcomes WHERE conv = ? AND key = ?",
        PreconditionChecker::readOutcome,
        conv,
        key);
  }

  private static Outcome readOutcome(ResultSet row) throws SQLException {
    String key = row.getString(1);
    String body = row.getString(3);
    RowChecksum.check(row.getLong(4), RowChecksum.of(key, body), "outcome", key);
    JsonObject value = RowCodec.parse(body);
    return new Outcome(key, TurnId.of(row.getString(2)), value);
  }
}
