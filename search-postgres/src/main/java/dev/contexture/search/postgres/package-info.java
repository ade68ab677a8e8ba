/**
 * Search in the database of a store, for servers without a disk of their own. In: changes of
 * entries, from whichever server has the duty. Out: entries by relevance. The words of each passage
 * are a {@code tsvector}, which finds candidates; how often words stand in a project decides in
 * which order they come. All servers share one index, which keeps how far it has come in the
 * transactions that write it.
 */
@NullMarked
package dev.contexture.search.postgres;

import org.jspecify.annotations.NullMarked;
