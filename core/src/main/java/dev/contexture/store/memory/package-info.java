/**
 * The rows of agents' memory: what a {@link dev.contexture.store.MemoryRow} puts and a {@link
 * dev.contexture.store.MemoryReader} gives back.
 *
 * <p>In: the words of callers, which a store keeps as they are. Out: the same, with the numbers
 * that the store gave. Invariants: updates of a memory block are numbered 1, 2, … without a gap,
 * and only consolidation by number and erasing remove their content; a label is unique among the
 * live blocks of its owner; versions of settings and shares only rise.
 */
@NullMarked
package dev.contexture.store.memory;

import org.jspecify.annotations.NullMarked;
