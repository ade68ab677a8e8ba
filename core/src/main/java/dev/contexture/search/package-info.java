/**
 * Finding turns and memories again.
 *
 * <p>In: a query with {@link dev.contexture.search.SearchOptions}, and what a {@link
 * dev.contexture.search.SearchIndex} and an {@link dev.contexture.search.Embedder} know. Out:
 * {@link dev.contexture.search.SearchResults}, best hit first, each with the parts of its score,
 * and every reason why the answer is less than what was asked for.
 *
 * <pre>{@code
 * RankFusion.fuse(List.of("a", "b"), List.of("b", "c")); // b, a, c
 * }</pre>
 */
@NullMarked
package dev.contexture.search;

import org.jspecify.annotations.NullMarked;
