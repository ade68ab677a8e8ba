/**
 * The form of memory blocks: schemas, the values that fit them, limits, and the refusals of all of
 * memory.
 *
 * <p>In: schemas and values as JSON. Out: checked schemas and values. Nothing here changes a
 * document.
 */
@NullMarked
package dev.contexture.memory.schema;

import org.jspecify.annotations.NullMarked;
