package dev.contexture.search.postgres;

import dev.contexture.block.Scope;
import dev.contexture.search.SearchIndex;
import dev.contexture.store.postgres.PostgresStore;
import dev.contexture.store.postgres.TenantTransactions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apiguardian.api.API;

/**
 * The indexes in the database of a store, one for each tenant and project, which all servers of
 * that database share. Closing it lets go of nothing: the connections are those of the store.
 * Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class PostgresIndexes implements SearchIndex.Provider {
  /** What it is called in settings and status. */
  public static final String KIND = "postgres";

  private final TenantTransactions database;
  private final boolean extension;
  private final Map<Scope, PostgresIndex> known = new ConcurrentHashMap<>();

  private PostgresIndexes(TenantTransactions database, boolean extension) {
    this.database = database;
    this.extension = extension;
  }

  /** The indexes in the database of a store, which must outlive them. */
  public static PostgresIndexes in(PostgresStore store) {
    TenantTransactions database = TenantTransactions.of(store);
    return new PostgresIndexes(
        database, database.read(TenantTransactions.ALL_TENANTS, VectorSearch::isThere));
  }

  /** Whether the database compares vectors itself (pgvector). */
  public boolean comparesVectors() {
    return extension;
  }

  @Override
  public SearchIndex open(Scope scope) {
    return known.computeIfAbsent(
        scope,
        first -> {
          PostgresIndex index = new PostgresIndex(database, scope, extension);
          index.bringUp();
          return index;
        });
  }

  @Override
  public boolean exists(Scope scope) {
    return database.read(scope.tenant(), db -> PositionRow.isThere(db, scope));
  }

  @Override
  public void drop(Scope scope) {
    int unused =
        database.write(
            scope.tenant(),
            db -> {
              ChangeWriter.clear(db, scope);
              return SqlText.of("DELETE FROM search_positions WHERE", scope).update(db);
            });
  }

  @Override
  public Optional<String> kind() {
    return Optional.of(KIND);
  }

  @Override
  public List<Scope> scopes() {
    return database.read(
        TenantTransactions.ALL_TENANTS,
        db ->
            SqlText.of("SELECT tenant, project FROM search_positions ORDER BY 1, 2")
                .list(db, row -> Scope.of(row.getString(1), row.getString(2))));
  }

  @Override
  public void close() {
    known.clear();
  }
}
