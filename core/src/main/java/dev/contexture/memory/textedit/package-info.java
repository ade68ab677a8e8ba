/**
 * Edits of texts: replacements, patches, line ranges and regular expressions, and how two texts
 * align.
 *
 * <p>In: a text and what is wanted of it. Out: splices, or a refusal that says what did not fit.
 */
@NullMarked
package dev.contexture.memory.textedit;

import org.jspecify.annotations.NullMarked;
