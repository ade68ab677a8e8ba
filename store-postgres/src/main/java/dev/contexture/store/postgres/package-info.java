/**
 * Storage in a PostgreSQL database: the rows and statements of {@code store-jdbc}, with many
 * transactions at once.
 *
 * <p>In: write sets from any number of threads. Out: what {@link dev.contexture.store.Store}
 * promises. A transaction locks the row of the conversation that it writes to, or draws a number of
 * its project, so that writers of one conversation follow each other and others do not wait. Each
 * transaction names its tenant, and row-level security shows it the rows of no other. What became
 * of a commit whose answer was lost is asked of the database.
 *
 * <pre>{@code
 * try (Store store = PostgresStore.open(PostgresSettings.of("jdbc:postgresql://db/contexture"))) {
 *   store.commit(set);
 * }
 * }</pre>
 */
@NullMarked
package dev.contexture.store.postgres;

import org.jspecify.annotations.NullMarked;
