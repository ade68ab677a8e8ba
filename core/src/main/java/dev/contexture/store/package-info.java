/**
 * The storage of conversations and of the memory of agents: one {@link dev.contexture.store.Store},
 * which knows rows and nothing of their meaning.
 *
 * <p>In: a {@link dev.contexture.store.WriteSet}, that is preconditions and rows of a conversation
 * or of memory or of both. Out: a {@link dev.contexture.store.Commit}, durable as a whole or not at
 * all, and reads, each of one consistent state. Invariants: every call carries its scope; blocks
 * get contiguous sequence numbers and never change; each commit raises the version of its
 * conversation by exactly 1; only erasing removes.
 *
 * <pre>{@code
 * WriteSet set =
 *     WriteSet.of(conversation, now)
 *         .expect(Precondition.open(turn))
 *         .append(List.of(NewBlock.of(block)))
 *         .add(new MemoryRow.AppendUpdate(note, update))
 *         .build();
 * switch (store.commit(set)) {
 *   case Commit.Committed done -> done.firstSeq();
 *   case Commit.Conflict conflict -> conflict.reason();
 * }
 * }</pre>
 */
@NullMarked
package dev.contexture.store;

import org.jspecify.annotations.NullMarked;
