package dev.contexture.store.postgres;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.store.jdbc.copy.CopiedTable;
import dev.contexture.store.jdbc.copy.CopySide;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.apiguardian.api.API;

/** A database that is copied or filled while no server works on it. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class PostgresCopySide extends CopySide {
  private static final String SEES_ALL =
      "SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user";
  private static final String SERVED =
      "SELECT EXISTS (SELECT 1 FROM nodes WHERE seen > now() - INTERVAL '30 seconds')";
  private static final String PAGES =
      "SELECT coalesce(sum(pg_relation_size(c.oid)), 0) = 0 FROM pg_class c WHERE c.oid ="
          + " to_regclass(?) OR c.oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent ="
          + " to_regclass(?))";
  private static final int NUMBER_BITS = 20;

  private final String address;

  private PostgresCopySide(String address, Connection connection) {
    super(connection);
    this.address = address;
  }

  /**
   * Opens a database to be copied, as it is now.
   *
   * @throws ContextureException {@code store_in_use} if a server works on it; {@code
   *     invalid_argument} for a role from which row-level security hides rows
   */
  public static PostgresCopySide source(PostgresSettings settings) {
    PostgresCopySide side = open(settings);
    try {
      side.requireAll();
      try (Statement statement = side.connection().createStatement()) {
        side.connection().rollback();
        statement.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
      }
      return side;
    } catch (SQLException failed) {
      side.close();
      throw side.failed(failed);
    } catch (RuntimeException refused) {
      side.close();
      throw refused;
    }
  }

  private void requireAll() throws SQLException {
    if (!isTrue(SEES_ALL)) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT,
          "--jdbc-user",
          "a role from which row-level security hides rows",
          "a superuser or a role with BYPASSRLS, as for pg_dump");
    }
  }

  /** Opens a database to be filled, whose tables are made. */
  public static PostgresCopySide target(PostgresSettings settings) {
    if (!holdsPart(settings)) {
      PostgresStore.open(settings).close();
    }
    return open(settings);
  }

  private static boolean holdsPart(PostgresSettings settings) {
    try (Connection connection = connect(settings);
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("SELECT to_regclass('" + PROGRESS + "') IS NOT NULL")) {
      return row.next() && row.getBoolean(1);
    } catch (SQLException failed) {
      throw PostgresErrors.of(failed, settings.address());
    }
  }

  private static Connection connect(PostgresSettings settings) throws SQLException {
    Properties login = new Properties();
    login.setProperty("logServerErrorDetail", "false"); // it quotes rows
    if (settings.user() != null) {
      login.setProperty("user", settings.user());
    }
    if (settings.password() != null) {
      login.setProperty("password", settings.password());
    }
    return DriverManager.getConnection(settings.url(), login);
  }

  private static PostgresCopySide open(PostgresSettings settings) {
    try {
      PostgresCopySide side = new PostgresCopySide(settings.address(), connect(settings));
      try {
        side.connection().setAutoCommit(false);
        side.requireQuiet();
        return side;
      } catch (SQLException | RuntimeException failed) {
        side.close();
        throw failed;
      }
    } catch (SQLException failed) {
      throw PostgresErrors.of(failed, settings.address());
    }
  }

  private void requireQuiet() throws SQLException {
    if (isTrue(SERVED)) {
      throw new ContextureException(
          ErrorCode.STORE_IN_USE,
          address + " is used by a server; stop all of them, and try again half a minute later");
    }
  }

  private boolean isTrue(String query) throws SQLException {
    try (Statement statement = connection().createStatement();
        ResultSet row = statement.executeQuery(query)) {
      return row.next() && row.getBoolean(1);
    }
  }

  @Override
  public String name() {
    return "postgres://" + address;
  }

  @Override
  protected Optional<String> tenantOf(CopiedTable table) {
    return table.place() == CopiedTable.TenantPlace.NONE
        ? Optional.of("'" + PostgresStore.NO_TENANT + "'")
        : Optional.empty();
  }

  @Override
  protected void use(String tenant) throws SQLException {
    try (PreparedStatement set =
        connection().prepareStatement("SELECT set_config('contexture.tenant', ?, true)")) {
      set.setString(1, tenant);
      set.execute();
    }
  }

  /** By the pages of its files: rows of tenants that are not known are hidden. */
  @Override
  protected boolean isEmpty(CopiedTable table) throws SQLException {
    try (PreparedStatement pages = connection().prepareStatement(PAGES)) {
      pages.setString(1, table.table());
      pages.setString(2, table.table());
      try (ResultSet row = pages.executeQuery()) {
        return row.next() && row.getBoolean(1);
      }
    }
  }

  @Override
  protected void numberBehind(Map<CopiedTable, Long> lastIds, long lastNumber) throws SQLException {
    String next =
        "SELECT setval(s, ?) FROM (SELECT pg_get_serial_sequence(?, 'id') AS s) AS sequence WHERE"
            + " s IS NOT NULL";
    try (PreparedStatement set = connection().prepareStatement(next)) {
      for (Map.Entry<CopiedTable, Long> last : lastIds.entrySet()) {
        if (last.getValue() > 0) {
          set.setLong(1, last.getValue());
          set.setString(2, last.getKey().table());
          set.execute();
        }
      }
    }
    try (PreparedStatement move =
        connection().prepareStatement("UPDATE clock SET base = greatest(base, ?)")) {
      move.setLong(1, (lastNumber >> NUMBER_BITS) + 1);
      move.executeUpdate();
    }
  }

  @Override
  protected ContextureException failed(SQLException failure) {
    return PostgresErrors.of(failure, address);
  }
}
