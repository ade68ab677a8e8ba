/**
 * The operations of a conversation: turns are opened, contributed to, answered, rendered, compacted
 * and closed; paths are read and hidden.
 *
 * <p>In: values of {@code turn}. Out: durable blocks and rendered contexts. All rules of what a
 * turn may do are here; the store only keeps rows.
 */
@NullMarked
package dev.contexture.engine.turn;

import org.jspecify.annotations.NullMarked;
