/**
 * The memory of agents: {@link dev.contexture.engine.memory.MemoryStore}, the memory of one
 * (tenant, project), and its values. {@code stored} keeps it in a store.
 *
 * <p>In: operations on labelled blocks, by an actor. Out: documents, metadata, history, and notices
 * of what changed. Invariants: every write passes the gate with the level in force when it is
 * committed; a call that returned is durable; a call that failed changed nothing; what others
 * committed meanwhile is merged, never overwritten.
 *
 * <pre>{@code
 * MemoryStore memory = cx.memory(Scope.of("acme", "shop"));
 * memory.createBlock("atlas", BlockSpec.of("notes", MemoryBlockType.WORKING));
 * memory.appendToBlock("atlas", "notes", "buy milk");
 * memory.getRenderedContent("atlas", "notes"); // buy milk
 * }</pre>
 */
@NullMarked
package dev.contexture.engine.memory;

import org.jspecify.annotations.NullMarked;
