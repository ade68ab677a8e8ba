package dev.contexture.testkit;

import dev.contexture.store.Store;
import org.apiguardian.api.API;
import org.junit.jupiter.api.Nested;

/**
 * What every store must do. A backend passes it with a subclass that opens an empty store:
 *
 * <pre>{@code
 * class SqliteStoreTest extends StoreContract {
 *   @TempDir Path directory;
 *
 *   @Override
 *   protected Store open() {
 *     return SqliteStore.open(directory);
 *   }
 * }
 * }</pre>
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public abstract class StoreContract {
  /** Opens a store without any data. */
  protected abstract Store open() throws Exception;

  @Nested
  class Commits extends StoreWriteContract {
    @Override
    Store open() throws Exception {
      return StoreContract.this.open();
    }
  }

  @Nested
  class Reads extends StoreReadContract {
    @Override
    Store open() throws Exception {
      return StoreContract.this.open();
    }
  }

  @Nested
  class Windows extends StoreWindowContract {
    @Override
    Store open() throws Exception {
      return StoreContract.this.open();
    }
  }

  @Nested
  class BatchReads extends StoreBatchReadContract {
    @Override
    Store open() throws Exception {
      return StoreContract.this.open();
    }
  }

  @Nested
  class Memory extends StoreMemoryContract {
    @Override
    Store open() throws Exception {
      return StoreContract.this.open();
    }
  }

  @Nested
  class Erasure extends StoreEraseContract {
    @Override
    Store open() throws Exception {
      return StoreContract.this.open();
    }
  }

  @Nested
  class MemoryErasure extends StoreMemoryEraseContract {
    @Override
    Store open() throws Exception {
      return StoreContract.this.open();
    }
  }

  @Nested
  class UserMemory extends StoreUserMemoryContract {
    @Override
    Store open() throws Exception {
      return StoreContract.this.open();
    }
  }

  @Nested
  class BulkErasure extends StoreBulkEraseContract {
    @Override
    Store open() throws Exception {
      return StoreContract.this.open();
    }
  }

  @Nested
  class Tenancy extends StoreTenancyContract {
    @Override
    Store open() throws Exception {
      return StoreContract.this.open();
    }
  }

  @Nested
  class MemoryTenancy extends StoreMemoryTenancyContract {
    @Override
    Store open() throws Exception {
      return StoreContract.this.open();
    }
  }

  @Nested
  class Concurrency extends StoreConcurrencyContract {
    @Override
    Store open() throws Exception {
      return StoreContract.this.open();
    }
  }
}
