package dev.contexture.store.jdbc;

import dev.contexture.block.Scope;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A connection that keeps its prepared statements, and what it knows of the conversations that it
 * wrote to. Confined to one thread at a time.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Db implements AutoCloseable {
  private static final int MAX_STATES = 4_096;
  private static final int MAX_KEYS = 128;

  private final Connection connection;
  private final SqlDialect dialect;
  private final FaultPoint faults;
  private final Map<String, Prepared> statements = new HashMap<>();
  private final Map<Scope.OfConversation, ConversationState> states = new HashMap<>();
  private final Map<String, List<@Nullable Object[]>> later = new LinkedHashMap<>();
  private final @Nullable OutboxReads outboxReads;
  private long writes;
  private @Nullable Transaction transaction; // as soon as it was asked for

  /**
   * A transaction that writes.
   *
   * @param number of the first row that it adds to an outbox or to events
   * @param name by which the database knows it
   */
  private record Transaction(AtomicLong number, String name) {}

  private record Prepared(PreparedStatement statement, long places) {}

  /** Reads one row. */
  public interface Mapper<T> {
    T map(ResultSet row) throws SQLException;
  }

  /** A piece of work that is read in one state, or written as a whole. */
  public interface Work<T> {
    T run(Db db) throws SQLException;
  }

  /**
   * Tells whether the effect of a piece of work can be seen, after its commit was reported to fail.
   */
  public interface Landed<T> {
    boolean test(Db db, T result) throws SQLException;
  }

  /** A place where a test makes a write fail; reached before each of them. */
  public interface FaultPoint {
    void reach(String point) throws SQLException;

    FaultPoint NONE = point -> {};
  }

  /**
   * @param connection that is closed with this
   */
  public Db(Connection connection, SqlDialect dialect, FaultPoint faults) {
    this(connection, dialect, faults, null);
  }

  /**
   * @param connection that is closed with this
   * @param outboxReads what all connections to the database share, if one thread alone writes
   */
  public Db(
      Connection connection,
      SqlDialect dialect,
      FaultPoint faults,
      @Nullable OutboxReads outboxReads) {
    this.connection = connection;
    this.dialect = dialect;
    this.faults = faults;
    this.outboxReads = outboxReads;
  }

  /** What was read of the outbox, where that is known. */
  @Nullable OutboxReads outboxReads() {
    return outboxReads;
  }

  SqlDialect dialect() {
    return dialect;
  }

  /** The connection itself, for what only its database knows. */
  public Connection connection() {
    return connection;
  }

  /** Runs statements that return nothing of interest, outside of what faults reach. */
  public void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** How often something was written, or was tried to. */
  public long writes() {
    return writes;
  }

  /** A statement, which is prepared once. */
  public Query sql(String sql) {
    return new Query(sql);
  }

  /** A statement with its values. Confined to the thread of its connection. */
  public final class Query {
    private final String sql;
    private @Nullable Object[] values = {};

    private Query(String sql) {
      this.sql = sql;
    }

    /**
     * Gives its values, in order. A scope stands for its parts: tenant and project, and user and
     * conversation for that of a conversation. A time is kept in microseconds, a truth as 1 or 0.
     */
    public Query with(@Nullable Object... values) {
      this.values = values;
      return this;
    }

    public int update(@Nullable Object... values) throws SQLException {
      writes++;
      faults.reach(sql);
      return with(values).bound().executeUpdate();
    }

    /**
     * Writes before the next statement or the end of the transaction, where the database takes
     * several at once: those of one kind together, whatever came between. For rows that no
     * statement of another kind which is written so names.
     */
    public void later(@Nullable Object... values) throws SQLException {
      if (!dialect.takesBatches()) {
        update(values);
        return;
      }
      writes++;
      faults.reach(sql);
      later.computeIfAbsent(sql, first -> new ArrayList<>()).add(values);
    }

    /** Inserts a row with a statement that ends with {@code RETURNING}, and gives that number. */
    public long insert(@Nullable Object... values) throws SQLException {
      writes++;
      faults.reach(sql);
      return with(values).one(row -> row.getLong(1)).orElseThrow();
    }

    public <T> List<T> list(Mapper<T> mapper) throws SQLException {
      try (ResultSet rows = bound().executeQuery()) {
        List<T> found = new ArrayList<>();
        while (rows.next()) {
          found.add(mapper.map(rows));
        }
        return found;
      }
    }

    public <T> Optional<T> one(Mapper<T> mapper) throws SQLException {
      try (ResultSet rows = bound().executeQuery()) {
        return rows.next() ? Optional.of(mapper.map(rows)) : Optional.empty();
      }
    }

    public boolean exists(@Nullable Object... values) throws SQLException {
      return with(values).one(row -> true).isPresent();
    }

    /**
     * Lists what it finds for keys, a hundred or so of them with one statement.
     *
     * @param keys the values of {@code IN}, which is put behind the statement
     */
    public <T> List<T> listIn(Collection<?> keys, Mapper<T> mapper) throws SQLException {
      List<T> found = new ArrayList<>();
      List<?> all = List.copyOf(keys);
      for (int from = 0; from < all.size(); from += MAX_KEYS) {
        List<?> some = all.subList(from, Math.min(all.size(), from + MAX_KEYS));
        int places = Integer.highestOneBit(Math.max(1, some.size() * 2 - 1)); // few statements
        @Nullable Object[] bound = Arrays.copyOf(values, values.length + places);
        for (int i = 0; i < places; i++) {
          bound[values.length + i] = some.get(Math.min(i, some.size() - 1));
        }
        String in = " IN (" + String.join(", ", Collections.nCopies(places, "?")) + ")";
        found.addAll(new Query(sql + in).with(bound).list(mapper));
      }
      return found;
    }

    private PreparedStatement bound() throws SQLException {
      writeWaiting();
      return bind();
    }

    private PreparedStatement bind() throws SQLException {
      Prepared prepared = statements.get(sql);
      if (prepared == null) {
        long places = sql.chars().filter(c -> c == '?').count();
        prepared = new Prepared(connection.prepareStatement(sql), places);
        statements.put(sql, prepared);
      }
      PreparedStatement statement = prepared.statement;
      int place = 0;
      for (Object value : values) {
        place++;
        switch (value) {
          case null -> statement.setNull(place, java.sql.Types.NULL);
          case Long number -> statement.setLong(place, number);
          case Integer number -> statement.setInt(place, number);
          case Boolean truth -> statement.setInt(place, truth ? 1 : 0);
          case String text -> statement.setString(place, text);
          case byte[] bytes -> statement.setBytes(place, bytes);
          case Instant time -> statement.setLong(place, ConversationState.micros(time));
          case Scope scope -> place = bind(statement, place, scope);
          case Scope.OfConversation scope -> {
            place = bind(statement, place, scope.owner().scope());
            statement.setString(++place, scope.user());
            statement.setString(++place, scope.conversation());
          }
          default -> throw new IllegalArgumentException("no column type for " + value.getClass());
        }
      }
      if (place != prepared.places) { // a database may take the values of the time before
        throw new IllegalArgumentException(
            "values: " + place + ", places: " + prepared.places + " in " + sql);
      }
      return statement;
    }

    private static int bind(PreparedStatement statement, int place, Scope scope)
        throws SQLException {
      statement.setString(place, scope.tenant());
      statement.setString(place + 1, scope.project());
      return place + 1;
    }
  }

  /** Writes what waits. */
  void writeWaiting() throws SQLException {
    if (later.isEmpty()) {
      return;
    }
    Map<String, List<@Nullable Object[]>> waiting = new LinkedHashMap<>(later);
    later.clear();
    for (Map.Entry<String, List<@Nullable Object[]>> statement : waiting.entrySet()) {
      PreparedStatement batch = null;
      for (@Nullable Object[] values : statement.getValue()) {
        batch = sql(statement.getKey()).with(values).bind();
        batch.addBatch();
      }
      if (batch != null) {
        batch.executeBatch();
      }
    }
  }

  /** Takes the state of a conversation that is to be written; whoever applies it keeps it again. */
  ConversationState take(Scope.OfConversation scope) throws SQLException {
    ConversationState known = states.remove(scope);
    return known == null
        ? ConversationState.lock(this, scope).orElseGet(ConversationState::new)
        : known;
  }

  /** The state of a conversation that was locked. */
  Optional<ConversationState> known(Scope.OfConversation scope) {
    return Optional.ofNullable(states.get(scope));
  }

  void keep(Scope.OfConversation scope, ConversationState state) {
    if (states.size() >= MAX_STATES) {
      states.clear();
    }
    states.put(scope, state);
  }

  /** Forgets what it knows of conversations, which may be undone or erased. */
  public void forget() {
    states.clear();
  }

  /** The number of the next row of an outbox or of events; null: their tables number rows. */
  @Nullable Long nextNumber() throws SQLException {
    Transaction known = transaction();
    return known == null ? null : known.number.getAndIncrement();
  }

  /** By which name the database knows this transaction, if it gives names. */
  public Optional<String> transactionName() throws SQLException {
    Transaction known = transaction();
    return known == null ? Optional.empty() : Optional.of(known.name);
  }

  private @Nullable Transaction transaction() throws SQLException {
    String query = dialect.transaction().orElse(null);
    if (transaction == null && query != null) {
      transaction =
          sql(query)
              .one(row -> new Transaction(new AtomicLong(row.getLong(1)), row.getString(2)))
              .orElseThrow();
    }
    return transaction;
  }

  public void commit() throws SQLException {
    try {
      writeWaiting();
      transaction = null;
      faults.reach("COMMIT");
      connection.commit();
      faults.reach("COMMITTED");
    } finally {
      ended();
    }
  }

  public void rollback() throws SQLException {
    try {
      later.clear();
      transaction = null;
      forget();
      connection.rollback();
    } finally {
      ended();
    }
  }

  private void ended() {
    if (outboxReads != null) {
      outboxReads.ended();
    }
  }

  @Override
  public void close() throws SQLException {
    try {
      for (Prepared prepared : statements.values()) {
        prepared.statement.close();
      }
    } finally {
      try {
        connection.close();
      } finally {
        ended();
      }
    }
  }
}
