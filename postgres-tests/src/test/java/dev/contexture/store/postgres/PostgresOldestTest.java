package dev.contexture.store.postgres;

import dev.contexture.store.Store;
import dev.contexture.testkit.StoreContract;

/** The contract on the oldest server that is supported. */
class PostgresOldestTest extends StoreContract {
  @Override
  protected Store open() {
    return PostgresStore.open(PostgresServer.oldest().empty("contract"));
  }
}
