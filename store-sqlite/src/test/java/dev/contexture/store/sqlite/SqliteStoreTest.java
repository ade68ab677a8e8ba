package dev.contexture.store.sqlite;

import dev.contexture.store.Store;
import dev.contexture.testkit.StoreContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteStoreTest extends StoreContract {
  @TempDir Path directory;

  @Override
  protected Store open() {
    return SqliteStore.open(directory);
  }
}
