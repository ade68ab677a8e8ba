/**
 * Finding turns and memories again.
 *
 * <p>In: how well something matches and how old it is. Out: the score by which hits are ordered.
 */
@NullMarked
package dev.contexture.search;

import org.jspecify.annotations.NullMarked;
