package dev.contexture.store.jdbc.copy;

import dev.contexture.error.ContextureException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A database that rows are copied from or to, while nobody else writes there. Confined to one
 * thread.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public abstract class CopySide implements AutoCloseable {
  /** What a copy that is not finished leaves: which rows are there. */
  public static final String PROGRESS = "copy_progress";

  private final Connection connection;

  /**
   * @param connection that is closed with this; it commits nothing by itself
   */
  protected CopySide(Connection connection) {
    this.connection = connection;
  }

  /** By which name a copy that is taken up again knows what it came from. */
  public abstract String name();

  /** The SQL that tells the tenant of a row {@code r}, where its table has no column for it. */
  protected abstract Optional<String> tenantOf(CopiedTable table);

  /** Makes the rows of a tenant readable and writable until the transaction ends. */
  protected abstract void use(String tenant) throws SQLException;

  /** Whether a table holds nothing, as far as can be seen. */
  protected abstract boolean isEmpty(CopiedTable table) throws SQLException;

  /**
   * Sees to it that what is written from now on gets numbers behind the copied ones.
   *
   * @param lastIds the highest id of each table that has some
   * @param lastNumber the highest number of a change or an event
   */
  protected abstract void numberBehind(Map<CopiedTable, Long> lastIds, long lastNumber)
      throws SQLException;

  /** What a caller is told of a failure of this database. */
  protected abstract ContextureException failed(SQLException failure);

  /** Its connection. */
  protected final Connection connection() {
    return connection;
  }

  /** What a store that is opened says of a copy that did not come to its end. */
  public static String unfinished(String address) {
    return address
        + " holds a part of a copy; run contexture copy again, which goes on where it ended";
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException broken) {
      throw failed(broken);
    }
  }
}
