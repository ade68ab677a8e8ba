/**
 * What agents' memory is kept in: one {@link dev.contexture.store.memory.MemoryTables}, reached
 * through {@link dev.contexture.store.Store#memory}, which knows rows and nothing of what they
 * mean.
 *
 * <p>In: a {@link dev.contexture.store.memory.MemoryWriteSet}, that is preconditions and rows of
 * one (tenant, project). Out: a {@link dev.contexture.store.memory.MemoryCommit}, durable as a
 * whole or not at all, and reads, each of one consistent state. Invariants: updates of a block are
 * numbered 1, 2, … without a gap, and only consolidation by number and erasing remove their
 * content; a label is unique among the live blocks of its owner; versions of settings and shares
 * only rise.
 *
 * <pre>{@code
 * MemoryWriteSet set =
 *     MemoryWriteSet.of(scope, now)
 *         .expect(new MemoryPrecondition.SettingsAre(block, 1))
 *         .add(new MemoryRow.AppendUpdate(block, update))
 *         .build();
 * switch (store.memory().commit(set)) {
 *   case MemoryCommit.Committed done -> done.lastEvent();
 *   case MemoryCommit.Conflict conflict -> conflict.reason();
 * }
 * }</pre>
 */
@NullMarked
package dev.contexture.store.memory;

import org.jspecify.annotations.NullMarked;
