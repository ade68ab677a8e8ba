/**
 * Memory over a store. {@link dev.contexture.engine.memory.stored.MemoryRegistry} gives out one
 * {@link dev.contexture.engine.memory.MemoryStore} for each project; everything else here is what
 * that one is made of.
 */
@NullMarked
package dev.contexture.engine.memory.stored;

import org.jspecify.annotations.NullMarked;
