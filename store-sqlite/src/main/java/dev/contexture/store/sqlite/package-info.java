/**
 * Embedded storage: a directory with one SQLite database, owned by one process at a time.
 *
 * <p>In: write sets from any number of threads. Out: what {@link dev.contexture.store.Store}
 * promises. One thread writes; it puts the sets that wait into one transaction, each under its own
 * savepoint, so that many callers share one sync of the disk and one bad set fails alone. Reads run
 * on a few threads with a connection each. Callers never enter SQLite themselves, so that a virtual
 * thread never holds its carrier there.
 *
 * <pre>{@code
 * try (Store store = SqliteStore.open(Path.of("data"))) {
 *   store.commit(set);
 * }
 * }</pre>
 */
@NullMarked
package dev.contexture.store.sqlite;

import org.jspecify.annotations.NullMarked;
