/**
 * The content of a memory block between its forms: the document that merges, JSON, and the text
 * that models read.
 */
@NullMarked
package dev.contexture.memory.content;

import org.jspecify.annotations.NullMarked;
