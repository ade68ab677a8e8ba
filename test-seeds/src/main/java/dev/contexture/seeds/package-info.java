/**
 * The seed of every random choice in tests. In: the flags {@code -Dseed} and {@code -Dtries}. Out:
 * seeds and sources of random numbers that are the same in every run, unless a flag says otherwise.
 *
 * <pre>{@code
 * Random random = TestSeed.random(7);   // equal to new Random(7) without flags
 * }</pre>
 */
@NullMarked
package dev.contexture.seeds;

import org.jspecify.annotations.NullMarked;
