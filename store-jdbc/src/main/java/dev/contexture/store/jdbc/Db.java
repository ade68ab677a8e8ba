package dev.contexture.store.jdbc;

import dev.contexture.block.Scope;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A connection that keeps its prepared statements, and what it knows of the conversations that it
 * wrote to. Confined to one thread at a time.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Db implements AutoCloseable {
  private static final int MAX_STATES = 4_096;

  private final Connection connection;
  private final Dialect dialect;
  private final FaultPoint faults;
  private final Map<String, PreparedStatement> statements = new HashMap<>();
  private final Map<Scope.OfConversation, ConversationState> states = new HashMap<>();
  private long writes;

  /** Reads one row. */
  public interface Mapper<T> {
    T map(ResultSet row) throws SQLException;
  }

  /** What is read in one state, or written as a whole. */
  public interface Work<T> {
    T run(Db db) throws SQLException;
  }

  /** Whether what a piece of work led to can be seen, after its commit was reported to fail. */
  public interface Landed<T> {
    boolean test(Db db, T result) throws SQLException;
  }

  /** Where a test makes a write fail; reached before each of them. */
  public interface FaultPoint {
    void reach(String point) throws SQLException;

    FaultPoint NONE = point -> {};
  }

  /**
   * @param connection that is closed with this
   */
  public Db(Connection connection, Dialect dialect, FaultPoint faults) {
    this.connection = connection;
    this.dialect = dialect;
    this.faults = faults;
  }

  Dialect dialect() {
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

  public int update(String sql, @Nullable Object... arguments) throws SQLException {
    writes++;
    faults.reach(sql);
    return bound(sql, arguments).executeUpdate();
  }

  /** Inserts a row with a statement that ends with {@code RETURNING}, and gives that number. */
  public long insert(String sql, @Nullable Object... arguments) throws SQLException {
    writes++;
    faults.reach(sql);
    return one(sql, row -> row.getLong(1), arguments).orElseThrow();
  }

  public <T> List<T> list(String sql, Mapper<T> mapper, @Nullable Object... arguments)
      throws SQLException {
    try (ResultSet rows = bound(sql, arguments).executeQuery()) {
      List<T> found = new ArrayList<>();
      while (rows.next()) {
        found.add(mapper.map(rows));
      }
      return found;
    }
  }

  public <T> Optional<T> one(String sql, Mapper<T> mapper, @Nullable Object... arguments)
      throws SQLException {
    try (ResultSet rows = bound(sql, arguments).executeQuery()) {
      return rows.next() ? Optional.of(mapper.map(rows)) : Optional.empty();
    }
  }

  public boolean exists(String sql, @Nullable Object... arguments) throws SQLException {
    return one(sql, row -> true, arguments).isPresent();
  }

  private PreparedStatement bound(String sql, @Nullable Object... arguments) throws SQLException {
    PreparedStatement statement = statements.get(sql);
    if (statement == null) {
      statement = connection.prepareStatement(sql);
      statements.put(sql, statement);
    }
    for (int i = 0; i < arguments.length; i++) {
      Object argument = arguments[i];
      switch (argument) {
        case null -> statement.setNull(i + 1, java.sql.Types.NULL);
        case Long number -> statement.setLong(i + 1, number);
        case Integer number -> statement.setInt(i + 1, number);
        case String text -> statement.setString(i + 1, text);
        case byte[] bytes -> statement.setBytes(i + 1, bytes);
        default -> throw new IllegalArgumentException("no column type for " + argument.getClass());
      }
    }
    return statement;
  }

  /** Takes the state of a conversation that is to be written; whoever applies it keeps it again. */
  ConversationState take(Scope.OfConversation scope) throws SQLException {
    ConversationState known = states.remove(scope);
    return known == null
        ? ConversationState.find(this, scope).orElseGet(ConversationState::new)
        : known;
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

  public void commit() throws SQLException {
    faults.reach("COMMIT");
    connection.commit();
    faults.reach("COMMITTED");
  }

  public void rollback() throws SQLException {
    forget();
    connection.rollback();
  }

  @Override
  public void close() throws SQLException {
    for (PreparedStatement statement : statements.values()) {
      statement.close();
    }
    connection.close();
  }
}
