/**
 * A conversation as an immutable value: blocks in order, the status of their turns, summaries,
 * archived ranges, visibility records, the sources pool.
 *
 * <p>In: blocks and records. Out: a {@link dev.contexture.timeline.Timeline}, from which every view
 * is a pure function. Appending makes the next value and shares everything with the one before.
 *
 * <pre>{@code
 * Timeline next = timeline.append(block);
 * }</pre>
 */
@NullMarked
package dev.contexture.timeline;

import org.jspecify.annotations.NullMarked;
