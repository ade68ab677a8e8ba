package dev.contexture.store.postgres;

/** The contract on the oldest server that is supported. */
class SearchOldestTest extends SearchNewestTest {
  @Override
  PostgresServer server() {
    return PostgresServer.oldest();
  }
}
