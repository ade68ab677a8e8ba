package dev.contexture.store.postgres;

import dev.contexture.store.Store;
import dev.contexture.testkit.StoreContract;

/** The contract on the newest server there is, as a role that row-level security binds. */
class PostgresNewestTest extends StoreContract {
  @Override
  protected Store open() {
    return PostgresStore.open(PostgresServer.newest().empty("contract"));
  }
}
