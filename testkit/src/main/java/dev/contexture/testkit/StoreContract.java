package dev.contexture.testkit;

import org.apiguardian.api.API;

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
public abstract class StoreContract extends StoreBulkEraseContract {}
