package dev.contexture.store.jdbc;

import dev.contexture.block.Block;
import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.json.JsonObject;
import dev.contexture.store.ChangeRecord;
import dev.contexture.store.ConversationEntry;
import dev.contexture.store.EpochRow;
import dev.contexture.store.Feedback;
import dev.contexture.store.Head;
import dev.contexture.store.Outcome;
import dev.contexture.store.PinRow;
import dev.contexture.store.RequestRow;
import dev.contexture.store.SourceRow;
import dev.contexture.store.StoredBlock;
import dev.contexture.store.StoredTurn;
import dev.contexture.store.StoredWindow;
import dev.contexture.store.UserEntry;
import dev.contexture.timeline.ArchivedRange;
import dev.contexture.timeline.Summary;
import dev.contexture.timeline.Visibility;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads rows of one conversation. Confined to one thread and one transaction. */
final class ConversationReads {
  private static final String TURNS =
      "SELECT turn, status, opened_version, status_version, first_seq, last_seq, blocks, body,"
          + " stamp, id FROM turns WHERE conv = ?";

  private final Db db;
  private final ConversationState state;
  private final BlockReads blocks;
  private final VisibilityRows visibility;

  ConversationReads(Db db, ConversationState state, Scope.OfConversation scope) {
    this.db = db;
    this.state = state;
    this.blocks = new BlockReads(db, state, scope.tenant(), RowChecksum.name(scope));
    this.visibility = new VisibilityRows(db, state);
  }

  BlockReads blocks() {
    return blocks;
  }

  Head head() throws SQLException {
    return state.head(state.openTurn(db).orElse(null));
  }

  StoredWindow window() throws SQLException {
    Summary summary = summaries().newestUsable().orElse(null);
    long cut = summary == null ? 1 : summary.cutSeq();
    List<ArchivedRange> archived = standing(archived(cut));
    List<StoredBlock> shown = blocks.window(cut, archived);
    List<StoredBlock> carried =
        shown.isEmpty() ? List.of() : blocks.carried(shown.getFirst().block().turn(), cut);
    return new StoredWindow(
        head(),
        summary,
        carried,
        shown,
        turns(carried, shown),
        archived,
        visibility(carried, shown),
        sources(),
        kept(),
        pins());
  }

  /** How many bytes the blocks of {@link #window} have. */
  long windowBytes() throws SQLException {
    long cut = summaries().newestUsable().map(Summary::cutSeq).orElse(1L);
    return blocks.windowBytes(cut, standing(archived(cut)));
  }

  /** Without the ranges whose summary was withdrawn: their turns are shown again. */
  private List<ArchivedRange> standing(List<ArchivedRange> ranges) throws SQLException {
    if (ranges.stream().allMatch(range -> range.summary().isEmpty())) {
      return ranges;
    }
    Set<String> withdrawn = visibility.withdrawnSummaries();
    return ranges.stream()
        .filter(range -> range.summary().filter(withdrawn::contains).isEmpty())
        .toList();
  }

  /** All archived ranges. */
  List<ArchivedRange> archived() throws SQLException {
    return archived(0);
  }

  private List<ArchivedRange> archived(long cut) throws SQLException {
    return db.sql(
            "SELECT range, from_seq, to_seq, body, stamp FROM ranges WHERE conv = ? AND to_seq >= ?"
                + " ORDER BY from_seq, id")
        .with(state.id, cut)
        .list(
            row -> {
              String id = row.getString(1);
              String body = RowChecksum.read(row, 4, id, "archived range", id);
              return RowCodec.range(id, row.getLong(2), row.getLong(3), body);
            });
  }

  /** Costs a few statements, however many turns there are. */
  private List<StoredTurn> turns(List<StoredBlock> carried, List<StoredBlock> shown)
      throws SQLException {
    Set<TurnId> named = new LinkedHashSet<>();
    for (List<StoredBlock> part : List.of(carried, shown)) {
      part.forEach(block -> named.add(block.block().turn()));
    }
    named.addAll(
        db.sql("SELECT turn FROM turns WHERE conv = ? AND status = 0")
            .with(state.id)
            .list(row -> TurnId.of(row.getString(1))));
    return turns(named);
  }

  /** Turns in the order in which they were first put, many with one statement. */
  private List<StoredTurn> turns(Collection<TurnId> named) throws SQLException {
    List<String> names = named.stream().map(TurnId::value).toList();
    Map<String, List<Feedback>> told = feedback(names);
    List<Numbered<StoredTurn>> found =
        db.sql(TURNS + " AND turn")
            .with(state.id)
            .listIn(
                names,
                row -> {
                  List<Feedback> feedback = told.getOrDefault(row.getString(1), List.of());
                  return new Numbered<>(row.getLong(10), readTurn(row, feedback));
                });
    return Numbered.inOrder(found).toList();
  }

  Optional<StoredTurn> turn(TurnId turn) throws SQLException {
    return db.sql(TURNS + " AND turn = ?").with(state.id, turn.value()).one(this::readTurn);
  }

  /** At most one agent of a turn, other than this one. */
  List<String> otherAgents(String agent) throws SQLException {
    String spoke = db.dialect().jsonText("body", "agent");
    return db.sql("SELECT " + spoke + " FROM turns WHERE conv = ? AND " + spoke + " <> ? LIMIT 1")
        .with(state.id, agent)
        .list(row -> row.getString(1));
  }

  List<StoredTurn> turns(@Nullable TurnId after, int limit) throws SQLException {
    long start = after == null ? 0 : state.turn(db, after).map(turn -> turn.id).orElse(0L);
    return db.sql(TURNS + " AND id > ? ORDER BY id LIMIT ?")
        .with(state.id, start, limit)
        .list(this::readTurn);
  }

  List<StoredTurn> excludedTurns(long fromSeq, int limit) throws SQLException {
    List<TurnId> excluded =
        db.sql(
                "SELECT turn FROM turns WHERE conv = ? AND status >= 3 AND last_seq >= ?"
                    + " ORDER BY id LIMIT ?")
            .with(state.id, fromSeq, limit)
            .list(row -> TurnId.of(row.getString(1)));
    return turns(excluded);
  }

  private StoredTurn readTurn(ResultSet row) throws SQLException {
    return readTurn(row, feedback(row.getString(1)));
  }

  private static StoredTurn readTurn(ResultSet row, List<Feedback> feedback) throws SQLException {
    String turn = row.getString(1);
    String body = RowChecksum.read(row, 8, turn, "turn", turn);
    return new StoredTurn(
        RowCodec.turn(turn, row.getInt(2), body),
        row.getLong(3),
        row.getLong(4),
        row.getLong(5),
        row.getLong(6),
        row.getLong(7),
        feedback);
  }

  private List<Feedback> feedback(String turn) throws SQLException {
    return feedback(List.of(turn)).getOrDefault(turn, List.of());
  }

  /** By turn, each in the order in which it was first given. */
  private Map<String, List<Feedback>> feedback(List<String> turns) throws SQLException {
    boolean many = turns.size() > 1;
    if (many && !db.sql("SELECT 1 FROM feedback WHERE conv = ? LIMIT 1").exists(state.id)) {
      return Map.of();
    }
    List<Numbered<Map.Entry<String, Feedback>>> found =
        db.sql("SELECT key, body, stamp, id, turn FROM feedback WHERE conv = ? AND turn")
            .with(state.id)
            .listIn(
                turns,
                row -> {
                  String key = row.getString(1);
                  String turn = row.getString(5);
                  String body = RowChecksum.read(row, 2, key, "feedback", key + " on " + turn);
                  Feedback told = new Feedback(key, RowCodec.parse(body));
                  return new Numbered<>(row.getLong(4), Map.entry(turn, told));
                });
    Map<String, List<Feedback>> byTurn = new HashMap<>();
    Numbered.inOrder(found)
        .forEach(
            told ->
                byTurn
                    .computeIfAbsent(told.getKey(), turn -> new ArrayList<>())
                    .add(told.getValue()));
    return byTurn;
  }

  /** A value with the number by which its table orders it. */
  private record Numbered<T>(long number, T value) {
    static <T> Stream<T> inOrder(List<Numbered<T>> rows) {
      return rows.stream().sorted(Comparator.comparingLong(Numbered::number)).map(Numbered::value);
    }
  }

  /** All visibility records that count, by block. */
  List<Visibility> visibility() throws SQLException {
    return visibility.read(1, state.nextSeq).entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .flatMap(ofBlock -> ofBlock.getValue().stream())
        .toList();
  }

  private List<Visibility> visibility(List<StoredBlock> carried, List<StoredBlock> shown)
      throws SQLException {
    List<Visibility> records = new ArrayList<>();
    for (List<StoredBlock> part : List.of(carried, shown)) {
      if (!part.isEmpty()) {
        Map<Long, List<Visibility>> found =
            visibility.read(part.getFirst().seq(), part.getLast().seq());
        part.forEach(block -> records.addAll(found.getOrDefault(block.seq(), List.of())));
      }
    }
    return records;
  }

  List<SourceRow> sources() throws SQLException {
    return db.sql("SELECT sid, body, stamp FROM sources WHERE conv = ? ORDER BY sid")
        .with(state.id)
        .list(
            row -> {
              long sid = row.getLong(1);
              String body = RowChecksum.read(row, 2, sid, "source", Long.toString(sid));
              return RowCodec.source(sid, body);
            });
  }

  /** One row of what is kept with a turn. */
  private record Kept(TurnId turn, int kind, long afterSeq, @Nullable String sha, String body) {}

  private List<StoredWindow.TurnScoped> kept() throws SQLException {
    List<Kept> rows =
        db.sql(
                "SELECT turn, kind, after_seq, sha, body, stamp FROM kept WHERE conv = ? ORDER BY"
                    + " id")
            .with(state.id)
            .list(
                row -> {
                  String turn = row.getString(1);
                  String body = RowChecksum.read(row, 5, turn, "a row kept with turn", turn);
                  return new Kept(
                      TurnId.of(turn), row.getInt(2), row.getLong(3), row.getString(4), body);
                });
    Map<TurnId, List<Kept>> byTurn = new LinkedHashMap<>();
    for (Kept row : rows) {
      byTurn.computeIfAbsent(row.turn(), turn -> new ArrayList<>()).add(row);
    }
    List<StoredWindow.TurnScoped> scoped = new ArrayList<>();
    for (Map.Entry<TurnId, List<Kept>> turn : byTurn.entrySet()) {
      scoped.add(scoped(turn.getKey(), turn.getValue()));
    }
    return scoped;
  }

  private StoredWindow.TurnScoped scoped(TurnId turn, List<Kept> rows) throws SQLException {
    List<Block> announce = new ArrayList<>();
    List<StoredWindow.Transient> transients = new ArrayList<>();
    JsonObject pending = null;
    for (Kept row : rows) {
      switch (row.kind()) {
        case TurnScopedRows.ANNOUNCE -> announce.add(blocks.kept(row.body(), row.sha()));
        case TurnScopedRows.TRANSIENT ->
            transients.add(
                new StoredWindow.Transient(row.afterSeq(), blocks.kept(row.body(), row.sha())));
        default -> pending = RowCodec.parse(row.body());
      }
    }
    return new StoredWindow.TurnScoped(turn, announce, transients, pending);
  }

  private List<PinRow> pins() throws SQLException {
    return db.sql("SELECT path, body, stamp FROM pins WHERE conv = ? ORDER BY id")
        .with(state.id)
        .list(RowCodec::pin);
  }

  SummaryReads summaries() {
    return new SummaryReads(db, state.id);
  }

  Optional<Outcome> outcome(String key) throws SQLException {
    return PreconditionChecker.outcome(db, state.id, key);
  }

  Optional<EpochRow> epoch(String agent) throws SQLException {
    return EpochReads.read(db, state.id, agent);
  }

  List<EpochRow> epochs() throws SQLException {
    return EpochReads.list(db, state.id);
  }

  Optional<RequestRow> request(String id) throws SQLException {
    return RequestReads.read(db, state.id, id);
  }

  List<RequestRow> requests(@Nullable String before, int limit) throws SQLException {
    long end =
        before == null
            ? Long.MAX_VALUE
            : db.sql("SELECT id FROM requests WHERE conv = ? AND request = ?")
                .with(state.id, before)
                .one(row -> row.getLong(1))
                .orElse(Long.MAX_VALUE);
    return db.sql(
            "SELECT request, body, stamp FROM requests WHERE conv = ? AND id < ?"
                + " ORDER BY id DESC LIMIT ?")
        .with(state.id, end, limit)
        .list(RequestReads::row);
  }

  List<ChangeRecord> changes(long after, int limit) throws SQLException {
    NavigableMap<Long, ChangeRecord> changes = new TreeMap<>();
    for (ChangeRecord appended : appended(after, limit)) {
      changes.put(appended.version(), appended);
    }
    for (ChangeRecord noted : noted(after, limit)) {
      changes.merge(
          noted.version(),
          noted,
          (a, n) -> new ChangeRecord(n.version(), n.at(), a.firstSeq(), a.lastSeq(), n.note()));
    }
    return changes.values().stream().limit(limit).toList();
  }

  /** Versions rise with the keys of blocks, so the first ones after a version are found at once. */
  private List<ChangeRecord> appended(long after, int limit) throws SQLException {
    return db.sql(
            "SELECT version, min(id), max(id) FROM blocks WHERE id >= ? AND id <= ? AND version > ?"
                + " GROUP BY version ORDER BY version LIMIT ?")
        .with(firstAfter(after), state.key(state.nextSeq), after, limit)
        .list(
            row ->
                new ChangeRecord(
                    row.getLong(1),
                    null,
                    ConversationState.seq(row.getLong(2)),
                    ConversationState.seq(row.getLong(3)),
                    null));
  }

  private long firstAfter(long version) throws SQLException {
    long low = 1;
    long high = state.nextSeq;
    while (low < high) {
      long middle = (low + high) >>> 1;
      long found =
          db.sql("SELECT version FROM blocks WHERE id >= ? AND id < ? ORDER BY id LIMIT 1")
              .with(state.key(middle), state.key(high))
              .one(row -> row.getLong(1))
              .orElse(Long.MAX_VALUE);
      if (found > version) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return state.key(low);
  }

  private List<ChangeRecord> noted(long after, int limit) throws SQLException {
    return db.sql(
            "SELECT version, at, body, stamp FROM notes WHERE conv = ? AND version > ?"
                + " ORDER BY version LIMIT ?")
        .with(state.id, after, limit)
        .list(
            row -> {
              long version = row.getLong(1);
              String body =
                  RowChecksum.read(row, 3, version, "note of version", Long.toString(version));
              return new ChangeRecord(
                  version, ConversationState.instant(row.getLong(2)), 0, 0, RowCodec.parse(body));
            });
  }

  static List<ConversationEntry> conversations(
      Db db, Scope.OfUser owner, ConversationEntry.@Nullable Cursor after, int limit)
      throws SQLException {
    long time = after == null ? Long.MAX_VALUE : ConversationState.micros(after.activity());
    String last = after == null ? "" : after.conversation();
    Map<String, ConversationState> found = new LinkedHashMap<>();
    db.sql(
            "SELECT "
                + ConversationState.columns()
                + ", conversation FROM conversations WHERE tenant = ? AND project = ? AND owner = ?"
                + " AND activity <= ? AND (activity < ? OR conversation > ?)"
                + " ORDER BY activity DESC, conversation LIMIT ?")
        .with(owner.scope(), owner.user(), time, time, last, limit)
        .list(row -> found.put(row.getString(16), ConversationState.read(row)) == null);
    List<ConversationEntry> entries = new ArrayList<>();
    for (Map.Entry<String, ConversationState> entry : found.entrySet()) {
      ConversationState state = entry.getValue();
      Head head = state.head(state.openTurn(db).orElse(null));
      Instant activity = ConversationState.instant(state.activity);
      entries.add(new ConversationEntry(owner.conversation(entry.getKey()), head, activity));
    }
    return entries;
  }

  static List<UserEntry> users(Db db, Scope scope, UserEntry.@Nullable Cursor after, int limit)
      throws SQLException {
    long time = after == null ? Long.MAX_VALUE : ConversationState.micros(after.activity());
    String last = after == null ? "" : after.user();
    return db.sql(
            "SELECT owner, COUNT(*), MAX(activity) FROM conversations WHERE tenant = ?"
                + " AND project = ? GROUP BY owner HAVING MAX(activity) < ?"
                + " OR (MAX(activity) = ? AND owner > ?)"
                + " ORDER BY MAX(activity) DESC, owner LIMIT ?")
        .with(scope, time, time, last, limit)
        .list(
            row ->
                new UserEntry(
                    row.getString(1), row.getLong(2), ConversationState.instant(row.getLong(3))));
  }
}
