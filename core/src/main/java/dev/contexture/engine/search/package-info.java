/**
 * Keeps search indexes in step with the store, and answers searches.
 *
 * <p>In: the store's outbox, queries. Out: {@link dev.contexture.search.SearchResults} whose hits
 * were checked against the store. Nothing here runs on the path of a write.
 */
@NullMarked
package dev.contexture.engine.search;

import org.jspecify.annotations.NullMarked;
