/**
 * Conditions that the words of a passage meet or not. In: a query that Lucene has read. Out: the
 * same for an index that is not of Lucene.
 */
@NullMarked
package dev.contexture.search.lucene.condition;

import org.jspecify.annotations.NullMarked;
