package dev.contexture.store.sqlite;

import dev.contexture.store.Store;
import dev.contexture.testkit.StoreContract;

class SqliteInMemoryTest extends StoreContract {
  @Override
  protected Store open() {
    return new InMemoryStore();
  }
}
