/**
 * Blocks of memory as their rows have them.
 *
 * <p>In: rows of a block, and the store. Out: what is set about it, and the text by which it is
 * listed and searched. Invariant: the text is that of the content, wherever it comes from.
 *
 * <pre>{@code
 * new BlockTexts(store, scope).of(row); // what prompts show of the block, all lines of it
 * }</pre>
 */
@NullMarked
package dev.contexture.engine.document;

import org.jspecify.annotations.NullMarked;
