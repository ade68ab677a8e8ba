package dev.contexture.store.postgres;

import dev.contexture.search.SearchIndex;
import dev.contexture.search.postgres.PostgresIndexes;
import dev.contexture.testkit.SearchIndexContract;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;

/** The contract on the newest server there is, as a role that row-level security binds. */
class SearchNewestTest extends SearchIndexContract {
  private PostgresSettings database;
  private PostgresStore store;

  PostgresServer server() {
    return PostgresServer.newest();
  }

  @Override
  protected SearchIndex.Provider open(Path folder) {
    if (database == null) {
      database = server().empty("search");
    } else {
      store.close(); // what is open is the same database, as after a start
    }
    store = PostgresStore.open(database);
    return PostgresIndexes.in(store);
  }

  @AfterEach
  void closeStore() {
    store.close();
  }
}
