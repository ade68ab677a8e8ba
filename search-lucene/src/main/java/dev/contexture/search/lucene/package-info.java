/**
 * Search in a directory, with Lucene: BM25 over English, folded and paired words, and cosine over
 * vectors. In: changes of entries. Out: entries by relevance. One index for each tenant and
 * project, which keeps in its own commit how far it has come.
 */
@NullMarked
package dev.contexture.search.lucene;

import org.jspecify.annotations.NullMarked;
