package dev.contexture.store.jdbc;

import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.json.JsonObject;
import dev.contexture.store.MemoryRow;
import dev.contexture.store.Outcome;
import dev.contexture.store.Precondition;
import dev.contexture.store.Reason;
import dev.contexture.store.WriteSet;
import dev.contexture.store.memory.BlockRow;
import dev.contexture.store.memory.ConsentRow;
import dev.contexture.store.memory.ShareRow;
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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds what keeps a write set from being applied. Reads only. Confined to the writing thread. */
final class PreconditionChecker {
  private final Db db;
  private final WriteSet set;
  private final Scope scope;
  private final ConversationState state;
  private final MemoryReads reads;

  /**
   * @param state of the conversation of the set; that of none if it has none
   */
  PreconditionChecker(Db db, WriteSet set, ConversationState state) {
    this.db = db;
    this.set = set;
    this.scope = set.scope();
    this.state = state;
    this.reads = new MemoryReads(db, scope);
  }

  /** The first precondition of the set that does not hold. */
  @Nullable Reason broken() throws SQLException {
    for (Precondition condition : set.preconditions()) {
      Reason reason =
          switch (condition) {
            case Precondition.OfConversation of -> judge(of);
            case Precondition.OfMemory of -> judge(of);
          };
      if (reason != null) {
        return reason;
      }
    }
    return null;
  }

  private @Nullable Reason judge(Precondition.OfConversation condition) throws SQLException {
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

  private @Nullable Reason judge(Precondition.OfMemory condition) throws SQLException {
    return switch (condition) {
      case Precondition.SeqIs is -> seqIs(is.block(), is.seq());
      case Precondition.SettingsAre are -> {
        long actual = reads.block(are.block()).map(BlockRow::settingsVersion).orElse(0L);
        yield actual == are.version()
            ? null
            : new Reason.SettingsDiffer(are.block(), are.version(), actual);
      }
      case Precondition.ShareIs is -> {
        long actual = reads.share(is.block(), is.agent()).map(ShareRow::version).orElse(0L);
        yield actual == is.version()
            ? null
            : new Reason.ShareDiffers(is.block(), is.agent(), is.version(), actual);
      }
      case Precondition.CheckpointIs is -> {
        long actual = reads.block(is.block()).map(BlockRow::checkpointSeq).orElse(0L);
        yield actual == is.seq()
            ? null
            : new Reason.CheckpointDiffers(is.block(), is.seq(), actual);
      }
      case Precondition.BlocksBelow below -> {
        long actual =
            count(
                "SELECT count(*) FROM memory_blocks WHERE tenant = ? AND project = ?"
                    + " AND owner = ? AND of_user = ? AND deleted = 0",
                below.owner(),
                RowCodec.column(below.user()));
        yield actual < below.limit()
            ? null
            : new Reason.TooManyBlocks(below.owner(), below.limit(), actual);
      }
      case Precondition.ConsentsBelow below -> {
        long actual =
            count(
                "SELECT count(*) FROM consents WHERE tenant = ? AND project = ?"
                    + " AND answer IS NULL AND expires_at > ?",
                ConversationState.micros(set.at()));
        yield actual < below.limit() ? null : new Reason.TooManyConsents(below.limit(), actual);
      }
    };
  }

  private @Nullable Reason turnIs(Precondition.TurnIs is) throws SQLException {
    TurnStatus actual = state.turn(db, is.turn()).map(turn -> turn.status).orElse(null);
    return actual == is.status() ? null : new Reason.TurnDiffers(is.turn(), is.status(), actual);
  }

  private @Nullable Reason noOpenTurn(@Nullable TurnId except) throws SQLException {
    List<TurnId> open =
        db.sql("SELECT turn FROM turns WHERE conv = ? AND status = 0 ORDER BY id")
            .with(state.id)
            .list(row -> TurnId.of(row.getString(1)));
    for (TurnId turn : open) {
      if (!turn.equals(except)) {
        return new Reason.TurnOpen(turn);
      }
    }
    return null;
  }

  private @Nullable Reason newestSummaryIs(@Nullable String expected) throws SQLException {
    String actual = new SummaryReads(db, state.id).newestUsable().map(Summary::id).orElse(null);
    return Objects.equals(expected, actual) ? null : new Reason.SummaryDiffers(expected, actual);
  }

  private boolean changed(Precondition.UnchangedSince since) throws SQLException {
    return state.erasedVersion > since.version()
        || db.sql("SELECT 1 FROM visibility WHERE id >= ? AND id < ? AND version > ? LIMIT 1")
            .exists(state.key(since.fromSeq()), state.key(since.toSeq()), since.version())
        || db.sql(
                "SELECT 1 FROM ranges WHERE conv = ? AND version > ? AND from_seq < ? AND to_seq >="
                    + " ? LIMIT 1")
            .exists(state.id, since.version(), since.toSeq(), since.fromSeq())
        || db.sql(
                "SELECT 1 FROM turns t WHERE t.conv = ? AND t.status_version > ? AND EXISTS (SELECT"
                    + " 1 FROM blocks b WHERE b.id >= ? AND b.id < ? AND b.turn = t.id) LIMIT 1")
            .exists(
                state.id, since.version(), state.key(since.fromSeq()), state.key(since.toSeq()));
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
        db.sql("SELECT id FROM blocks WHERE conv = ? AND caller_id = ?")
            .with(state.id, callerId)
            .one(row -> ConversationState.seq(row.getLong(1)));
    return stored.isPresent()
        ? stored
        : db.sql("SELECT 0 FROM kept WHERE conv = ? AND caller_id = ?")
            .with(state.id, callerId)
            .one(row -> row.getLong(1));
  }

  @Nullable Reason binaries(Collection<String> hashes) throws SQLException {
    Set<String> missing = new LinkedHashSet<>();
    for (String sha : hashes) {
      if (!RequestReads.refer(db, scope.tenant(), sha)) {
        missing.add(sha);
      }
    }
    return missing.isEmpty() ? null : new Reason.BinariesMissing(missing);
  }

  /** Memory blocks that are gone for good; deleted ones are still there. */
  @Nullable Reason memory(Collection<String> blocks) throws SQLException {
    Set<String> erased = new LinkedHashSet<>();
    for (String block : blocks) {
      if (reads.referredKey(block).isEmpty()) {
        erased.add(block);
      }
    }
    return erased.isEmpty() ? null : new Reason.MemoryErased(erased);
  }

  @Nullable Reason summaryUnused(String id) throws SQLException {
    return db.sql("SELECT 1 FROM summaries WHERE conv = ? AND summary = ?").exists(state.id, id)
        ? new Reason.SummaryUsed(id)
        : null;
  }

  @Nullable Reason summaryStands(String id) throws SQLException {
    return db.sql("SELECT 1 FROM summaries WHERE conv = ? AND summary = ? AND withdrawn = 0")
            .exists(state.id, id)
        ? null
        : new Reason.SummaryGone(id);
  }

  @Nullable Reason rangeUnused(String id) throws SQLException {
    return db.sql("SELECT 1 FROM ranges WHERE conv = ? AND range = ?").exists(state.id, id)
        ? new Reason.RangeUsed(id)
        : null;
  }

  @Nullable Reason outcomeUnused(String key) throws SQLException {
    return outcome(db, state.id, key).map(Reason.AlreadyDone::new).orElse(null);
  }

  private @Nullable Reason seqIs(String block, long expected) throws SQLException {
    BlockRow found = reads.block(block).orElse(null);
    if (found == null) {
      return new Reason.BlockGone(block);
    }
    return found.seq() == expected ? null : new Reason.SeqDiffers(block, expected, found.seq());
  }

  private long count(String sql, Object... rest) throws SQLException {
    return db.sql(sql)
        .with(Stream.concat(Stream.of(scope), Stream.of(rest)).toArray())
        .one(row -> row.getLong(1))
        .orElse(0L);
  }

  /** What keeps a row from being written, after those before it. */
  @Nullable Reason judge(MemoryRow row) throws SQLException {
    return switch (row) {
      case MemoryRow.AddBlock add ->
          reads.block(add.block()).isPresent()
              ? new Reason.IdUsed(add.block())
              : labelFree(add.owner(), add.user(), add.label());
      case MemoryRow.MoveBlock move -> movable(move.block(), move.user());
      case MemoryRow.PutSettings put -> live(put.block());
      case MemoryRow.AppendUpdate append -> {
        Reason gone = live(append.block());
        yield gone == null ? seqIs(append.block(), append.update().seq() - 1) : gone;
      }
      case MemoryRow.PutPreview put -> knownBlock(put.block());
      case MemoryRow.DeleteBlock delete -> live(delete.block());
      case MemoryRow.RestoreBlock restore -> restorable(restore.block());
      case MemoryRow.Consolidate fold -> foldable(fold);
      case MemoryRow.PutShare put -> live(put.block());
      case MemoryRow.RemoveShare remove -> knownBlock(remove.block());
      case MemoryRow.AddArchival add ->
          reads.archivalEntry(add.entry().id()).isPresent()
              ? new Reason.IdUsed(add.entry().id())
              : null;
      case MemoryRow.AddConsent add ->
          reads.consent(add.consent().id()).isPresent()
              ? new Reason.IdUsed(add.consent().id())
              : null;
      case MemoryRow.AnswerConsent answer -> open(answer.id());
      case MemoryRow.IndexBlock index -> knownBlock(index.block());
      case MemoryRow.PutAgent _unused -> null;
      case MemoryRow.EnsureAgent _unused -> null;
      case MemoryRow.DropConsent _unused -> null;
      case MemoryRow.AddEvent _unused -> null;
      case MemoryRow.IndexArchival _unused -> null;
      case MemoryRow.MoveArchival _unused -> null;
    };
  }

  private @Nullable Reason movable(String block, @Nullable String user) throws SQLException {
    BlockRow found = reads.block(block).filter(row -> !row.deleted()).orElse(null);
    if (found == null) {
      return new Reason.BlockGone(block);
    }
    return Objects.equals(found.user(), user)
        ? null
        : labelFree(found.owner(), user, found.label());
  }

  private @Nullable Reason labelFree(String owner, @Nullable String user, String label)
      throws SQLException {
    return reads
        .labelled(owner, user, label)
        .map(taken -> new Reason.LabelTaken(owner, label, taken.id()))
        .orElse(null);
  }

  private @Nullable Reason knownBlock(String block) throws SQLException {
    return reads.key(block).isPresent() ? null : new Reason.BlockGone(block);
  }

  private @Nullable Reason live(String block) throws SQLException {
    boolean live = reads.block(block).filter(found -> !found.deleted()).isPresent();
    return live ? null : new Reason.BlockGone(block);
  }

  private @Nullable Reason restorable(String block) throws SQLException {
    BlockRow found = reads.block(block).filter(BlockRow::deleted).orElse(null);
    return found == null
        ? new Reason.BlockGone(block)
        : labelFree(found.owner(), found.user(), found.label());
  }

  private @Nullable Reason foldable(MemoryRow.Consolidate fold) throws SQLException {
    BlockRow found = reads.block(fold.block()).orElse(null);
    if (found == null) {
      return new Reason.BlockGone(fold.block());
    }
    long seq = fold.checkpoint().seq();
    if (seq > found.seq()) {
      return new Reason.SeqDiffers(fold.block(), seq, found.seq());
    }
    return seq > found.checkpointSeq()
        ? null
        : new Reason.CheckpointDiffers(fold.block(), seq, found.checkpointSeq());
  }

  private @Nullable Reason open(String id) throws SQLException {
    ConsentRow found = reads.consent(id).orElse(null);
    boolean open = found != null && found.answer() == null && found.expiresAt().isAfter(set.at());
    return open ? null : new Reason.ConsentClosed(id);
  }

  static Optional<Outcome> outcome(Db db, long conv, String key) throws SQLException {
    return db.sql("SELECT key, turn, body, stamp FROM outcomes WHERE conv = ? AND key = ?")
        .with(conv, key)
        .one(PreconditionChecker::readOutcome);
  }

  private static Outcome readOutcome(ResultSet row) throws SQLException {
    String key = row.getString(1);
    String body = RowChecksum.read(row, 3, key, "outcome", key);
    JsonObject value = RowCodec.parse(body);
    return new Outcome(key, TurnId.of(row.getString(2)), value);
  }
}
