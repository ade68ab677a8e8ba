package dev.contexture.testkit;

import dev.contexture.store.Store;

class InMemoryStoreTest extends StoreContract {
  @Override
  protected Store open() {
    return new InMemoryStore();
  }
}
