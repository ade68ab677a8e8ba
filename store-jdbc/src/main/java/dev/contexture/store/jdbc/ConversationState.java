package dev.contexture.store.jdbc;

import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.store.CacheTouch;
import dev.contexture.store.Head;
import dev.contexture.timeline.TurnStatus;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The row of one conversation and of turns in use. Confined to the thread that uses it. */
final class ConversationState {
  private static final int MAX_TURNS = 16; // a conversation works on one turn at a time
  private static final String COLUMNS =
      "id, version, erased_version, next_seq, next_sid, turns, kept_turns, blocks, created_at,"
          + " last_activity, title, agent, touch_at, touch_ttl, activity";

  private static final String
      BEHIND = // the newest of the user; the conversation itself stays there
      "top.activity + CASE WHEN top.id = conversations.id THEN 0 ELSE 1 END";

  /**
   * The next place in lists, for a commit at a time in microseconds, which it takes twice: that
   * time, or just behind the newest other conversation of the user if that is later.
   */
  static final String NEXT_ACTIVITY =
      "(SELECT CASE WHEN "
          + BEHIND
          + " > ? THEN "
          + BEHIND
          + " ELSE ? END FROM conversations AS top"
          + " WHERE top.tenant = conversations.tenant AND top.project = conversations.project"
          + " AND top.owner = conversations.owner ORDER BY top.activity DESC LIMIT 1)";

  private static final String FIND =
      "SELECT "
          + COLUMNS
          + " FROM conversations"
          + " WHERE tenant = ? AND project = ? AND owner = ? AND conversation = ?";

  long id;
  long version;
  long erasedVersion;
  long nextSeq = 1;
  long nextSid = 1;
  long turns;
  long keptTurns;
  long blocks;
  long createdAt;
  long lastActivity;
  long activity; // as it was read
  @Nullable String title;
  @Nullable String agent;
  @Nullable CacheTouch touch;
  private final Map<TurnId, TurnState> known = new HashMap<>();

  /** The state of a turn that is needed to write to it. */
  static final class TurnState {
    final long id;
    TurnStatus status;
    long firstSeq;
    long lastSeq;
    long blocks;
    long outboxNumber; // of its row in the outbox, if that was written since it was read; else 0

    TurnState(long id, TurnStatus status) {
      this.id = id;
      this.status = status;
    }
  }

  static Optional<ConversationState> find(Db db, Scope.OfConversation scope) throws SQLException {
    return db.sql(FIND).with(scope).one(ConversationState::read);
  }

  /** The same of a conversation that is to be changed: others wait until this transaction ends. */
  static Optional<ConversationState> lock(Db db, Scope.OfConversation scope) throws SQLException {
    return db.sql(FIND + db.dialect().forUpdate()).with(scope).one(ConversationState::read);
  }

  /** Locks those of several conversations that are there, in one order for all who do so. */
  static void lock(Db db, List<Scope.OfConversation> scopes) throws SQLException {
    String tenant = scopes.getFirst().tenant();
    int places = Integer.highestOneBit(Math.max(1, scopes.size() * 2 - 1)); // few statements
    List<Object> values = new ArrayList<>(List.of(tenant));
    for (int i = 0; i < places; i++) {
      Scope.OfConversation scope = scopes.get(Math.min(i, scopes.size() - 1));
      values.addAll(List.of(scope.project(), scope.user(), scope.conversation()));
    }
    String sql =
        "SELECT "
            + COLUMNS
            + ", project, owner, conversation FROM conversations WHERE tenant = ? AND (project,"
            + " owner, conversation) IN ("
            + String.join(", ", Collections.nCopies(places, "(?, ?, ?)"))
            + ") ORDER BY id"
            + db.dialect().forUpdate();
    Map<Scope.OfConversation, ConversationState> found = new LinkedHashMap<>();
    db.sql(sql)
        .with(values.toArray())
        .list(
            row ->
                found.put(
                        Scope.of(tenant, row.getString(16))
                            .user(row.getString(17))
                            .conversation(row.getString(18)),
                        read(row))
                    == null);
    found.forEach(db::keep);
  }

  /** Reads turns of several conversations that are locked. */
  static void readTurns(Db db, Map<ConversationState, TurnId> wanted) throws SQLException {
    Map<Long, ConversationState> byId = new HashMap<>();
    wanted.keySet().forEach(state -> byId.put(state.id, state));
    List<Map.Entry<ConversationState, TurnId>> all = List.copyOf(wanted.entrySet());
    int places = Integer.highestOneBit(Math.max(1, all.size() * 2 - 1));
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < places; i++) {
      Map.Entry<ConversationState, TurnId> one = all.get(Math.min(i, all.size() - 1));
      values.addAll(List.of(one.getKey().id, one.getValue().value()));
    }
    String sql =
        "SELECT id, status, first_seq, last_seq, blocks, conv, turn FROM turns WHERE (conv, turn)"
            + " IN ("
            + String.join(", ", Collections.nCopies(places, "(?, ?)"))
            + ")";
    db.sql(sql)
        .with(values.toArray())
        .list(
            row -> {
              ConversationState state = Objects.requireNonNull(byId.get(row.getLong(6)));
              state.remember(TurnId.of(row.getString(7)), readTurn(row));
              return true;
            });
  }

  /** The columns that {@link #read} takes. */
  static String columns() {
    return COLUMNS;
  }

  static ConversationState read(ResultSet row) throws SQLException {
    ConversationState state = new ConversationState();
    state.id = row.getLong(1);
    state.version = row.getLong(2);
    state.erasedVersion = row.getLong(3);
    state.nextSeq = row.getLong(4);
    state.nextSid = row.getLong(5);
    state.turns = row.getLong(6);
    state.keptTurns = row.getLong(7);
    state.blocks = row.getLong(8);
    state.createdAt = row.getLong(9);
    state.lastActivity = row.getLong(10);
    state.title = RowCodec.unquoted(row.getString(11));
    state.agent = RowCodec.unquoted(row.getString(12));
    String touched = row.getString(13);
    state.touch = touched == null ? null : new CacheTouch(Instant.parse(touched), row.getLong(14));
    state.activity = row.getLong(15);
    return state;
  }

  Head head(@Nullable TurnId openTurn) {
    return new Head(
        version,
        nextSeq,
        nextSid,
        title,
        openTurn,
        agent,
        turns,
        keptTurns,
        blocks,
        touch,
        instant(createdAt),
        instant(lastActivity));
  }

  Optional<TurnState> turn(Db db, TurnId turn) throws SQLException {
    TurnState cached = known.get(turn);
    if (cached != null) {
      return Optional.of(cached);
    }
    Optional<TurnState> found =
        db.sql(
                "SELECT id, status, first_seq, last_seq, blocks FROM turns WHERE conv = ? AND turn"
                    + " = ?")
            .with(id, turn.value())
            .one(ConversationState::readTurn);
    found.ifPresent(state -> remember(turn, state));
    return found;
  }

  private static TurnState readTurn(ResultSet row) throws SQLException {
    TurnState state = new TurnState(row.getLong(1), RowCodec.status(row.getInt(2)));
    state.firstSeq = row.getLong(3);
    state.lastSeq = row.getLong(4);
    state.blocks = row.getLong(5);
    return state;
  }

  void remember(TurnId turn, TurnState state) {
    if (known.size() >= MAX_TURNS) {
      known.clear();
    }
    known.put(turn, state);
  }

  Optional<TurnId> openTurn(Db db) throws SQLException {
    return db.sql("SELECT turn FROM turns WHERE conv = ? AND status = 0 ORDER BY id DESC LIMIT 1")
        .with(id)
        .one(row -> TurnId.of(row.getString(1)));
  }

  /** The key of a block. */
  long key(long seq) {
    return key(id, seq);
  }

  static long key(long conversation, long seq) {
    return conversation << 32 | seq;
  }

  static long seq(long key) {
    return key & 0xffffffffL;
  }

  static long micros(Instant time) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, time);
  }

  static Instant instant(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }
}
