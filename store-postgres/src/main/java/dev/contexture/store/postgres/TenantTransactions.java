package dev.contexture.store.postgres;

import dev.contexture.store.jdbc.Db;
import org.apiguardian.api.API;

/**
 * Transactions on the database of a store for what is kept beside its rows: they are run again, and
 * bound to a tenant, as those of the store. Thread-safe.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class TenantTransactions {
  /** In place of a tenant: the names of all, and no content. */
  public static final String ALL_TENANTS = PostgresStore.NO_TENANT;

  private final PostgresStore store;

  private TenantTransactions(PostgresStore store) {
    this.store = store;
  }

  public static TenantTransactions of(PostgresStore store) {
    return new TenantTransactions(store);
  }

  /** Runs a reading of one state; perhaps more than once. */
  public <T> T read(String tenant, Db.Work<T> reading) {
    return store.read(tenant, reading);
  }

  /** Runs work and commits it; perhaps more than once, of which all but the last are undone. */
  public <T> T write(String tenant, Db.Work<T> work) {
    return store.write(tenant, work);
  }
}
