package dev.contexture.store.postgres;

import dev.contexture.search.SearchIndex;
import dev.contexture.search.postgres.PostgresIndexes;
import dev.contexture.testkit.SearchIndexContract;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** The contract on the newest server there is, as a role that row-level security binds. */
class SearchNewestTest extends SearchIndexContract {
  private @Nullable PostgresSettings database;
  private @Nullable PostgresStore store;

  PostgresServer server() {
    return PostgresServer.newest();
  }

  @Override
  protected SearchIndex.Provider open(Path folder) {
    closeStore(); // what is open is the same database, as after a start
    PostgresSettings used = database == null ? server().empty("search") : database;
    PostgresStore opened = PostgresStore.open(used);
    database = used;
    store = opened;
    return PostgresIndexes.in(opened);
  }

  @AfterEach
  void closeStore() {
    if (store != null) {
      store.close();
    }
  }
}
